// One item: the prediction, the comparison that decides it, and every sentence token by token.

async function itemView(number, index, item, model) {
  const suite = core.suites[number];
  const prediction = suite.predictions[index];
  const items = await loadItems(number);
  const readers = suite.models.filter((each) => !prediction || statusOf(number, index, each, item) !== "-");
  const state = choices("item", { model: readers[0] });
  if (model !== null) state.model = model;
  const reader = readers.includes(state.model) ? state.model : readers[0];
  const tokens = await loadTokens(number, reader, item);
  const found = outcome(number, index, reader, item);
  const features = [...Object.entries(items.levels), ...Object.entries(items.fillers)];
  return el(
    "section",
    { "aria-labelledby": "item-title", class: "item" },
    crumbs(["Summary", "#/"], [suite.name, `#/suite/${number}/${index}`], [`item ${items.ids[item]}`]),
    el(
      "div",
      { class: "item-head" },
      el("h1", { id: "item-title" }, `Item ${items.ids[item]}`),
      stepsPart(number, index, item),
    ),
    facts(
      features.map(([name, { names, codes }]) => [name, names[codes[item]]]),
      { inline: true },
    ),
    readersPart(number, index, item, readers, reader),
    suite.predictions.length > 1 && predictionsPart(number, index, item, reader),
    prediction && verdictPart(number, prediction, found, tokens, reader),
    el("h2", {}, answersOf(reader) ? "Sentences" : "Surprisal token by token"),
    el(
      "p",
      { class: "legend" },
      answersOf(reader)
        ? `Words have no surprisal for people. Their margin: ${core.models[reader].decisions.margin}. `
        : `Surprisal in bits for ${core.models[reader].short}; all bars of an item have the same scale. `,
      prediction && [el("span", { class: "compared-key" }, "framed"), ": compared by the prediction. "],
      answersOf(reader) ? null : "A dot before a token: it continues the previous word.",
    ),
    tokens === null
      ? el(
          "p",
          { class: "message" },
          "The tokens of this item are not in this file (see Provenance), but in tokens.parquet of the run.",
        )
      : [
          sentencesPart(number, prediction, tokens),
          tableButtons(`${suite.name}-item-${items.ids[item]}-tokens`, () => tokensData(suite, tokens)),
        ],
  );
}

/** The tokens of all sentences, as files have them. */
function tokensData(suite, tokens) {
  const sentences = suite.conditions.flatMap(({ name }, index) => (tokens[index] ?? []).map((token) => [name, token]));
  const detailed = ["entropy", "rank"].filter((detail) => sentences.some(([, token]) => token[detail] !== undefined));
  return {
    heads: ["condition", "token", "region", "bits", "known", ...detailed],
    rows: sentences.map(([condition, token]) => [
      condition,
      token.text,
      token.region,
      plainBits(token.bits),
      token.unknown ? "no" : "yes",
      ...detailed.map((detail) => (detail === "entropy" ? plainBits(token.entropy) : (token.rank ?? null))),
    ]),
  };
}

/** The previous and the next item, in the order of the last list. */
function neighbours(number, index, item) {
  const same = (row) => row.suite === number && row.prediction === index && row.item === item;
  const here = listed.findIndex(same);
  if (here >= 0) return [listed[here - 1], listed[here + 1]];
  const last = core.suites[number].items - 1;
  const row = (other) => ({ suite: number, prediction: index, item: other });
  return [item > 0 ? row(item - 1) : undefined, item < last ? row(item + 1) : undefined];
}

function stepsPart(number, index, item) {
  const [before, after] = neighbours(number, index, item);
  const link = (row, text, key) =>
    row
      ? el("a", { class: "step", href: itemHref(row), "data-step": key, "aria-keyshortcuts": key }, text)
      : el("span", { class: "step off" }, text);
  return el(
    "nav",
    { class: "steps", "aria-label": "Items" },
    link(before, "← previous", "ArrowLeft"),
    link(after, "next →", "ArrowRight"),
  );
}

/** The margin of every model on this item; choosing a model shows its tokens. */
function readersPart(number, index, item, readers, reader) {
  if (readers.length < 2) return null;
  return el(
    "fieldset",
    { class: "readers" },
    el("legend", {}, "Model"),
    readers.map((each) =>
      el(
        "label",
        {},
        el("input", {
          type: "radio",
          name: "model",
          value: each,
          checked: each === reader,
          onchange: () => {
            choices("item").model = each;
            refresh({ focus: `input[name=model][value="${each}"]` });
          },
        }),
        modelName(core.models[each].name),
        core.suites[number].predictions.length > 0 && marginMark(outcome(number, index, each, item), unitOf(each)),
      ),
    ),
  );
}

function predictionsPart(number, index, item, reader) {
  return el(
    "nav",
    { class: "predictions", "aria-label": "Predictions" },
    core.suites[number].predictions.map((each, other) =>
      el(
        "a",
        { href: itemHref({ suite: number, prediction: other, item }), "aria-current": other === index ? "true" : null },
        each.name,
        " ",
        marginMark(outcome(number, other, reader, item), unitOf(reader)),
      ),
    ),
  );
}

const VERDICT = {
  c: "holds",
  w: "fails",
  t: "is a tie",
  i: "cannot be evaluated: a surprisal is missing or infinite",
};

/** Whether the prediction holds, and every comparison with both sides and its margin. */
function verdictPart(number, prediction, found, tokens, reader) {
  const name = STATUS[found.status].name;
  const size = typeof found.margin === "number" && found.margin !== 0 ? bits(Math.abs(found.margin)) : null;
  const by = size === null ? "" : ` by ${size} ${unitOf(reader)}`;
  const share = found.credit ?? { c: 1, w: 0, t: 0.5 }[found.status];
  const chosen = answersOf(reader) === "choice" ? ` ${percent(share)} % of the choices are right.` : "";
  const rows = prediction.comparisons.map((comparison, index) =>
    comparisonRow(number, comparison, found.margins[index], tokens, {
      decides: prediction.comparisons.length > 1 && found.margins[index] === found.margin,
    }),
  );
  return el(
    "div",
    { class: `verdict ${name}` },
    el(
      "p",
      { class: "judged" },
      statusMark(found.status),
      " The prediction ",
      el("i", {}, prediction.name),
      ` ${VERDICT[found.status]}${by}.${chosen}`,
    ),
    formulaPart(prediction),
    el(
      "div",
      { class: "frame" },
      el(
        "table",
        { class: "plain comparisons" },
        el("caption", {}, requirement(prediction.tree)),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ["", "left side", "", "right side", "margin"].map((head) => el("th", { scope: "col" }, head)),
          ),
        ),
        el("tbody", {}, rows),
      ),
    ),
    tableButtons(`${prediction.name}-comparisons`, () => comparisonsData(number, prediction, found, tokens)),
  );
}

/** Every comparison of a prediction, as files have them. */
function comparisonsData(number, prediction, found, tokens) {
  const side = (terms) => {
    const sum = sideBits(number, terms, tokens);
    return Number.isNaN(sum) ? null : sum / 1000;
  };
  return {
    heads: ["comparison", "left", "right", "margin", "outcome"],
    rows: prediction.comparisons.map((comparison, index) => [
      comparison.text,
      side(comparison.left),
      side(comparison.right),
      plainBits(found.margins[index]),
      STATUS[comparisonStatus(comparison, found.margins[index])].name,
    ]),
  };
}

/** Which of the comparisons must hold. */
function requirement(tree) {
  if (!Array.isArray(tree)) return "The comparison";
  const words = (node, nested) => {
    if (!Array.isArray(node)) return `${node + 1}`;
    const inner = node
      .slice(1)
      .map((each) => words(each, true))
      .join(node[0] === "&" ? " and " : " or ");
    return nested ? `(${inner})` : inner;
  };
  const flat = tree.slice(1).every((each) => !Array.isArray(each));
  if (flat)
    return tree[0] === "&"
      ? "All of these must hold; the smallest margin decides"
      : "One of these must hold; the largest margin decides";
  return `Must hold: ${words(tree, false)}`;
}

/** The status of one comparison from the sign of its margin; only < and > can be tied. */
function comparisonStatus(comparison, margin) {
  if (typeof margin !== "number") return "i";
  const strict = comparison.operator === "<" || comparison.operator === ">";
  if (margin === 0) return strict ? "t" : "c";
  return margin > 0 ? "c" : "w";
}

function comparisonRow(number, comparison, margin, tokens, { decides }) {
  const status = comparisonStatus(comparison, margin);
  const [left, right] = [comparison.left, comparison.right].map((side) => sideBits(number, side, tokens));
  const again = comparison.operator.startsWith(">") ? left - right : right - left;
  const terms = comparison.left.terms.length + comparison.right.terms.length;
  // Sums that do not give the margin (normalised by length, or with missing surprisals) would mislead.
  const shown = comparison.operator === "=" || Math.abs(again - margin) <= 20 + 10 * terms;
  const sum = (value) => (shown && Number.isFinite(value) ? el("span", { class: "sum" }, `${bits(value)} bits`) : null);
  return el(
    "tr",
    { class: STATUS[status].name },
    el("td", {}, statusMark(status)),
    el("td", {}, sidePart(comparison.left), " ", sum(left)),
    el("td", { class: "operator" }, comparison.operator.replace("<=", "≤").replace(">=", "≥")),
    el("td", {}, sidePart(comparison.right), " ", sum(right)),
    el("td", {}, marginMark({ status, margin }), decides ? el("span", { class: "decides" }, "decides") : null),
  );
}

/** The bits of one side of a comparison, in thousandths; NaN where a token is missing. */
function sideBits(number, side, tokens) {
  if (tokens === null) return NaN;
  const { conditions } = core.suites[number];
  let total = 1000 * side.constant;
  for (const [region, condition, weight] of side.terms) {
    const sentence = tokens[conditions.findIndex((each) => each.name === condition)];
    if (!sentence) return NaN;
    for (const token of sentence) {
      if (region !== "*" && token.region !== region) continue;
      if (typeof token.bits !== "number") return NaN;
      total += weight * token.bits;
    }
  }
  return total;
}

/** One side of a comparison, a region and its condition for each term; long sums are cut short. */
function sidePart({ terms, constant }) {
  const sign = (weight, index) => {
    const times = Math.abs(weight) === 1 ? "" : `${Math.abs(weight)} × `;
    return (weight < 0 ? "− " : index > 0 ? "+ " : "") + times;
  };
  const parts = terms
    .slice(0, 6)
    .map(([region, condition, weight], index) => [
      sign(weight, index),
      el(
        "span",
        { class: "term" },
        el("span", { class: "region" }, region === "*" ? "whole sentence" : region),
        el("span", { class: "condition" }, " in ", condition),
      ),
      " ",
    ]);
  const more = terms.length > 6 ? [el("span", { class: "more" }, `+ … (${terms.length} regions)`)] : [];
  const number =
    constant !== 0 || terms.length === 0
      ? [`${constant < 0 ? "−" : terms.length ? "+" : ""} ${Math.abs(constant)}`]
      : [];
  return [...parts, ...more, ...number];
}
