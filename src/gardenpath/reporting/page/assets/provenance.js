// The origin of the numbers, and how to reproduce them.

function provenanceView() {
  return el(
    "section",
    { "aria-labelledby": "provenance-title", id: "provenance" },
    el("h1", { id: "provenance-title" }, "Provenance"),
    el("h2", {}, "How to reproduce"),
    commandsPart(),
    el("h2", {}, "Contents of this file"),
    el("p", {}, contentsText()),
    el("h2", {}, "Models"),
    core.models.map(modelPart),
    el("h2", {}, "Suites"),
    suitesPart(),
    el("h2", {}, "Runs"),
    core.manifests.map(manifestPart),
    el("h2", {}, "Definitions"),
    facts([
      ["bits", "surprisal: −log2 p of a token given those before it"],
      [
        "margin",
        "number of bits by which a prediction holds (+) or fails (−); & takes the smaller, | the larger of two",
      ],
      [
        "accuracy",
        "share of items for which the prediction holds; a tie counts as broken at random, an invalid item as wrong",
      ],
      ["strict", "accuracy with every tie counted as wrong"],
      ["interval", "95 %, Agresti and Coull; over items and the words they share, for means over suites over suites"],
      ["chance", "probability that the formula holds by chance, computed from the formula"],
      ["p", "exact binomial test against chance, two-sided; not corrected for the number of rows"],
      ["coverage", "share of items whose compared regions have no word unknown to the model"],
    ]),
  );
}

function commandsPart() {
  const text = core.commands.join("\n");
  const button = el(
    "button",
    {
      type: "button",
      onclick: async () => {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
        setTimeout(() => {
          button.textContent = "Copy";
        }, 1500);
      },
    },
    "Copy",
  );
  return el("div", { class: "commands" }, el("pre", {}, el("code", {}, text)), navigator.clipboard ? button : null);
}

function contentsText() {
  const precision = "Bits are stored in thousandths.";
  if (core.share === 1) return `All items of all suites, and all tokens of all sentences for every model. ${precision}`;
  const part = core.share < 0.01 ? "under 1" : Math.floor(100 * core.share);
  return (
    "All items and sentences of all suites with every margin; the tokens would not all fit and are included for " +
    `about ${part} % of the items of each suite: up to half of these are failures, and both kinds are spread evenly ` +
    `over the suite. The other tokens are in tokens.parquet of the runs. ${precision}`
  );
}

function modelPart(model) {
  const decisions = Object.entries(model.decisions).filter(
    ([name]) => !["architecture", "words", "bos"].includes(name) || !model[name],
  );
  return [
    el("h3", {}, model.name),
    facts([
      ["first symbol", model.decisions.bos ?? model.bos],
      ["architecture", model.architecture],
      ["corpus", model.corpus],
      ["words", model.words === null ? null : count(model.words)],
      ["seed", model.seed],
      ["perplexity", model.perplexity === null ? null : decimals(model.perplexity)],
      ...decisions,
      ["fingerprint", model.fingerprint],
    ]),
  ];
}

function suitesPart() {
  const hashes = new Map(
    core.manifests.flatMap((manifest) => manifest.suites.map((suite) => [suite.name, suite.hash ?? ""])),
  );
  const table = new Table({
    label: "Suites",
    columns: [
      {
        key: "name",
        label: "suite",
        width: 230,
        grow: true,
        value: (suite) => suite.name,
        cell: (suite) => el("a", { href: `#/suite/${numberOfSuite(suite.name)}` }, suiteName(suite.name)),
      },
      {
        key: "items",
        label: "items",
        width: 80,
        numeric: true,
        value: (suite) => suite.items,
        cell: (suite) => count(suite.items),
      },
      {
        key: "conditions",
        label: "conditions",
        width: 120,
        numeric: true,
        value: (suite) => suite.conditions.length,
        cell: (suite) => count(suite.conditions.length),
      },
      {
        key: "source",
        label: "source",
        width: 300,
        value: (suite) => suite.source,
        cell: (suite) => suite.source || "–",
      },
      {
        key: "hash",
        label: "hash",
        width: 160,
        value: (suite) => hashes.get(suite.name),
        cell: (suite) => el("code", {}, hashes.get(suite.name) || "–"),
      },
    ],
    state: choices("provenance-suites"),
  });
  table.setRows(core.suites);
  return table.element;
}

function manifestPart(manifest) {
  const flat = (value, prefix = "") =>
    Object.entries(value ?? {}).flatMap(([key, inner]) =>
      inner !== null && typeof inner === "object" && !Array.isArray(inner)
        ? flat(inner, `${prefix}${key}.`)
        : [[`${prefix}${key}`, Array.isArray(inner) ? inner.join(" ") : inner === null ? "–" : String(inner)]],
    );
  // Folders of early versions record options instead of the specification.
  const spec = manifest.spec ?? manifest.options;
  const whole = el("pre", {});
  return [
    el("h3", {}, manifest.folder),
    facts([
      [
        "versions",
        Object.entries(manifest.versions ?? {})
          .map(([name, version]) => `${name} ${version}`)
          .join(" · "),
      ],
      ...flat(spec),
    ]),
    el(
      "details",
      {
        ontoggle: () => {
          whole.textContent = JSON.stringify(manifest, null, 2);
        },
      },
      el("summary", {}, "manifest.json"),
      whole,
    ),
  ];
}
