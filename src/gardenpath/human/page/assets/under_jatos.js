"use strict";
// A page exported to JATOS: its library, the list of a participant from the batch session, saving and ending.

((page) => {
    const COUNTS = "gardenpath_lists";
    const ATTEMPTS = 20;

    // JATOS puts its library beside the page, and "publix" into the address of every study it runs.
    function load() {
        return new Promise((resolve, reject) => {
            const script = page.make("script", { src: "jatos.js" });
            script.addEventListener("load", () => window.jatos.onLoad(resolve));
            script.addEventListener("error", () => reject(new Error("jatos.js could not be loaded")));
            document.head.append(script);
        });
    }

    // The list that fewest participants began, and the version whose turn it is. JATOS refuses a change of the batch
    // session that someone else's overtook; then the counts are read again.
    async function takeList(jatos, lists) {
        for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
            const counts = { ...(jatos.batchSession.get(COUNTS) || {}) };
            const begun = (one) => counts[one.number] || 0;
            const number = lists.reduce((least, one) => (begun(one) < begun(least) ? one : least)).number;
            const versions = lists.filter((one) => one.number === number);
            const taken = versions[begun(versions[0]) % versions.length];
            try {
                await jatos.batchSession.set(COUNTS, { ...counts, [number]: begun(taken) + 1 });
                return taken;
            } catch {
                await page.pause(100 + 400 * Math.random());
            }
        }
        return null;
    }

    // JATOS where the page runs under it, else null.
    async function host() {
        if (!location.pathname.includes("/publix/")) return null;
        await load();
        const { jatos } = window;
        return {
            parameter: (name) => (jatos.urlQueryParameters || {})[name] || null,
            run: String(jatos.studyResultId),
            takeList: (lists) => takeList(jatos, lists),
            // All rows replace those sent before, so nothing is stored twice, and a result is one JSON array.
            save: (rows) => jatos.submitResultData(JSON.stringify(rows)),
            end: (redirect) => (redirect ? jatos.endStudyAndRedirect(redirect) : jatos.endStudy(true, "complete", false)),
        };
    }

    page.underJatos = host;
})(Gardenpath);
