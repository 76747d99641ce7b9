"use strict";
// The four tasks. Each shows one trial and returns a promise of its answer, the JSON that is stored.
// Times are in milliseconds of performance.now(), which also stamps events.

((page) => {
    const { say, make, heading, show, announce } = page;
    // Nobody reads a sentence in this time: what comes earlier belongs to the trial before (a double click).
    const TOO_SOON = 150;

    // Run a trial until it is done: `build` shows it and gets `done(answer)` and the signal that removes its listeners.
    function once(build) {
        return new Promise((resolve) => {
            const control = new AbortController();
            const done = (answer) => {
                if (control.signal.aborted) return;
                control.abort();
                resolve(answer);
            };
            build(done, control.signal);
        });
    }

    function elapsed(event, since) {
        return Math.round((event.timeStamp - since) * 10) / 10;
    }

    // How an answer was given. A click without a pointer is a key pressed on a button.
    function means(event) {
        if (event.type === "keydown" || event.detail === 0) return "key";
        return event.pointerType === "touch" ? "touch" : "click";
    }

    // Listen for keys as long as the trial lasts; keys held down, and those of the browser, do not count.
    function onKey(signal, press) {
        document.addEventListener("keydown", (event) => {
            if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
            if (press(event)) event.preventDefault();
        }, { signal });
    }

    // The number of a digit key, on whatever keyboard; null of another key.
    function digit(event) {
        const found = /^(?:Digit|Numpad)([1-9])$/.exec(event.code) || /^([1-9])$/.exec(event.key);
        return found ? Number(found[1]) : null;
    }

    // Arrow keys move the focus between buttons, as they do between radio buttons.
    function moveFocus(event, buttons) {
        const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
        if (!step) return false;
        const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
        const turned = sideways && document.documentElement.dir === "rtl" ? -step : step;
        const at = buttons.indexOf(document.activeElement);
        const next = at < 0 ? (turned > 0 ? 0 : buttons.length - 1) : at + turned;
        buttons[Math.min(Math.max(next, 0), buttons.length - 1)].focus();
        return true;
    }

    // Show options as buttons, and resolve to the one chosen: its position, the time, and how.
    function pick(buttons, around) {
        return once((done, signal) => {
            show(...around);
            const shown = performance.now();
            const choose = (position, event) => {
                if (event.timeStamp - shown < TOO_SOON) return;
                buttons[position].classList.add("chosen");
                done({ position, rt: elapsed(event, shown), by: means(event) });
            };
            buttons.forEach((button, position) => {
                button.addEventListener("click", (event) => choose(position, event), { signal });
            });
            onKey(signal, (event) => {
                const number = buttons.length <= 9 ? digit(event) : null;
                if (number !== null && number <= buttons.length) {
                    choose(number - 1, event);
                    return true;
                }
                return moveFocus(event, buttons);
            });
        });
    }

    function option(text, number) {
        return make("button", { type: "button", class: "option", "aria-keyshortcuts": number },
            make("kbd", { "aria-hidden": "true" }, String(number)), make("span", {}, text));
    }

    // Forced choice: a button for each sentence.
    function choice(trial, study) {
        const buttons = trial.options.map((text, position) => option(text, position + 1));
        const box = make("div", { class: `options ${study.layout}`, role: "group", "aria-label": study.prompt }, ...buttons);
        return pick(buttons, [heading(study.prompt), box]);
    }

    // On a phone a scale that is too long for a line becomes a column; a longer one wraps.
    const SHORT_SCALE = 6;
    const LONG_SCALE = 11;

    // Rating: a button for each point of the scale, labels at its ends.
    async function rating(trial, study) {
        const points = Array.from({ length: study.points }, (_, index) => index + 1);
        const ends = { 1: study.labels[0], [study.points]: study.labels[1] };
        const buttons = points.map((point) => {
            const name = say("{point} of {points}", { point, points: study.points });
            return make("button", {
                type: "button", class: "point", "aria-label": point in ends ? `${name}, ${ends[point]}` : name,
            }, make("span", {}, String(point)), point in ends ? make("span", { class: "end" }, ends[point]) : null);
        });
        const column = study.points > SHORT_SCALE && study.points <= LONG_SCALE;
        const scale = make("div", { class: column ? "scale column" : "scale", role: "group", "aria-label": study.prompt },
            make("div", { class: "points" }, ...buttons),
            make("div", { class: "ends", "aria-hidden": "true" },
                make("span", {}, study.labels[0]), make("span", {}, study.labels[1])));
        const { position, ...rest } = await pick(buttons, [
            heading(study.prompt), make("p", { class: "sentence", id: "sentence" }, trial.text), scale,
        ]);
        return { rating: position + 1, ...rest };
    }

    // A piece of a sentence with a dash for each of its words. The words are laid out from the start, unseen, so that
    // nothing moves when they appear; hidden visibility keeps them from being read, selected or searched before.
    function covered(piece) {
        const words = piece.split(/\s+/).map((word) => make("span", { class: "dash" }, make("span", {}, word)));
        return make("span", { class: "piece" }, ...words.flatMap((word, index) => (index ? [" ", word] : [word])));
    }

    // Self-paced reading: every press shows the next piece and covers the one before; there is no way back.
    function readPieces(trial, study) {
        return once((done, signal) => {
            const pieces = trial.pieces.map(covered);
            const text = make("p", { class: "moving", "aria-hidden": "true" },
                ...pieces.flatMap((piece, index) => (index ? [" ", piece] : [piece])));
            const area = make("div", { class: "window" }, text);
            show(heading(study.prompt), area);
            const times = [];
            const shown = performance.now();
            let first = 0;
            let last = 0;
            let at = -1;
            const next = (event) => {
                if (at < 0 && event.timeStamp - shown < TOO_SOON) return;
                if (at < 0) first = event.timeStamp;
                else {
                    times.push(elapsed(event, last));
                    pieces[at].classList.remove("seen");
                }
                last = event.timeStamp;
                at += 1;
                if (at === pieces.length) {
                    done({ times, question: null, rt: elapsed(event, first) });
                    return;
                }
                pieces[at].classList.add("seen");
                announce(trial.pieces[at]);
            };
            area.addEventListener("click", next, { signal });
            onKey(signal, (event) => {
                if (event.key === " ") next(event);
                return event.key === " ";
            });
        });
    }

    async function reading(trial, study) {
        const answer = await readPieces(trial, study);
        if (!trial.question) return answer;
        const buttons = trial.question.answers.map((text, position) => option(text, position + 1));
        const box = make("div", { class: "options", role: "group", "aria-label": trial.question.text }, ...buttons);
        const { position, rt } = await pick(buttons, [heading(trial.question.text), box]);
        return { ...answer, question: { position, rt } };
    }

    // As many lefts as rights, in random order.
    function sides(count) {
        const drawn = Array.from({ length: count }, (_, index) => (index % 2 ? "left" : "right"));
        if (count % 2 && Math.random() < 0.5) drawn[count - 1] = "left";
        for (let last = count - 1; last > 0; last -= 1) {
            const other = Math.floor(Math.random() * (last + 1));
            [drawn[last], drawn[other]] = [drawn[other], drawn[last]];
        }
        return drawn;
    }

    const MAZE_KEYS = { ArrowLeft: "left", KeyE: "left", ArrowRight: "right", KeyI: "right" };

    // One word beside its distractor. The time is that of the first choice; after a mistake it is tried again.
    function mazeWord(word, distractor, side, buttons, note, guard) {
        return once((done, signal) => {
            const other = side === "left" ? "right" : "left";
            buttons[side].textContent = word;
            buttons[other].textContent = distractor === null ? "– – –" : distractor;
            const shown = performance.now();
            let mistakes = 0;
            let rt = null;
            const choose = (chosen, event) => {
                if (event.timeStamp - shown < guard) return;
                if (rt === null) rt = elapsed(event, shown);
                if (chosen === side) {
                    note.textContent = "";
                    done({ rt, mistakes, side });
                    return;
                }
                mistakes += 1;
                note.textContent = say("That word does not continue the sentence. Try again.");
            };
            for (const [name, button] of Object.entries(buttons)) {
                button.addEventListener("click", (event) => choose(name, event), { signal });
            }
            onKey(signal, (event) => {
                const chosen = MAZE_KEYS[event.code];
                if (chosen) choose(chosen, event);
                return Boolean(chosen);
            });
        });
    }

    // Maze: the sentence grows word by word, each chosen between two.
    async function maze(trial, study) {
        const side = (name) => make("button", { type: "button", class: `word ${name}`, dir: study.direction });
        const buttons = { left: side("left"), right: side("right") };
        const note = make("p", { class: "wrong", role: "alert" });
        show(heading(study.prompt), make("div", { class: "maze", dir: "ltr" }, buttons.left, buttons.right), note);
        const started = performance.now();
        const drawn = sides(trial.words.length);
        const words = [];
        for (const [index, word] of trial.words.entries()) {
            const distractor = trial.distractors[index] === undefined ? null : trial.distractors[index];
            words.push(await mazeWord(word, distractor, drawn[index], buttons, note, index ? 0 : TOO_SOON));
        }
        return { words, rt: Math.round((performance.now() - started) * 10) / 10 };
    }

    page.tasks = { choice, rating, reading, maze };
})(Gardenpath);
