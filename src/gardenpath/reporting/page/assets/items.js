// The items of one suite or of all, one row each, with the margin of every model. In the view of an item the arrow keys
// follow the order of this list.

const OUTCOMES = [
  ["", "all"],
  ["w", "wrong"],
  ["c", "correct"],
  ["t", "tie"],
  ["i", "invalid"],
  ["disagree", "models disagree"],
  ["none", "no model correct"],
  ["unknown", "with unknown words"],
];

/** The items last listed, in the order they were shown. */
let listed = [];

async function itemsView(group, name) {
  const state = choices(`items/${group ?? ""}/${name ?? ""}`, group ? { [group]: name } : {});
  const waiting = el("p", { class: "hint", role: "status" }, "Unpacking …");
  const container = el("div", {}, waiting);
  const heading = el("h1", { id: "items-title" }, "Items");
  const section = el("section", { "aria-labelledby": "items-title" }, heading, container);
  // The heading is shown while the suites are unpacked.
  setTimeout(async () => {
    await Promise.all(core.suites.map((_, suite) => loadItems(suite)));
    container.replaceChildren(
      ...itemsPart(
        core.suites.map((_, suite) => suite),
        state,
      ),
    );
  });
  return section;
}

/** The search box, filters and table for the items of unpacked suites. */
function itemsPart(suites, state, { prediction = null } = {}) {
  const single = suites.length === 1;
  const rows = itemRows(suites, prediction);
  const table = new Table({
    label: "Items",
    file: single ? `items-${core.suites[suites[0]].name}` : "items",
    columns: itemColumns(suites),
    href: itemHref,
    state: (state.table ??= {}),
    onSorted: (order) => {
      listed = order;
    },
  });
  const hint = el("p", { class: "hint", role: "status" });
  const show = (keepPosition = false) => {
    const chosen = chosenItems(rows, state, suites);
    hint.textContent = `${count(chosen.length)} of ${plural(rows.length, "row")}`;
    table.setRows(chosen, { keepPosition });
  };
  const models = core.models.map((model, number) => [number, model.short]);
  const outcomes = OUTCOMES.filter(([key]) => models.length > 1 || !["disagree", "none"].includes(key));
  const all = core.suites;
  const predictions = [...new Set(suites.flatMap((suite) => all[suite].predictions.map((each) => each.name)))];
  const levels = single ? Object.entries(itemsOf.get(suites[0]).levels) : [];
  const controls = el(
    "div",
    { class: "controls", role: "search", "aria-label": "Items" },
    searchBox("Search items and sentences", state, () => show()),
    predictions.length > 0 && choice("Outcome", outcomes, state, "outcome", () => show()),
    models.length > 1 && choice("Model", [["", "any"], ...models], state, "model", () => show()),
    !single &&
      choice(
        "Phenomenon",
        optionsOf(
          all.map((suite) => suite.phenomenon),
          "all",
        ),
        state,
        "phenomenon",
        () => show(),
      ),
    !single &&
      all.some((suite) => suite.circuit) &&
      choice(
        "Circuit",
        optionsOf(
          all.map((suite) => suite.circuit),
          "all",
        ),
        state,
        "circuit",
        () => show(),
      ),
    !single &&
      predictions.length > 1 &&
      choice("Prediction", [["", "all"], ...predictions.map((each) => [each, each])], state, "prediction", () =>
        show(),
      ),
    levels
      .filter(([, { names }]) => names.length > 1 && names.length <= 60)
      .map(([factor, { names }]) =>
        choice(factor, optionsOf(names, "all"), (state.levels ??= {}), factor, () => show()),
      ),
  );
  show(true);
  return [controls, hint, table.element, predictions.length > 0 && marginLegend()];
}

function itemRows(suites, prediction) {
  const rows = [];
  for (const suite of suites) {
    const size = itemsOf.get(suite).ids.length;
    const numbers = core.suites[suite].predictions.map((_, number) => number);
    for (const number of numbers.length > 0 ? numbers : [0]) {
      if (prediction !== null && number !== prediction) continue;
      for (let item = 0; item < size; item += 1) rows.push({ suite, prediction: number, item });
    }
  }
  return rows;
}

function itemColumns(suites) {
  const single = suites.length === 1;
  const several = suites.some((suite) => core.suites[suite].predictions.length > 1);
  const id = (row) => itemsOf.get(row.suite).ids[row.item];
  const sentence = (row) => itemsOf.get(row.suite).texts.find((column) => column[row.item])?.[row.item] ?? "";
  const levels = single
    ? Object.entries(itemsOf.get(suites[0]).levels)
        .filter(([, { names }]) => names.length > 1)
        .slice(0, 3)
    : [];
  const names = suites.flatMap((suite) => itemsOf.get(suite).ids);
  const longest = names.reduce((most, name) => Math.max(most, name.length), 6);
  const wider = (number) => extraWidth(suites, number);
  return [
    !single && {
      key: "suite",
      label: "suite",
      width: 190,
      minor: true,
      value: (row) => core.suites[row.suite].name,
      cell: (row) => suiteName(core.suites[row.suite].name),
    },
    !single &&
      several && {
        key: "prediction",
        label: "prediction",
        width: 130,
        minor: true,
        value: predictionName,
        cell: (row) => lines(predictionName(row)),
      },
    {
      key: "item",
      label: "item",
      width: Math.min(150, 24 + 9 * longest),
      narrow: !single && several ? 80 : Math.min(90, 14 + 8 * longest),
      value: id,
      cell: (row) =>
        el(
          "a",
          { href: itemHref(row), tabindex: -1, title: id(row) },
          el("span", { class: "lines" }, id(row)),
          !single && narrowPrediction(core.suites[row.suite], predictionName(row)),
        ),
    },
    {
      key: "sentence",
      label: "sentence (first condition)",
      width: 200,
      grow: true,
      minor: core.models.length > 1, // on a narrow screen, margins come first
      value: sentence,
      cell: sentence,
      // Of one suite, the sentences of all conditions.
      data: single
        ? core.suites[suites[0]].conditions.map(({ name }, index) => [
            name,
            (row) => itemsOf.get(row.suite).texts[index][row.item] ?? null,
          ])
        : null,
    },
    ...levels.map(([factor, { names, codes }]) => ({
      key: `level-${factor}`,
      label: factor,
      width: 110,
      minor: true,
      value: (row) => names[codes[row.item]],
      cell: (row) => names[codes[row.item]],
    })),
    ...(suites.some((suite) => core.suites[suite].predictions.length > 0) ? core.models : []).map((model, number) => ({
      key: `margin-${number}`,
      label: core.models.length > 1 ? model.name : `margin (${unitOf(number)})`,
      model: core.models.length > 1,
      about: `Margin of the prediction in ${unitOf(number)} for ${model.name}`,
      width: 155 + wider(number),
      narrow: 100 + wider(number),
      numeric: true,
      value: (row) => marginOf(row.suite, row.prediction, number, row.item),
      cell: (row) => marginMark(outcome(row.suite, row.prediction, number, row.item), unitOf(number)),
      data: [
        [`${model.short}: margin (${unitOf(number)})`, (row) => plainBits(marginOf(row.suite, row.prediction, number, row.item))],
        [`${model.short}: outcome`, (row) => STATUS[statusOf(row.suite, row.prediction, number, row.item)].name],
      ],
    })),
  ].filter(Boolean);
}

/** Pixels that the margins of a model need beyond those of three digits before the point, so that none is cut. */
function extraWidth(suites, number) {
  let largest = 0;
  for (const suite of suites) {
    for (const models of itemsOf.get(suite).outcomes) {
      const found = models[number];
      for (const margin of found ? (found.margin ?? found.margins[0]) : [])
        if (typeof margin === "number" && Math.abs(margin) > largest) largest = Math.abs(margin);
    }
  }
  return 9 * Math.max(0, String(Math.floor(largest / 1000)).length - 3);
}

/** The name of the prediction of a row; empty where the suite has none. */
function predictionName(row) {
  return core.suites[row.suite].predictions[row.prediction]?.name ?? "";
}

function itemHref({ suite, prediction, item }) {
  return `#/item/${suite}/${prediction}/${item}`;
}

function chosenItems(rows, state, suites) {
  const matches = matcher(state.query);
  const numbers = state.model ? [Number(state.model)] : core.models.map((_, number) => number);
  const wanted = Object.entries(state.levels ?? {}).filter(([, level]) => level);
  const levels = suites.length === 1 ? itemsOf.get(suites[0]).levels : {};
  const suiteFits = new Map(
    suites.map((suite) => {
      const { phenomenon, circuit } = core.suites[suite];
      return [
        suite,
        (!state.phenomenon || phenomenon === state.phenomenon) && (!state.circuit || circuit === state.circuit),
      ];
    }),
  );
  return rows.filter(
    (row) =>
      suiteFits.get(row.suite) &&
      (!state.prediction || predictionName(row) === state.prediction) &&
      wanted.every(([factor, level]) => levels[factor].names[levels[factor].codes[row.item]] === level) &&
      fitsOutcome(row, state.outcome, numbers) &&
      (!matches || matches(searchText(row.suite, row.item))),
  );
}

function fitsOutcome({ suite, prediction, item }, wanted, models) {
  if (!wanted) return true;
  if (wanted === "unknown") return models.some((model) => outcome(suite, prediction, model, item).unknown);
  const found = models.map((model) => statusOf(suite, prediction, model, item)).filter((status) => status !== "-");
  if (wanted === "disagree") return new Set(found).size > 1;
  if (wanted === "none") return found.length > 0 && !found.includes("c");
  return found.includes(wanted);
}
