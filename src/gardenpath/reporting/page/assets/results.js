// The accuracy of each model: a row for each suite, phenomenon or circuit.

const UNITS = {
  predictions: { label: "suite", names: ["suite", "prediction"] },
  phenomena: { label: "phenomenon", names: ["phenomenon"] },
  circuits: { label: "circuit", names: ["circuit"] },
};

/** The table of results with its search box and filters. */
function resultsPart() {
  const state = choices("results", {
    unit: "predictions",
    layout: core.models.length > 1 ? "wide" : "long",
    query: "",
  });
  const container = el("div");
  const hint = el("p", { class: "hint", role: "status" });
  const units = Object.entries(UNITS).filter(
    ([unit, { names }]) => unit === "predictions" || new Set(core.tables[unit][names[0]]).size > 1,
  );
  const show = () => {
    const table = resultsTable(state);
    container.replaceChildren(table.element, ...table.remarks);
    const filter = () => {
      const rows = table.choose();
      hint.textContent = `${count(rows.length)} of ${plural(table.all.length, "row")}`;
      table.setRows(rows);
    };
    filter();
    show.filter = filter;
  };
  const filter = () => show.filter();
  const controls = el(
    "div",
    { class: "controls", role: "search", "aria-label": "Results" },
    searchBox("Search suites", state, filter),
    units.length > 1 &&
      choice(
        "One row per",
        units.map(([unit, { label }]) => [unit, label]),
        state,
        "unit",
        show,
      ),
    core.models.length > 1 &&
      choice(
        "Models",
        [
          ["wide", "side by side"],
          ["long", "one row each"],
        ],
        state,
        "layout",
        show,
      ),
    choice(
      "Phenomenon",
      optionsOf(
        core.suites.map((suite) => suite.phenomenon),
        "all",
      ),
      state,
      "phenomenon",
      filter,
    ),
    core.suites.some((suite) => suite.circuit) &&
      choice(
        "Circuit",
        optionsOf(
          core.suites.map((suite) => suite.circuit),
          "all",
        ),
        state,
        "circuit",
        filter,
      ),
    choice(
      "Against chance",
      [
        ["", "all"],
        ["above", "above"],
        ["unsure", "not significantly different"],
        ["below", "below"],
      ],
      state,
      "verdict",
      filter,
    ),
  );
  show();
  return [controls, hint, container, accuracyLegend()];
}

const suiteNumber = new Map();
function numberOfSuite(name) {
  if (suiteNumber.size === 0) core.suites.forEach((suite, number) => suiteNumber.set(suite.name, number));
  return suiteNumber.get(name);
}

function resultsTable(state) {
  const { names } = UNITS[state.unit];
  const wide = state.layout === "wide";
  const groups = groupRows(rowsOf(core.tables[state.unit]), names, wide);
  const several = core.suites.some((suite) => suite.predictions.length > 1);
  const facts = (row) => (state.unit === "predictions" ? core.suites[numberOfSuite(row.suite)] : row);
  const text = (key, label, width) => ({
    key,
    label,
    width,
    minor: true,
    value: (row) => facts(row)[key] ?? row[key],
    cell: (row) => lines(facts(row)[key]),
  });
  const number = (key, label, width, show, about) => ({
    key,
    label,
    width,
    about,
    numeric: true,
    minor: true,
    value: (row) => row.first[key],
    cell: (row) => show(row.first[key]),
  });
  const accuracy = (model) => ({
    key: `accuracy-${model}`,
    label: wide ? model : "accuracy",
    model: wide,
    about: wide ? `Accuracy of ${model}` : "Share of items for which the prediction holds; ties broken at random",
    width: 150,
    narrow: 125,
    numeric: true,
    value: (row) => (wide ? row.models.get(model) : row.first)?.accuracy ?? null,
    cell: (row) => accuracyMark(wide ? row.models.get(model) : row.first),
    data: ["accuracy", "low", "high"].map((part) => [
      wide ? `${shortModel(model)}: ${part}` : part,
      (row) => (wide ? row.models.get(model) : row.first)?.[part] ?? null,
    ]),
  });
  const link = (row) =>
    el(
      "a",
      { href: resultHref(state, row), tabindex: -1 },
      state.unit === "predictions"
        ? [suiteName(row.suite), narrowPrediction(core.suites[numberOfSuite(row.suite)], row.prediction)]
        : row[names[0]] || "(none)",
    );
  const models = core.models.map((model) => model.name);
  const about =
    state.unit !== "predictions"
      ? []
      : [
          text("phenomenon", "phenomenon", 165),
          core.suites.some((suite) => suite.circuit) && text("circuit", "circuit", 150),
        ];
  const same = wide ? {} : sameInAllRows(groups.map((row) => row.first));
  const unlessSame = (key, ...about) => ({ ...number(key, ...about), hidden: key in same });
  // Many models side by side need the space of the columns about suites.
  const crowded = wide && models.length > 2;
  const columns = [
    {
      key: names[0],
      label: UNITS[state.unit].label,
      width: 210,
      grow: true,
      value: (row) => row[names[0]],
      cell: link,
    },
    state.unit === "predictions" &&
      several && {
        key: "prediction",
        label: "prediction",
        width: 110,
        minor: true,
        value: (row) => row.prediction,
        cell: (row) => lines(row.prediction),
      },
    ...(crowded ? [] : about),
    !wide &&
      models.length > 1 && {
        key: "model",
        label: "model",
        width: 150,
        value: (row) => row.first.model,
        cell: (row) => modelName(row.first.model),
      },
    number("n", "n", 60, count, "Number of items"),
    wide &&
      number("chance", "chance", 85, percent, "How often the prediction holds by chance, computed from its formula"),
    ...(wide ? models.map(accuracy) : [accuracy("")]),
    ...(wide
      ? []
      : [
          {
            key: "interval",
            label: "95 % interval",
            width: 130,
            numeric: true,
            about: "95 % interval (Agresti and Coull), over items and the words they share",
            value: (row) => row.first.low,
            cell: (row) => `${percent(row.first.low)}–${percent(row.first.high)}`,
            data: [], // with the accuracy
          },
          unlessSame("strict_accuracy", "strict", 75, percent, "Accuracy with every tie counted as wrong"),
          number(
            "chance",
            "chance",
            85,
            percent,
            "How often the prediction holds by chance, computed from its formula",
          ),
          number("p_chance", "p", 70, probability, "Exact binomial test against chance, two-sided"),
          unlessSame("coverage", "coverage", 105, percent, "Share of items without words unknown to the model"),
          unlessSame("ties", "ties", 60, count, "Items whose outcome is a tie"),
          unlessSame("invalid", "invalid", 85, count, "Items whose margin is NaN or infinite"),
        ]),
    ...(crowded ? about : []),
  ].filter(Boolean);
  const table = new Table({
    label: "Results",
    columns,
    href: (row) => resultHref(state, row),
    state: choices(`results-${state.unit}-${state.layout}`),
  });
  table.all = groups;
  const shared = Object.values(same);
  table.remarks = shared.length ? [el("p", { class: "legend" }, `In all rows: ${shared.join(", ")}.`)] : [];
  table.choose = () => groups.filter((row) => isChosen(row, state, facts(row)));
  return table;
}

/** Numbers that are the same in all rows, in words by their keys: no row needs a cell for them. */
function sameInAllRows(rows) {
  if (rows.length < 2) return {};
  const same = {};
  if (rows.every((row) => row.strict_accuracy === row.accuracy)) same.strict_accuracy = "strict = accuracy";
  if (rows.every((row) => row.coverage === rows[0].coverage)) same.coverage = `coverage ${percent(rows[0].coverage)}`;
  for (const key of ["ties", "invalid"]) if (rows.every((row) => row[key] === 0)) same[key] = `${key} 0`;
  return same;
}

/** Rows grouped over models, or one for each model. */
function groupRows(rows, names, wide) {
  const groups = new Map();
  for (const row of rows) {
    const key = JSON.stringify([...names.map((name) => row[name]), wide ? "" : row.model]);
    if (!groups.has(key))
      groups.set(key, { ...Object.fromEntries(names.map((name) => [name, row[name]])), first: row, models: new Map() });
    groups.get(key).models.set(row.model, row);
  }
  return [...groups.values()];
}

function isChosen(row, state, facts) {
  const matches = matcher(state.query);
  const text = [row.suite, row.prediction, facts.phenomenon, facts.circuit, ...row.models.keys()]
    .join("\n")
    .toLowerCase();
  return (
    (!matches || matches(text)) &&
    (!state.phenomenon || facts.phenomenon === undefined || facts.phenomenon === state.phenomenon) &&
    (!state.circuit || facts.circuit === undefined || facts.circuit === state.circuit) &&
    (!state.verdict || [...row.models.values()].some((each) => versusChance(each).kind === state.verdict))
  );
}

/** The row of a suite links to the suite, that of a phenomenon or circuit to its items. */
function resultHref(state, row) {
  if (state.unit !== "predictions")
    return `#/items/${UNITS[state.unit].names[0]}/${encodeURIComponent(row[UNITS[state.unit].names[0]] ?? "")}`;
  const suite = numberOfSuite(row.suite);
  const prediction = core.suites[suite].predictions.findIndex((each) => each.name === row.prediction);
  return `#/suite/${suite}/${prediction}`;
}
