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
  const published = (core.published[suite.name] ?? []).filter((one) => one.prediction === prediction.name);
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
    accuracyTable(
      rows,
      published.filter((one) => one.people && !one.items),
      `${suite.name}-${prediction.name}`,
    ),
    publishedPart(published, `${suite.name}-${prediction.name}-published`),
  );
}

const ACCURACY_HEADS = ["model", "n", "accuracy", "95 % interval", "strict", "chance", "p", "ties", "invalid"];

/** The accuracy of every model on one prediction, and below it that of people who were asked before. */
function accuracyTable(rows, people, file) {
  const parts = ["n", "accuracy", "low", "high", "strict_accuracy", "chance", "p_chance", "ties", "invalid"];
  const data = () => ({
    heads: ["model", ...parts, "source"],
    rows: [
      ...rows.map((row) => [row.model, ...parts.map((part) => row[part]), null]),
      ...people.map((one) => [one.reference, ...parts.map((part) => (part === "accuracy" ? one.accuracy : null)), one.source]),
    ],
  });
  const ours = rows.map((row) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, modelName(row.model)),
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
  );
  const asked = people.map((one) =>
    el(
      "tr",
      { class: "published" },
      el("th", { scope: "row" }, one.reference),
      el("td", {}),
      el("td", { class: "numeric" }, publishedMark(one.accuracy)),
      el("td", { colspan: ACCURACY_HEADS.length - 3, class: "source", title: one.note }, one.source),
    ),
  );
  return el(
    "div",
    {},
    el(
      "div",
      { class: "wide" },
      el(
        "table",
        { class: "plain" },
        el("thead", {}, el("tr", {}, ACCURACY_HEADS.map((head, column) => headCell(head, column > 0)))),
        el("tbody", {}, ours, asked),
      ),
    ),
    tableButtons(file, data),
  );
}

const headCell = (text, numeric) => el("th", { scope: "col", class: numeric ? "numeric" : null }, text);

/** All that was published on one prediction, of people and of models; folded, since it may be long. */
function publishedPart(published, file) {
  if (published.length === 0) return null;
  const text = (key, width, grow = false) =>
    published.some((one) => one[key]) && {
      key,
      label: key === "reference" ? "published model" : key,
      width,
      grow,
      minor: key !== "reference",
      value: (one) => one[key],
      cell: (one) => lines(one[key]),
    };
  const table = new Table({
    label: "Published accuracies",
    file,
    columns: [
      text("reference", 200),
      text("items", 110),
      {
        key: "accuracy",
        label: "accuracy",
        width: 150,
        numeric: true,
        value: (one) => one.accuracy,
        cell: (one) => publishedMark(one.accuracy),
      },
      text("source", 280),
      text("note", 280, true),
    ].filter(Boolean),
    state: choices(file),
  });
  table.setRows(published);
  const people = published.filter((one) => one.people).length;
  const of = [people && "people", people < published.length && "models"].filter(Boolean).join(" and ");
  return el(
    "details",
    { class: "published" },
    el("summary", {}, `Published accuracies of ${of} (${published.length})`),
    el("p", { class: "hint" }, "On the items of their authors, which may be others than those of this run; ties as the authors count them."),
    table.element,
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
  const own = core.figures.flatMap((figure, index) => (figure.suite === suite ? [copyOfPart(index)] : []));
  return own.length > 0 && el("details", { class: "levels", open: true }, el("summary", {}, "Figures"), own);
}

/** Accuracy by level of the factors that vary between items. */
function levelsPart(number, index) {
  const suite = core.suites[number];
  const prediction = suite.predictions[index].name;
  const parts = Object.entries(core.tables.levels[number] ?? {}).map(([factor, columns]) => {
    const rows = rowsOf(columns).filter((row) => row.prediction === prediction);
    return levelTable(factor, rows, `${suite.name}-${prediction}-by-${factor}`);
  });
  const shown = parts.filter(Boolean);
  return shown.length > 0 && el("details", { class: "levels" }, el("summary", {}, "Accuracy by factor"), shown);
}

function levelTable(factor, rows, file) {
  const key = `level:${factor}`;
  const levels = [...new Set(rows.map((row) => row[key]))];
  if (levels.length < 2) return null;
  const parts = ["n", "accuracy", "low", "high", "chance"];
  const data = () => ({
    heads: ["model", factor, ...parts],
    rows: rows.map((row) => [row.model, row[key], ...parts.map((part) => row[part])]),
  });
  const body = levels.map((level) => {
    const found = rows.filter((row) => row[key] === level);
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, level),
      el("td", { class: "numeric" }, count(found[0].n)),
      core.models.map((model) =>
        el("td", { class: "numeric" }, accuracyMark(found.find((row) => row.model === model.name))),
      ),
    );
  });
  const heads = [headCell(factor), headCell("n", true), core.models.map((model) => headCell(modelName(model.name), true))];
  return el(
    "div",
    {},
    el(
      "div",
      { class: "wide" },
      el("table", { class: "plain" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, body)),
    ),
    tableButtons(file, data),
  );
}
