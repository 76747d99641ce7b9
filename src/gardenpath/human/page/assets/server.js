"use strict";
// Answers go to the study's server, one by one; the next trial waits until the one before is on its disk.

((page) => {
    const { say, connection, pause, parameter, identifier, drawer, Refused } = page;
    const FIRST_WAIT = 500;
    const LONGEST_WAIT = 15000;
    const PATIENCE = 20000;

    // Wait before the next attempt; a browser that is back online does not wait longer.
    function wait(milliseconds) {
        return Promise.race([
            pause(milliseconds),
            new Promise((resolve) => window.addEventListener("online", resolve, { once: true })),
        ]);
    }

    // Send a request once: what the server answers, or null if it cannot be reached or is busy.
    async function send(name, body) {
        const control = new AbortController();
        const timer = setTimeout(() => control.abort(), PATIENCE);
        try {
            const response = await fetch(`api/${name}`, {
                method: "POST",
                headers: { "Content-Type": "application/json" },
                body: JSON.stringify(body),
                cache: "no-store",
                keepalive: true,  // an answer given just before the page is left still arrives
                signal: control.signal,
            });
            if (response.status >= 500 || response.status === 429 || response.status === 408) return null;
            const found = await response.json();
            if (response.ok) return found;
            throw new Refused(found.error || response.statusText, response.status, found.next);
        } catch (error) {
            if (error instanceof Refused) throw error;
            return null;
        } finally {
            clearTimeout(timer);
        }
    }

    // Send a request until it is answered. The same body goes out every time, so nothing is stored twice.
    async function post(name, body) {
        for (let milliseconds = FIRST_WAIT; ; milliseconds = Math.min(2 * milliseconds, LONGEST_WAIT)) {
            const found = await send(name, body);
            if (found !== null) {
                connection("");
                return found;
            }
            connection(say("Connection lost, trying again …"));
            await wait(milliseconds);
        }
    }

    // The panel's participants find their session in any tab. Without a panel, a session belongs to its tab, so that
    // the next person at a shared computer does not continue with it.
    function storageOf(panel) {
        const key = `gardenpath ${location.pathname} ${panel || ""}`;
        return drawer(panel ? "localStorage" : "sessionStorage", key);
    }

    function transport() {
        const panel = parameter(document.body.dataset.panel);
        const kept = storageOf(panel);
        let token = null;

        // Remember the token, and the answer that is on its way, until it has arrived.
        function keep(waiting) {
            kept.write({ token, waiting });
        }

        async function sendWaiting(waiting) {
            try {
                return await post("answer", { token, ...waiting });
            } finally {
                keep(null);
            }
        }

        async function start() {
            const before = kept.read();
            const session = await post("start", {
                panel_id: panel, list: page.listAsked(), token: before ? before.token : null,
            });
            token = session.token;
            const waiting = before && before.token === token ? before.waiting : null;
            if (waiting && session.state === "active" && waiting.trial === session.next) {
                try {
                    session.next = (await sendWaiting(waiting)).next;
                } catch (error) {
                    if (!(error instanceof Refused) || error.next === undefined) throw error;
                    session.next = error.next;
                }
            }
            keep(null);
            return session;
        }

        async function answer(trial, given, lostFocus) {
            const waiting = { key: identifier(), trial, answer: given, lost_focus: lostFocus };
            keep(waiting);
            return sendWaiting(waiting);
        }

        function questions(when, answers, hidden) {
            return post("questions", { token, when, answers, hidden });
        }

        return { start, answer, questions, finish: () => post("finish", { token }) };
    }

    page.transport = transport;
})(Gardenpath);
