// Marks beside numbers. Every colour comes with a sign or a word, so that none is needed to read them.

/** Whether the interval of an accuracy lies above or below chance. */
function versusChance(row) {
  if (row.chance === null || row.low === null) return { kind: "unsure", sign: "", words: "" };
  if (row.low > row.chance) return { kind: "above", sign: "▲", words: "above chance" };
  if (row.high < row.chance) return { kind: "below", sign: "▼", words: "below chance" };
  return { kind: "unsure", sign: "○", words: "not significantly different from chance" };
}

/** Accuracy with its interval on a scale from 0 to 1, and a tick at chance. */
function accuracyMark(row) {
  if (!row || row.accuracy === null || row.accuracy === undefined) return el("span", { class: "absent" }, "–");
  const verdict = versusChance(row);
  const chance = row.chance === null || row.chance === undefined ? null : row.chance;
  const words =
    `accuracy ${percent(row.accuracy)} %, 95 % interval ${percent(row.low)}–${percent(row.high)}` +
    (chance === null ? "" : `, chance ${percent(chance)}${verdict.words && `: ${verdict.words}`}`);
  const at = (share) => `${100 * share}%`;
  return el(
    "span",
    { class: `accuracy ${verdict.kind}`, title: words },
    el(
      "span",
      { class: "value" },
      percent(row.accuracy),
      el("span", { class: "sign", "aria-label": verdict.words }, verdict.sign),
    ),
    el(
      "span",
      { class: "scale", "aria-hidden": true },
      el("span", { class: "interval", style: { left: at(row.low), width: at(row.high - row.low) } }),
      chance === null ? null : el("span", { class: "chance", style: { left: at(chance) } }),
      el("span", { class: "point", style: { left: at(row.accuracy) } }),
    ),
  );
}

/** A published accuracy, which has no interval. */
function publishedMark(accuracy) {
  return el(
    "span",
    { class: "accuracy" },
    el("span", { class: "value" }, percent(accuracy), el("span", { class: "sign" })),
    el(
      "span",
      { class: "scale", "aria-hidden": true },
      el("span", { class: "point", style: { left: `${100 * accuracy}%` } }),
    ),
  );
}

/** Bits at which the bar of a margin is full. */
const FULL = 10_000;

function statusMark(status) {
  const { name, sign } = STATUS[status];
  return el("span", { class: `status ${name.replace(" ", "-")}`, title: name, "aria-label": name, role: "img" }, sign);
}

/** A margin: its status, its size, and a bar to the right where it is positive. */
function marginMark({ status, margin, unknown = false }, unit = "bits") {
  if (status === "-") return el("span", { class: "absent" }, "–");
  const size = typeof margin === "number" ? Math.min(1, Math.abs(margin) / FULL) : 0;
  const side = margin < 0 ? { right: "50%" } : { left: "50%" };
  const name = STATUS[status].name;
  const more = unknown ? "; a compared word is unknown to the model" : "";
  return el(
    "span",
    { class: `margin ${name}`, title: `${name}: ${signedBits(margin)} ${unit}${more}` },
    statusMark(status),
    el(
      "span",
      { class: "value" },
      margin === null ? "–" : signedBits(margin),
      unknown ? el("sup", { "aria-label": "unknown word" }, "u") : null,
    ),
    el(
      "span",
      { class: "scale", "aria-hidden": true },
      el("span", { class: "bar", style: { width: `${50 * size}%`, ...side } }),
    ),
  );
}

/** The legend of accuracies. */
function accuracyLegend() {
  return el(
    "p",
    { class: "legend" },
    el("span", { class: "above" }, "▲"),
    " interval above chance · ",
    el("span", { class: "below" }, "▼"),
    " below chance · ",
    el("span", { class: "unsure" }, "○"),
    " chance lies in the interval · bar: 95 % interval · tick: chance",
  );
}

function marginLegend() {
  return el(
    "p",
    { class: "legend" },
    ["c", "w", "t", "i"].map((status) => [statusMark(status), ` ${STATUS[status].name} · `]),
    "margin: number of bits by which the prediction holds (+) or fails (−) · ",
    el("sup", {}, "u"),
    " a compared word is unknown to the model",
  );
}
