// Search boxes and filters. The choices of a view are remembered while the page is open.

const remembered = new Map();

/** The choices made in a view. */
function choices(key, first = {}) {
  if (!remembered.has(key)) remembered.set(key, { ...first });
  return remembered.get(key);
}

function searchBox(label, state, onChange) {
  const input = el("input", {
    type: "search",
    placeholder: `${label}  ( / )`,
    "aria-label": label,
    "aria-keyshortcuts": "/",
    spellcheck: "false",
    autocomplete: "off",
    oninput: () => {
      state.query = input.value;
      onChange();
    },
  });
  input.value = state.query ?? "";
  return input;
}

/** A drop-down list; options are [value, label] pairs. */
function choice(label, options, state, key, onChange) {
  const select = el(
    "select",
    {
      "aria-label": label, // else screen readers would read the label with all options
      onchange: () => {
        state[key] = select.value;
        onChange();
      },
    },
    options.map(([value, text]) => el("option", { value }, text)),
  );
  if (options.some(([value]) => String(value) === String(state[key]))) select.value = state[key];
  else state[key] = select.value;
  return el("label", { class: "choice" }, el("span", {}, label), select);
}

/** A test whether a text contains every word of a query. */
function matcher(query) {
  const words = (query ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? null : (text) => words.every((word) => text.includes(word));
}

/** The distinct values as options, after one for all. */
function optionsOf(values, all) {
  const names = [...new Set(values)].filter(Boolean).sort(collator.compare);
  return [["", all], ...names.map((name) => [name, name])];
}

function facts(pairs, { inline = false } = {}) {
  const kept = pairs.filter(([, value]) => value !== "" && value !== null && value !== undefined);
  if (kept.length === 0) return null;
  return el(
    "dl",
    { class: inline ? "facts inline" : "facts" },
    kept.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
  );
}

/** The folder that all names share; empty where there are several. */
function sharedFolder(names) {
  const folder = names[0].slice(0, names[0].lastIndexOf("/") + 1);
  return names.length > 1 && names.every((name) => name.startsWith(folder)) ? folder : "";
}

/** A name like a path, whose folder is cut off first where space is short. */
function pathName(name, shared = "") {
  return el("span", { class: "path", title: name }, pathParts(name.slice(shared.length)));
}

function pathParts(name) {
  const cut = name.lastIndexOf("/") + 1;
  return [
    cut > 0 ? el("span", { class: "folder" }, name.slice(0, cut)) : null,
    el("span", { class: "leaf" }, name.slice(cut)),
  ];
}

const modelNumber = new Map();

/** The short name of a model, with the whole one as its title. */
function modelName(name) {
  const short = shortModel(name);
  return el("span", { class: "path", title: short === name ? null : name }, pathParts(short));
}

function shortModel(name) {
  if (modelNumber.size === 0) core.models.forEach((model, number) => modelNumber.set(model.name, number));
  return core.models[modelNumber.get(name)]?.short ?? name;
}

/** The name of a suite; on a narrow screen without its folder, unless another suite has the same last part. */
function suiteName(name) {
  const names = core.suites.map((suite) => suite.name);
  const leaf = (path) => path.slice(path.lastIndexOf("/") + 1);
  const shown = pathName(name, sharedFolder(names));
  if (names.some((other) => other !== name && leaf(other) === leaf(name)))
    shown.querySelector(".folder")?.classList.add("needed");
  return shown;
}

/** The prediction of a row, on a narrow screen only, where its column is out of view; of a suite with several. */
const narrowPrediction = (suite, name) =>
  suite.predictions.length > 1 && el("span", { class: "narrow-prediction" }, name);

/** A text that has two lines where one is too short. */
const lines = (text) => (text ? el("span", { class: "lines", title: text }, text) : "–");

/** The path from the summary to this view. */
function crumbs(...steps) {
  const links = steps.map(([text, href], index) =>
    el(
      "li",
      {},
      href ? el("a", { href }, text) : el("span", { "aria-current": index === steps.length - 1 ? "page" : null }, text),
    ),
  );
  return el("nav", { class: "crumbs", "aria-label": "You are here" }, el("ol", {}, links));
}
