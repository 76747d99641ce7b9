"use strict";
// An exported page: the lists are in it, and answers stay in the browser until they are saved as a file, sent to an
// address, or handed to JATOS. Its rows have the layout of jsPsych's data.

((page) => {
    const { say, make, connection, pause, identifier, drawer, Refused, pages } = page;
    const FIRST_WAIT = 500;
    const LONGEST_WAIT = 15000;

    function random(list) {
        return list[Math.floor(Math.random() * list.length)];
    }

    // What a participant answered in a trial, as the columns of its row.
    const COLUMNS = {
        choice({ order, correct }, { position }) {
            const choice = order[position];
            return { choice, correct: correct ? choice === correct : null };
        },
        rating({ correct }, { rating }) {
            return { rating, correct: correct ? String(rating) === correct : null };
        },
        reading({ pieces, regions, right }, { times, question }, { question: asked }) {
            const answered = question && {
                text: asked.text, answers: asked.answers, ...question,
                choice: asked.answers[question.position], correct: asked.answers[question.position] === right,
            };
            return { times, pieces, regions, question: answered };
        },
        maze({ pieces, regions }, { words }) {
            return { words, pieces, regions };
        },
    };

    // A function that sends what was not saved yet, one request after another; its promise is kept when all is saved.
    function sender(record, keep, save) {
        let milliseconds = FIRST_WAIT;
        let running = null;
        async function attempt() {
            const count = record.rows.length;
            try {
                await save(record.rows, record.sent);
                record.sent = count;
                keep();
                connection("");
                milliseconds = FIRST_WAIT;
            } catch {
                connection(say("Connection lost, trying again …"));
                await pause(milliseconds);
                milliseconds = Math.min(2 * milliseconds, LONGEST_WAIT);
            }
        }
        return async () => {
            while (record.sent < record.rows.length) {
                running = running || attempt().finally(() => { running = null; });
                await running;
            }
        };
    }

    // New rows go to the address; it knows them again by their session and trial_index.
    function poster(address) {
        return async (rows, from) => {
            const response = await fetch(address, {
                method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(rows.slice(from)),
            });
            if (!response.ok) throw new Error(response.statusText);
        };
    }

    // Save the rows as a file of this computer.
    function download(record) {
        const file = new Blob([JSON.stringify(record.rows, null, 1)], { type: "application/json" });
        const link = make("a", { href: URL.createObjectURL(file), download: `gardenpath-${record.session}.json` });
        document.body.append(link);
        link.click();
        link.remove();
        setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    }

    // A session is kept in localStorage, which outlives the tab, and in the tab's own history: when a file opened from
    // the disk is reloaded on a busy computer, Chromium 156 sometimes finds localStorage empty. The later of the two
    // counts.
    function keptTwice(key) {
        const stored = drawer("localStorage", key);
        return {
            read() {
                const kept = [stored.read(), (history.state || {})[key]].filter((record) => record);
                return kept.sort((one, other) => other.seen - one.seen)[0] || null;
            },
            write(value) {
                stored.write(value);
                try {
                    history.replaceState({ [key]: value }, "");
                } catch {
                    // Safari allows 100 changes in half a minute.
                }
            },
        };
    }

    function transport() {
        const data = JSON.parse(document.getElementById("study").textContent);
        let host, panel, store, record, listed, send;

        function keep() {
            record.seen = Date.now();
            store.write(record);
        }

        // Add a row: what all rows have, and what this one adds.
        function add(type, columns) {
            const { session, participant, rows, list, version, started } = record;
            rows.push({
                trial_type: `gardenpath-${type}`, trial_index: rows.length, time_elapsed: Date.now() - started,
                rt: null, response: null, participant, session, study: data.digest, gardenpath: data.gardenpath,
                list, version, time: new Date().toISOString(), ...columns,
            });
            keep();
            if (send) send();
        }

        async function drawList() {
            const asked = page.listAsked(host ? host.parameter("list") : undefined);
            const versions = data.lists.filter((one) => one.number === asked);
            if (asked !== null && !versions.length) throw new Refused(`This study has no list ${asked}.`, 404);
            if (versions.length) return random(versions);
            return (host && (await host.takeList(data.lists))) || random(data.lists);
        }

        async function begin() {
            listed = await drawList();
            const session = identifier();
            record = {
                session, participant: panel || session, list: listed.number, version: listed.version,
                started: Date.now(), seen: 0, rows: [], sent: 0, answered: 0, questions: [], done: false,
            };
            keep();
        }

        async function start() {
            host = await page.underJatos();
            const name = document.body.dataset.panel;
            panel = host ? host.parameter(name) : page.parameter(name);
            store = keptTwice(`gardenpath ${data.digest} ${panel || ""} ${host ? host.run : ""}`);
            record = store.read();
            page.translate(data.study);
            if (!record) await begin();
            listed = data.lists.find((one) => one.number === record.list && one.version === record.version);
            const save = host ? host.save : data.save_to && poster(data.save_to);
            send = save ? sender(record, keep, save) : null;
            if (!record.done && Date.now() - record.seen > data.resume_minutes * 60000) {
                throw new Refused("It is too late to continue this session.", 410);
            }
            if (send) send();
            return {
                view: { study: data.study, trials: listed.trials.map((index) => data.trials[index].shown) },
                next: record.answered, questions_answered: [...record.questions],
                state: record.done ? "complete" : "active", ...(record.done ? ending() : {}),
            };
        }

        async function answer(index, given, lostFocus) {
            const { shown, facts } = data.trials[listed.trials[index]];
            const { role, suite, item, cell, condition, order } = facts;
            record.answered = index + 1;
            add(shown.task, {
                rt: given.rt, response: given, trial: index + 1, task: shown.task, role, suite, item, cell, condition,
                order, lost_focus: lostFocus, ...COLUMNS[shown.task](facts, given, shown),
            });
            return { next: index + 1 };
        }

        async function questions(when, answers, hidden) {
            record.questions.push(when);
            add("questions", { when, response: answers, answers, hidden_field: hidden });
            return { stored: true };
        }

        // People are sent back to the panel only by pages that saved their answers elsewhere.
        function ending() {
            const code = data.code || record.session.slice(0, 8).toUpperCase();
            const back = send && data.completion_url;
            return { code, redirect: back ? data.completion_url.replace("{code}", encodeURIComponent(code)) : null };
        }

        async function finish() {
            if (!record.done) {
                record.done = true;
                add("end", { response: "complete" });
            }
            if (send) await send();
            else download(record);
            const end = ending();
            if (host) await host.end(end.redirect);
            return end;
        }

        // A file is saved again on request; at a shared computer the next participant begins here.
        function atEnd() {
            const again = async () => {
                await begin();
                location.reload();
            };
            return [
                send ? null : make("p", {},
                    say("Your answers have been saved to a file. Please send it to the researcher.")),
                make("p", { class: "next" },
                    send ? null : pages.button(say("Save your answers"), () => download(record)),
                    host || panel ? null : pages.button(say("New participant"), again, "other")),
            ];
        }

        return { start, answer, questions, finish, atEnd };
    }

    page.transport = transport;
})(Gardenpath);
