// One suite: its design, its predictions with the accuracy of every model, its items.

async function suiteView(number, prediction) {
  const suite = core.suites[number];
  await loadItems(number);
  const chosen = suite.predictions[prediction] ? prediction : 0;
  return el(
    "section",
    { "aria-labelledby": "suite-title" },
    crumbs(["Summary", "#/"], [suite.name]),
    el("h1", { id: "suite-title" }, suite.name),
    el(
      "p",
      { class: "lead" },
      [
        suite.phenomenon,
        suite.circuit,
        `${plural(suite.items, "item")} in ${plural(suite.conditions.length, "condition")}`,
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    designPart(number),
    el("h2", {}, suite.predictions.length > 1 ? "Predictions" : "Prediction"),
    suite.predictions.length === 0 && el("p", { class: "hint" }, NO_PREDICTIONS),
    suite.predictions.map((each, index) => predictionPart(number, index, index === chosen)),
    suite.predictions.length > 0 && levelsPart(number, chosen),
    figuresPart(suite.name),
    el("h2", {}, "Items"),
    suite.predictions.length > 1 && el("p", { class: "hint" }, `Prediction: ${suite.predictions[chosen].name}`),
    itemsPart([number], choices(`suite/${number}/${chosen}`), { prediction: chosen }),
  );
}

const NO_PREDICTIONS = "The suite has no predictions: its sentences were scored, and nothing was evaluated.";

/** The first item in all conditions, with marks before ungrammatical ones. */
function designPart(number) {
  const suite = core.suites[number];
  const { texts, ids } = itemsOf.get(number);
  const shown = suite.conditions.slice(0, 12);
  return el(
    "div",
    { class: "design" },
    el(
      "table",
      { class: "plain" },
      el(
        "caption",
        {},
        `Item ${ids[0]}`,
        suite.conditions.length > shown.length ? `, ${shown.length} of ${suite.conditions.length} conditions` : "",
      ),
      el(
        "tbody",
        {},
        shown.map((condition, index) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, condition.name),
            el("td", { class: "mark", title: condition.mark ? MARKED[condition.mark] : null }, condition.mark),
            el("td", {}, texts[index][0] ?? "–"),
          ),
        ),
      ),
    ),
    facts([...Object.entries(suite.metadata), ["source", suite.source]]),
  );
}

const MARKED = { "*": "ungrammatical", "??": "marginal", "!": "garden path" };

function predictionPart(number, index, chosen) {
  const suite = core.suites[number];
  const prediction = suite.predictions[index];
  const rows = rowsOf(core.tables.predictions).filter(
    (row) => row.suite === suite.name && row.prediction === prediction.name,
  );
  const several = suite.predictions.length > 1;
  return el(
    "div",
    { class: `prediction${chosen && several ? " chosen" : ""}` },
    el(
      "h3",
      {},
      several
        ? el("a", { href: `#/suite/${number}/${index}`, "aria-current": chosen ? "true" : null }, prediction.name)
        : prediction.name,
    ),
    formulaPart(prediction),
    el(
      "table",
      { class: "plain" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ["model", "n", "accuracy", "95 % interval", "strict", "chance", "p", "ties", "invalid"].map((head, column) =>
            el("th", { scope: "col", class: column ? "numeric" : null }, head),
          ),
        ),
      ),
      el(
        "tbody",
        {},
        rows.map((row) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, row.model),
            [
              count(row.n),
              accuracyMark(row),
              `${percent(row.low)}–${percent(row.high)}`,
              percent(row.strict_accuracy),
              percent(row.chance),
              probability(row.p_chance),
              count(row.ties),
              count(row.invalid),
            ].map((cell) => el("td", { class: "numeric" }, cell)),
          ),
        ),
      ),
    ),
  );
}

/** A formula in words, with the formula itself folded below. */
function formulaPart(prediction) {
  const { words } = prediction; // not capitalised, since it may begin with the name of a region
  const long = prediction.formula.length > 400;
  return [
    el("p", { class: "words" }, long ? `${words.slice(0, 240)} …` : `${words}.`),
    el(
      "details",
      {},
      el("summary", {}, "Formula"),
      el("p", {}, el("code", {}, prediction.formula)),
      long && el("p", {}, `${words}.`),
    ),
  ];
}

/** The figures about this suite only. */
function figuresPart(suite) {
  const own = core.figures
    .filter((figure) => figure.suite === suite)
    .map((figure) => {
      const copy = document.getElementById(`figure-${figure.name}`).cloneNode(true);
      copy.removeAttribute("id");
      return copy;
    });
  return own.length > 0 && el("details", { class: "levels", open: true }, el("summary", {}, "Figures"), own);
}

/** Accuracy by level of the factors that vary between items. */
function levelsPart(number, index) {
  const factors = Object.entries(core.tables.levels[number] ?? {});
  const prediction = core.suites[number].predictions[index].name;
  const parts = factors.map(([factor, columns]) => {
    const rows = rowsOf(columns).filter((row) => row.prediction === prediction);
    const levels = [...new Set(rows.map((row) => row[`level:${factor}`]))];
    if (levels.length < 2) return null;
    return el(
      "table",
      { class: "plain" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, factor),
          el("th", { scope: "col", class: "numeric" }, "n"),
          core.models.map((model) => el("th", { scope: "col", class: "numeric" }, model.name)),
        ),
      ),
      el(
        "tbody",
        {},
        levels.map((level) => {
          const found = rows.filter((row) => row[`level:${factor}`] === level);
          return el(
            "tr",
            {},
            el("th", { scope: "row" }, level),
            el("td", { class: "numeric" }, count(found[0].n)),
            core.models.map((model) =>
              el("td", { class: "numeric" }, accuracyMark(found.find((row) => row.model === model.name))),
            ),
          );
        }),
      ),
    );
  });
  const shown = parts.filter(Boolean);
  return (
    shown.length > 0 && el("details", { class: "levels" }, el("summary", {}, "Accuracy by factor"), shown)
  );
}
