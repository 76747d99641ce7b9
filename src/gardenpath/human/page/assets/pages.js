"use strict";
// The pages around the trials. Each returns a promise that is kept when the participant goes on.

((page) => {
    const { say, make, paragraphs, heading, show, announce } = page;
    const MOST_BUTTONS = 7;
    const LONGEST_ANSWER = 500;

    function button(text, click, kind = "main") {
        return make("button", { type: "button", class: kind, click }, text);
    }

    // A text to read, and a button to go on.
    function read(title, text, next = "Continue") {
        return new Promise((resolve) => {
            show(heading(title), ...paragraphs(text), make("p", { class: "next" }, button(say(next), () => resolve())));
        });
    }

    // Whether the participant agrees.
    function consent(study) {
        return new Promise((resolve) => {
            show(
                heading(say("Consent")),
                ...paragraphs(study.consent),
                make("p", { class: "next" },
                    button(say("Agree"), () => resolve(true)),
                    button(say("Do not agree"), () => resolve(false), "other")),
            );
        });
    }

    // A page after which nothing comes.
    function end(title, text, ...more) {
        page.progress();
        show(heading(title), ...paragraphs(text), ...more);
    }

    // A field that people neither see nor reach, nor hear from a screen reader; programs fill it in.
    function hiddenField() {
        return make("div", { class: "away", "aria-hidden": "true" },
            make("label", { for: "website" }, say("Leave this empty")),
            make("input", { id: "website", name: "website", type: "text", tabindex: "-1", autocomplete: "off" }));
    }

    // One question about the participant: buttons for few answers, a menu for many, else a line of text.
    function field(question, number) {
        const id = `question-${number}`;
        const wrong = make("p", { class: "wrong", id: `${id}-wrong` });
        const named = { name: id, "aria-describedby": wrong.id, "aria-required": String(question.required) };
        const asked = [question.text, question.required ? null : make("small", {}, ` (${say("optional")})`)];
        if (question.options.length && question.options.length <= MOST_BUTTONS) {
            const answers = question.options.map((option, index) =>
                make("label", { class: "answer" },
                    make("input", { type: "radio", id: `${id}-${index}`, value: option, ...named }), option));
            return make("fieldset", {}, make("legend", {}, ...asked), ...answers, wrong);
        }
        const entry = question.options.length
            ? make("select", { id, ...named },
                make("option", { value: "" }, say("Choose one")),
                ...question.options.map((option) => make("option", { value: option }, option)))
            : make("input", { id, type: "text", maxlength: LONGEST_ANSWER, autocomplete: "off", ...named });
        return make("div", { class: "field" }, make("label", { for: id }, ...asked), entry, wrong);
    }

    // What a form holds: the answers by name, or null if a required one is missing, which is then marked.
    function collect(form, questions) {
        const filled = new FormData(form);
        const answers = {};
        let missing = null;
        questions.forEach((question, number) => {
            const id = `question-${number}`;
            const answer = (filled.get(id) || "").trim();
            if (answer) answers[question.name] = answer;
            const wrong = question.required && !answer;
            form.querySelector(`#${id}-wrong`).textContent = wrong ? say("Please answer this question.") : "";
            const entries = form.querySelectorAll(`[name="${id}"]`);
            entries.forEach((entry) => entry.setAttribute("aria-invalid", String(wrong)));
            if (wrong && !missing) missing = entries[0];
        });
        if (missing) {
            announce(say("Please answer this question."));
            missing.focus();
            return null;
        }
        return answers;
    }

    // A form with questions, or with the hidden field only; resolves to the answers and what the hidden field holds.
    function form({ title, text = "", questions = [], next = "Continue" }) {
        return new Promise((resolve) => {
            const shown = make("form", { novalidate: true, autocomplete: "off" },
                ...questions.map(field), hiddenField(),
                make("p", { class: "next" }, make("button", { type: "submit", class: "main" }, say(next))));
            let open = true;
            shown.addEventListener("submit", (event) => {
                event.preventDefault();
                const answers = open ? collect(shown, questions) : null;
                if (answers === null) return;
                open = false;
                resolve({ answers, hidden: shown.elements.website.value });
            });
            show(heading(title), ...paragraphs(text), shown);
        });
    }

    // The code that shows a panel that the participant finished, with a button to copy it.
    function completionCode(code) {
        const copied = make("span", { class: "copied", role: "status" });
        const copy = button(say("Copy"), async () => {
            await navigator.clipboard.writeText(code);
            copied.textContent = say("Copied");
        }, "other");
        const can = Boolean(navigator.clipboard);  // not where the page is not served by HTTPS
        return make("div", { class: "code" },
            make("p", {}, say("Your completion code")),
            make("p", {}, make("output", { id: "code" }, code), can ? copy : null, copied));
    }

    // Only addresses of the web: a redirect never runs a script.
    function isWebAddress(address) {
        try {
            return ["https:", "http:"].includes(new URL(address).protocol);
        } catch {
            return false;
        }
    }

    // The last page: thanks, and the completion code or the way back to the panel.
    function finished(study, { code, redirect }, ...more) {
        const back = redirect && isWebAddress(redirect);
        end(say("Thank you"), study.thanks,
            code ? completionCode(code) : null,
            back ? make("p", {}, say("You will now be taken back.")) : null,
            back ? make("p", { class: "next" }, make("a", { class: "main", href: redirect }, say("Continue"))) : null,
            ...more);
        if (back) setTimeout(() => location.assign(redirect), 2500);
    }

    page.pages = { read, consent, end, form, finished, button };
})(Gardenpath);
