// The summary: the models and their results.

function summaryView() {
  const items = core.suites.reduce((sum, suite) => sum + suite.items, 0);
  return el(
    "section",
    { "aria-labelledby": "summary-title" },
    el("h1", { id: "summary-title" }, "What the models know about grammar"),
    el(
      "p",
      { class: "lead" },
      `${plural(core.models.length, "model")} · ${plural(core.suites.length, "suite")} · ${plural(items, "item")}`,
    ),
    el("h2", {}, "Models"),
    modelsTable(),
    unequalNote(),
    core.suites.some((suite) => suite.predictions.length > 0) && [el("h2", {}, "Results"), resultsPart()],
    unevaluatedPart(),
  );
}

/** Links to the suites without predictions, of which there are surprisals only. */
function unevaluatedPart() {
  const rows = core.suites.map((suite, number) => ({ suite, number })).filter(({ suite }) => !suite.predictions.length);
  if (rows.length === 0) return "";
  const link = ({ suite, number }) =>
    el(
      "li",
      {},
      el("a", { href: `#/suite/${number}` }, suite.name),
      ` · ${plural(suite.items, "item")} in ${plural(suite.conditions.length, "condition")}, by region: `,
      suite.regions.join(", "),
    );
  return [
    el("h2", {}, "Surprisals without predictions"),
    el("p", { class: "hint" }, "Suites without a prediction were scored, and nothing was evaluated; see Figures for bits by region."),
    el("ul", {}, rows.map(link)),
  ];
}

/** A warning where the means of the models are over different suites. */
function unequalNote() {
  const suites = new Map(core.models.map((model) => [model.name, new Set()]));
  for (const row of rowsOf(core.tables.predictions)) suites.get(row.model).add(row.suite);
  const counts = [...suites.values()].map((own) => own.size);
  const all = new Set([...suites.values()].flatMap((own) => [...own])).size;
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (least === all) return "";
  const many = least === most ? `${least} of ${all} each` : `${least} to ${most} of ${all}`;
  return el(
    "p",
    { class: "hint" },
    `The models were run on different suites (${many}), so their means cannot be compared.`,
  );
}

/** The metadata of each model and its means over suites and over items. */
function modelsTable() {
  const find = (table) => new Map(rowsOf(core.tables[table]).map((row) => [row.model, row]));
  const [macro, micro, all] = ["macro", "micro", "models"].map(find);
  const rows = core.models.map((model) => ({
    ...model,
    macro: macro.get(model.name),
    micro: micro.get(model.name),
    chance: all.get(model.name)?.chance ?? null,
    coverage: all.get(model.name)?.coverage ?? null,
  }));
  const known = (fact) => rows.some((row) => row[fact] !== null && row[fact] !== "");
  const text = (fact, label, width) =>
    known(fact) && {
      key: fact,
      label,
      width,
      minor: true,
      value: (row) => row[fact] || null,
      cell: (row) => row[fact] || "–",
    };
  const number = (fact, label, width, show, about) =>
    known(fact) && {
      key: fact,
      label,
      width,
      about,
      numeric: true,
      minor: true,
      value: (row) => row[fact],
      cell: (row) => show(row[fact]),
    };
  const mean = (key, label, about) => ({
    key,
    label,
    about,
    width: 175,
    narrow: 125,
    numeric: true,
    value: (row) => row[key]?.accuracy ?? null,
    cell: (row) => accuracyMark(row[key] && { ...row[key], chance: key === "micro" ? row.chance : null }),
    data: ["accuracy", "low", "high"].map((part) => [`${label}: ${part}`, (row) => row[key]?.[part] ?? null]),
  });
  const table = new Table({
    label: "Models",
    columns: [
      {
        key: "name",
        label: "model",
        width: 160,
        grow: true,
        value: (row) => row.name,
        cell: (row) => el("b", {}, modelName(row.name)),
      },
      text("bos", "first symbol", 150),
      text("architecture", "architecture", 130),
      text("corpus", "corpus", 120),
      number("words", "words", 110, count, "Size of the training corpus in words"),
      number("seed", "seed", 60, count, "Random seed of training"),
      number(
        "perplexity",
        "perplexity",
        115,
        (value) => decimals(value, 1),
        "Per word, on the validation text",
      ),
      core.suites.length > 1 &&
        mean(
          "macro",
          "mean over suites",
          "Macro mean of the first prediction of every suite; interval over suites",
        ),
      rows.some((row) => row.micro) &&
        mean("micro", "mean over items", "Micro mean of the first prediction of every suite; interval over items and the words they share"),
      number("coverage", "coverage", 105, percent, "Share of items without words unknown to the model"),
    ].filter(Boolean),
    state: choices("models"),
  });
  table.setRows(rows);
  return table.element;
}
