// What a run has of every token beside its bits: entropy, rank, the likeliest tokens, bits after each layer.

/** A table of the tokens of a sentence, folded; nothing where the run has bits alone. */
function tokenDetailsPart(sentence) {
  const columns = [
    ["entropy", "entropy", (token) => bits(token.entropy ?? null), "numeric"],
    ["rank", "rank", (token) => count(token.rank), "numeric"],
    ["top", "likeliest tokens, with their bits", topPart, ""],
    ["layers", "bits after each layer", layersPart, ""],
  ].filter(([name]) => sentence.some((token) => token[name] !== undefined && token[name] !== null));
  if (columns.length === 0) return null;
  return el(
    "details",
    { class: "token-details" },
    el("summary", {}, `More of each token: ${columns.map(([, head]) => head).join("; ")}`),
    el(
      "div",
      { class: "frame" },
      el(
        "table",
        { class: "plain" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, "token"),
            el("th", { scope: "col", class: "numeric" }, "bits"),
            columns.map(([, head, , kind]) => el("th", { scope: "col", class: kind }, head)),
          ),
        ),
        el(
          "tbody",
          {},
          sentence.map((token) =>
            el(
              "tr",
              {},
              el("th", { scope: "row", class: "spelled" }, token.text || "⏎"),
              el("td", { class: "numeric" }, bits(token.bits)),
              columns.map(([name, , show, kind]) =>
                el("td", { class: kind }, (token[name] ?? null) === null ? "–" : show(token)),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/** The likeliest tokens; the one that was read is marked. Spaces are shown, since some tokens differ in them alone. */
function topPart(token) {
  return token.top.map(([text, own], index) =>
    el(
      "span",
      { class: `alternative${token.rank === index + 1 ? " own" : ""}` },
      el("span", { class: "spelled" }, text.replaceAll(" ", "␣").replaceAll("\n", "⏎") || "∅"),
      ` ${bits(own, 1)}`,
    ),
  );
}

/** A bar for every layer, from the first to the last. */
function layersPart(token) {
  const largest = Math.max(1, ...token.layers.filter((own) => typeof own === "number"));
  const words = token.layers.map((own, index) => `layer ${index + 1}: ${bits(own)} bits`).join("\n");
  return el(
    "span",
    { class: "layers", role: "img", "aria-label": words, title: words },
    token.layers.map((own) =>
      el("span", { style: { height: `${typeof own === "number" ? (100 * own) / largest : 100}%` } }),
    ),
  );
}
