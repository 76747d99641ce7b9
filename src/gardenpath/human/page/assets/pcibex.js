// The trials are the rows of items.csv in their order; PCIbex takes the rows of one Group, that is of one list and
// order, for each participant. Names of sentences in the results are conditions.
PennController.ResetPrefix(null);
DebugOff();

const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const paragraphs = (text) =>
    text.split(/\n\s*\n/).map((part, n) => newText("paragraph-" + n, "<p>" + plain(part) + "</p>").print());
const go = (text) => newButton("continue", plain(text)).print();
const line = (name, text) => newText(name, "<p>" + plain(text) + "</p>").print();

// One page of questions about the participant; the button works once the required ones are answered.
const ask = (label, questions) => {
    const entries = questions.map((question) => question.options.length
        ? newDropDown(question.name, "").add(...question.options).log().print()
        : newTextInput(question.name).log().print());
    const answered = questions.filter((question) => question.required).map((question) => question.options.length
        ? getDropDown(question.name).test.selected()
        : getTextInput(question.name).testNot.text(""));
    const all = answered.length ? [answered.reduce((first, second) => first.and(second))] : [];
    return newTrial(label,
        ...questions.flatMap((question, n) => [line("asked-" + n, question.text), entries[n]]),
        go(STUDY.words.Continue).wait(...all),
    ).log("participant", GetURLParameter(STUDY.panel));
};

const TASKS = {
    // Keys 1, 2, … or clicks; the selection in the results is the condition.
    choice: (row) => {
        const conditions = row.ORDER.split(";");
        return [
            line("prompt", STUDY.prompt),
            ...conditions.map((condition, n) =>
                newText(condition, plain(n + 1 + ". " + row["SENTENCE_" + (n + 1)]))
                    .log()
                    .css({ "border": "solid 2px #7b8898", "padding": "1em", "margin": "0.5em", "font-size": "1.2em" })
                    .print()),
            newSelector("choice")
                .add(...conditions.map((condition) => getText(condition)))
                .keys(...conditions.map((_, n) => String(n + 1)))
                .log()
                .wait(),
        ];
    },
    rating: (row) => [
        newController("AcceptabilityJudgment", {
            s: row.SENTENCE,
            q: plain(STUDY.prompt),
            as: Array.from({ length: STUDY.points }, (_, n) => String(n + 1)),
            presentAsScale: true,
            leftComment: plain(STUDY.labels[0]),
            rightComment: plain(STUDY.labels[1]),
        }).print().log().wait().remove(),
    ],
    reading: (row) => [
        newController("DashedSentence", { s: row.SENTENCE.split(STUDY.separator) }).print().log().wait().remove(),
        ...(row.QUESTION ? [
            newController("Question", {
                q: plain(row.QUESTION),
                as: [row.ANSWER_1, row.ANSWER_2],
                hasCorrect: row.CORRECT === row.ANSWER_1 ? 0 : 1,
                randomOrder: false,
            }).print().log().wait().remove(),
        ] : []),
    ],
};

const trial = (label) => (row) => newTrial(label,
    ...(row.BREAK ? [line("break", STUDY.words.Break), go(STUDY.words.Continue).wait().remove(), clear()] : []),
    ...TASKS[STUDY.task](row),
)
    .log("participant", GetURLParameter(STUDY.panel))
    .log("list", row.LIST)
    .log("version", row.VERSION)
    .log("role", row.TYPE)
    .log("suite", row.SUITE)
    .log("item", row.ITEM)
    .log("cell", row.CELL)
    .log("condition", row.CONDITION)
    .log("order", row.ORDER || "")
    .log("correct", row.CORRECT);

// The counter goes up when a participant begins: PCIbex's own way, when results are sent, gives the first wave one list.
SetCounter("counter", "inc", 1);
const before = STUDY.questions.filter((question) => !question.after);
const after = STUDY.questions.filter((question) => question.after);
Sequence(...[
    "counter",
    STUDY.consent && "consent",
    before.length && "before",
    "instructions",
    STUDY.practice && "practice",
    STUDY.practice && "begin",
    "trial",
    after.length && "after",
    "send",
    "end",
].filter(Boolean));

if (STUDY.consent) newTrial("consent", ...paragraphs(STUDY.consent), go(STUDY.words.Agree).wait());
if (before.length) ask("before", before);
newTrial("instructions", ...paragraphs(STUDY.instructions), go(STUDY.words.Start).wait());
if (STUDY.practice) {
    Template(GetTable("items.csv").filter((row) => row.TYPE === "practice"), trial("practice"));
    newTrial("begin", ...paragraphs(STUDY.words.Begin), go(STUDY.words.Start).wait());
}
Template(GetTable("items.csv").filter((row) => row.TYPE !== "practice"), trial("trial"));
if (after.length) ask("after", after);
SendResults("send");
newTrial("end",
    ...paragraphs(STUDY.thanks),
    ...(STUDY.code ? [line("code", STUDY.code)] : []),
    ...(STUDY.link ? [newText("link", "<p><a href='" + STUDY.link + "'>" + plain(STUDY.words.Continue) + "</a></p>").print()] : []),
    newButton("never", "").wait(),
);
