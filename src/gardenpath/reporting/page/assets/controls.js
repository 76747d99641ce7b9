// What a reader chooses by: a search box, lists of choices. A view's choices are remembered while the page is open, so
// that going back finds them as they were.

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

/** A list to choose from: options are [value, label] pairs. */
function choice(label, options, state, key, onChange) {
  const select = el(
    "select",
    {
      "aria-label": label, // the label around it would be read out with all its options
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

/** Whether a text holds every word that is searched for. */
function matcher(query) {
  const words = (query ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? null : (text) => words.every((word) => text.includes(word));
}

/** Different values as options, after one for all of them. */
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

/** The folder that all of some names are in; nothing where they are in several. */
function sharedFolder(names) {
  const folder = names[0].slice(0, names[0].lastIndexOf("/") + 1);
  return names.length > 1 && names.every((name) => name.startsWith(folder)) ? folder : "";
}

/** A name like a path: where there is no room, its folder gives way and not what tells it from others. */
function pathName(name, shared = "") {
  const own = name.slice(shared.length);
  const cut = own.lastIndexOf("/") + 1;
  return el(
    "span",
    { class: "path", title: name },
    cut > 0 ? el("span", { class: "folder" }, own.slice(0, cut)) : null,
    el("span", { class: "leaf" }, own.slice(cut)),
  );
}

const suiteName = (name) => pathName(name, sharedFolder(core.suites.map((suite) => suite.name)));

/** The way from the summary to here. */
function crumbs(...steps) {
  const links = steps.map(([text, href], place) =>
    el(
      "li",
      {},
      href ? el("a", { href }, text) : el("span", { "aria-current": place === steps.length - 1 ? "page" : null }, text),
    ),
  );
  return el("nav", { class: "crumbs", "aria-label": "You are here" }, el("ol", {}, links));
}
