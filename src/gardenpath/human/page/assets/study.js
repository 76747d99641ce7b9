"use strict";
// The course of a study: consent, questions, instructions, practice, trials with breaks, questions, the code.

((page) => {
    const { say, show, progress, pause, Refused, pages, tasks } = page;
    const BETWEEN_TRIALS = 150;
    const SLOW = 600;

    // How often the participant looked away since the last answer: another window, another tab.
    const focus = { lost: 0, away: false };
    function leave() {
        if (!focus.away) focus.lost += 1;
        focus.away = true;
    }
    window.addEventListener("blur", leave);
    window.addEventListener("focus", () => { focus.away = false; });
    document.addEventListener("visibilitychange", () => {
        if (document.hidden) leave();
        else focus.away = false;
    });

    // An empty stage between two trials; if saving takes longer, it says so.
    async function saved(promise) {
        show();
        const timer = setTimeout(() => show(page.make("p", { class: "note" }, say("Saving your answers …"))), SLOW);
        try {
            const [found] = await Promise.all([promise, pause(BETWEEN_TRIALS)]);
            return found;
        } finally {
            clearTimeout(timer);
        }
    }

    // Store something; the index of the next trial, also if it turns out that the server has another answer already.
    async function nextAfter(promise) {
        try {
            return (await saved(promise)).next;
        } catch (error) {
            if (error instanceof Refused && Number.isInteger(error.next)) return error.next;
            throw error;
        }
    }

    // Pages between two trials: the end of the practice, a break.
    async function between(study, trials, next) {
        const practice = trials.filter((trial) => trial.practice).length;
        const done = next - practice;
        if (next >= trials.length || done < 0) return;
        progress();
        if (done === 0) {
            await pages.read(say("Practice"), say("The practice is over. Now the study begins."), "Start");
        } else if (study.break_every && done % study.break_every === 0) {
            await pages.read(say("Time for a break"), say("Take a break, as long as you like."));
        }
    }

    // All trials from `next` on.
    async function runTrials(transport, { study, trials }, next) {
        while (next < trials.length) {
            progress(next, trials.length, trials[next].practice);
            const answer = await tasks[trials[next].task](trials[next], study);
            const lost = focus.lost;
            focus.lost = 0;
            const after = await nextAfter(transport.answer(next, answer, lost));
            if (after > next) await between(study, trials, after);
            next = after;
        }
        progress();
    }

    // Consent, the questions before the trials, the instructions; false if the participant does not agree.
    async function begin(transport, session) {
        const { study } = session.view;
        const asked = session.questions_answered.includes("before");
        if (session.next > 0) {
            await pages.read(say("Welcome back"), say("You continue where you stopped."));
            return true;
        }
        if (!asked && study.consent && !(await pages.consent(study))) return false;
        const questions = study.questions.filter((question) => !question.after);
        if (!asked && questions.length) await ask(transport, "before", questions);
        const filled = await pages.form({ title: say("Instructions"), text: study.instructions, next: "Start" });
        if (!asked && !questions.length) await saved(transport.questions("before", {}, filled.hidden));
        return true;
    }

    async function ask(transport, when, questions) {
        const title = say(when === "before" ? "Before you begin" : "One last step");
        const { answers, hidden } = await pages.form({ title, questions });
        await saved(transport.questions(when, answers, hidden));
    }

    // Finish; where the server misses an answer, the study continues there.
    async function finish(transport, session) {
        const after = session.view.study.questions.filter((question) => question.after);
        if (after.length && !session.questions_answered.includes("after")) {
            await ask(transport, "after", after);
            session.questions_answered.push("after");
        }
        try {
            return await saved(transport.finish());
        } catch (error) {
            if (!(error instanceof Refused) || !Number.isInteger(error.next)) throw error;
            if (error.next >= session.view.trials.length) throw error;
            await runTrials(transport, session.view, error.next);
            return finish(transport, session);
        }
    }

    async function run(transport) {
        const session = await transport.start();
        page.translate(session.view.study);
        if (session.state !== "complete") {
            if (!(await begin(transport, session))) {
                pages.end(say("Thank you"), say("You did not agree, so nothing was saved. You can close this page."));
                return;
            }
            await runTrials(transport, session.view, session.next);
            Object.assign(session, await finish(transport, session));
        }
        pages.finished(session.view.study, session, ...(transport.atEnd ? transport.atEnd() : []));
    }

    // Answers that wait in an exported page can be saved although the time to continue is over.
    const transport = page.transport();
    run(transport).catch((error) => {
        const known = error instanceof Refused;
        if (!known) console.error(error);
        const text = known ? error.message : "The study could not be loaded. Please reload this page.";
        const more = known && error.status === 410 && transport.atEnd ? transport.atEnd() : [];
        pages.end(say("This study cannot be continued"), say(text), ...more);
    });
})(Gardenpath);
