"use strict";
// The one name of the page, and what all its scripts use: elements, words in the study's language, announcements.

const Gardenpath = (() => {
    let phrases = {};

    // The words of the page in the study's language; {names} in them are replaced.
    function say(text, values = {}) {
        const found = Object.hasOwn(phrases, text) ? phrases[text] : text;
        return found.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
    }

    // An element with attributes, listeners (functions) and children; texts are never read as HTML.
    function make(tag, attributes = {}, ...children) {
        const element = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes)) {
            if (typeof value === "function") {
                element.addEventListener(name, value);
            } else if (value !== false && value !== null && value !== undefined) {
                element.setAttribute(name, value === true ? "" : value);
            }
        }
        element.append(...children.filter((child) => child !== null));
        return element;
    }

    // The paragraphs of a text; a blank line begins the next.
    function paragraphs(text) {
        return text.split(/\n\s*\n/).filter((part) => part.trim()).map((part) => make("p", {}, part.trim()));
    }

    // A heading that takes the focus when its page is shown, so that screen readers begin there.
    function heading(text) {
        return make("h1", { tabindex: "-1" }, text);
    }

    // Show a page: everything before it is gone.
    function show(...children) {
        const stage = document.getElementById("stage");
        stage.replaceChildren(...children.filter((child) => child !== null));
        window.scrollTo(0, 0);
        (stage.querySelector("h1[tabindex]") || stage).focus({ preventScroll: true });
        return stage;
    }

    // Have screen readers say a text.
    function announce(text) {
        document.getElementById("live").textContent = text;
    }

    // The bar above a trial; without a number it is hidden.
    function progress(trial, trials, practice) {
        const header = document.getElementById("progress");
        header.hidden = trial === undefined;
        if (header.hidden) return;
        const text = say("{trial} of {trials}", { trial: trial + 1, trials });
        const bar = header.querySelector("progress");
        bar.max = trials;
        bar.value = trial;
        bar.setAttribute("aria-label", text);
        header.querySelector("b").textContent = practice ? say("Practice") : "";
        header.querySelector("span").textContent = text;
        announce(practice ? `${say("Practice")}, ${text}` : text);
    }

    // What is wrong with the connection; empty: nothing.
    function connection(text) {
        const banner = document.getElementById("connection");
        if (banner.textContent !== text) banner.textContent = text;
    }

    // A random identifier; crypto.randomUUID is missing where the page is not served by HTTPS.
    function identifier() {
        const bytes = crypto.getRandomValues(new Uint8Array(16));
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
        return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
    }

    function pause(milliseconds) {
        return new Promise((resolve) => setTimeout(resolve, milliseconds));
    }

    // A parameter of the page's address; null where it has none.
    function parameter(name) {
        return new URLSearchParams(location.search).get(name) || null;
    }

    // The list that the address asks for, as ?list=3.
    function listAsked(text = parameter("list")) {
        return /^[1-9]\d{0,5}$/.test(text || "") ? Number(text) : null;
    }

    // A drawer of the browser's storage for one key; where storing is forbidden, of this page's memory.
    function drawer(storage, key) {
        let kept = null;
        return {
            read() {
                try {
                    const text = window[storage].getItem(key);
                    return text === null ? kept : JSON.parse(text);
                } catch {
                    return kept;
                }
            },
            write(value) {
                kept = value;
                try {
                    if (value === null) window[storage].removeItem(key);
                    else window[storage].setItem(key, JSON.stringify(value));
                } catch {
                    // Private windows may forbid it; the answer is still in memory.
                }
            },
        };
    }

    // An answer that was refused: a sentence for the participant, and where to go on, if known.
    class Refused extends Error {
        constructor(message, status, next) {
            super(message);
            this.status = status;
            this.next = next;
        }
    }

    function translate(study) {
        phrases = study.phrases || {};
        document.documentElement.lang = study.language;
        document.documentElement.dir = study.direction;
        document.title = study.title;
    }

    return {
        say, make, paragraphs, heading, show, announce, progress, connection,
        identifier, pause, parameter, listAsked, drawer, Refused, translate,
    };
})();
