// Sentences token by token: a bar for the surprisal of each token, with the regions below.

/** The sentence of every condition; compared regions are framed. */
function sentencesPart(number, prediction, tokens) {
  const suite = core.suites[number];
  const compared = new Set(
    (prediction?.comparisons ?? [])
      .flatMap(({ left, right }) => [...left.terms, ...right.terms])
      .map(([region, condition]) => `${condition}\n${region}`),
  );
  const surprisals = tokens.flat().map((token) => (typeof token?.bits === "number" ? token.bits : 0));
  const scale = Math.max(1000, ...surprisals);
  // Sentences of people have no surprisal at all.
  const silent = tokens.flat().every((token) => token?.bits === null) ? " silent" : "";
  return suite.conditions.map((condition, index) => {
    const sentence = tokens[index];
    if (!sentence) return null;
    const total = sentence.every((token) => typeof token.bits === "number")
      ? bits(
          sentence.reduce((sum, token) => sum + token.bits, 0),
          1,
        )
      : "–";
    const whole = compared.has(`${condition.name}\n*`);
    return el(
      "div",
      { class: `condition-row${silent}` },
      el(
        "h3",
        {},
        condition.mark ? el("span", { class: "mark", title: MARKED[condition.mark] }, condition.mark) : null,
        condition.name,
        el("span", { class: "total" }, `${total} bits`),
      ),
      el(
        "div",
        { class: `sentence${whole ? " compared" : ""}`, role: "group", "aria-label": `Sentence of ${condition.name}` },
        regionsOf(sentence).map(([region, own]) =>
          regionPart(region, own, scale, compared.has(`${condition.name}\n${region}`)),
        ),
      ),
      tokenDetailsPart(sentence),
    );
  });
}

/** Group adjacent tokens of one region. */
function regionsOf(sentence) {
  const groups = [];
  for (const token of sentence) {
    if (groups.length === 0 || groups.at(-1)[0] !== token.region) groups.push([token.region, []]);
    groups.at(-1)[1].push(token);
  }
  return groups;
}

function regionPart(region, tokens, scale, compared) {
  const known = tokens.every((token) => typeof token.bits === "number");
  const sum = known
    ? `${bits(
        tokens.reduce((total, token) => total + token.bits, 0),
        1,
      )}`
    : "–";
  return el(
    "span",
    { class: `region-group${compared ? " compared" : ""}${region ? "" : " nameless"}` },
    el(
      "span",
      { class: "tokens" },
      tokens.map((token) => tokenPart(token, scale)),
    ),
    region
      ? el(
          "span",
          { class: "region-name" },
          region,
          tokens.length > 1 || compared ? el("span", { class: "sum" }, sum) : null,
        )
      : null,
  );
}

function tokenPart(token, scale) {
  const share = typeof token.bits === "number" ? Math.max(0, token.bits / scale) : token.bits === "inf" ? 1 : 0;
  const where = token.region ? `, region ${token.region}` : "";
  const unknown = token.unknown ? "; unknown to the model" : "";
  const rank = typeof token.rank === "number" ? `, rank ${count(token.rank)}` : "";
  const words = `${token.text || "end of sentence"}: ${bits(token.bits)} bits${rank}${where}${unknown}`;
  return el(
    "span",
    { class: `token${token.unknown ? " unknown" : ""}${token.joined ? " joined" : ""}`, title: words },
    el(
      "span",
      { class: "column", "aria-hidden": true },
      el("span", { class: "bar", style: { height: `${100 * share}%` } }),
    ),
    el("span", { class: "text" }, token.text || "⏎"),
    el("span", { class: "bits" }, typeof token.bits === "number" ? bits(token.bits, 1) : bits(token.bits)),
  );
}
