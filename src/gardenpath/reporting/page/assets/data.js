// The data of the page, which the file holds as compressed text. It is unpacked when it is first needed: the summary at
// once, the items of a suite when they are listed, its tokens when an item is opened.

const unpacked = new Map();

/** The data of a name, unpacked once. */
function load(name) {
  if (!unpacked.has(name)) unpacked.set(name, unpack(document.getElementById(`data-${name}`).textContent));
  return unpacked.get(name);
}

async function unpack(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(plain).text());
}

/** Summary, suites and models, loaded before anything is shown. */
let core = null;

const STATUS = {
  c: { name: "correct", sign: "✓" },
  w: { name: "wrong", sign: "✗" },
  t: { name: "tie", sign: "=" },
  i: { name: "invalid", sign: "!" },
  "-": { name: "not run", sign: "·" },
};

const itemsOf = new Map();

/** The items of a suite with their outcomes. */
async function loadItems(suite) {
  if (!itemsOf.has(suite)) {
    const items = await load(`items-${suite}`);
    for (const models of items.outcomes) {
      for (const found of Object.values(models)) found.unknown = new Set(found.unknown);
    }
    items.search = items.ids.map(() => null);
    itemsOf.set(suite, items);
  }
  return itemsOf.get(suite);
}

const NOT_RUN = { status: "-", margin: null, margins: [], unknown: false };

/** The outcome of an item: status, margin, and the margin of each comparison. */
function outcome(suite, prediction, model, item) {
  const found = itemsOf.get(suite).outcomes[prediction]?.[model];
  if (!found || found.status[item] === "-") return NOT_RUN;
  return {
    status: found.status[item],
    margin: (found.margin ?? found.margins[0])[item],
    margins: found.margins.map((column) => column[item]),
    unknown: found.unknown.has(item),
    credit: found.credit?.[item] ?? null,
  };
}

/** What margins are measured in: bits, but for people who rated sentences or read them. */
function unitOf(model) {
  return { rating: "standard deviations", words: "ms" }[core.models[model].decisions.answers] ?? "bits";
}

/** What people did, where a model is people; undefined of other models. */
const answersOf = (model) => core.models[model].decisions.answers;

/** The margin alone, for sorting and filtering. */
function marginOf(suite, prediction, model, item) {
  const found = itemsOf.get(suite).outcomes[prediction]?.[model];
  return found ? (found.margin ?? found.margins[0])[item] : null;
}

function statusOf(suite, prediction, model, item) {
  const found = itemsOf.get(suite).outcomes[prediction]?.[model];
  return found ? found.status[item] : "-";
}

/** The text of an item that is searched, in lower case; built once. */
function searchText(suite, item) {
  const items = itemsOf.get(suite);
  if (items.search[item] === null) {
    const texts = items.texts.map((column) => column[item] ?? "");
    const features = [...Object.values(items.levels), ...Object.values(items.fillers)];
    const words = features.map((column) => column.names[column.codes[item]]);
    items.search[item] = [core.suites[suite].name, items.ids[item], ...texts, ...words].join("\n").toLowerCase();
  }
  return items.search[item];
}

/** The tokens of an item for one model, by condition; null where a sentence was not scored or not kept. */
async function loadTokens(suite, model, item) {
  const data = await load(`tokens-${suite}`);
  const columns = data.models[model];
  const row = data.kept === null ? item : data.kept.indexOf(item);
  if (!columns || row < 0) return null;
  // The start of each sentence is computed once.
  columns.starts ??= columns.lengths.reduce((starts, length) => (starts.push(starts.at(-1) + length), starts), [0]);
  columns.unknownSet ??= new Set(columns.unknown);
  const { conditions, regions } = core.suites[suite];
  const { texts } = itemsOf.get(suite);
  return conditions.map((_, condition) => {
    const sentence = row * conditions.length + condition;
    if (columns.lengths[sentence] === 0) return null;
    const characters = [...texts[condition][item]];
    let end = 0;
    return Array.from({ length: columns.lengths[sentence] }, (_, offset) => {
      const token = columns.starts[sentence] + offset;
      const start = end + columns.gaps[token];
      end = start + columns.sizes[token];
      return {
        text: characters.slice(start, end).join(""),
        bits: columns.bits[token],
        // What only some runs have.
        entropy: columns.entropy?.[token],
        rank: columns.rank?.[token],
        top: columns.top?.[token],
        layers: columns.layers?.[token],
        region: regions[columns.regions[token]],
        unknown: columns.unknownSet.has(token),
        // A piece of a word; punctuation needs no sign that it follows without a space.
        joined: offset > 0 && columns.gaps[token] <= 0 && /^[\p{L}\p{N}]/u.test(characters[start] ?? ""),
      };
    });
  });
}

/** The rows of a table of columns. */
function rowsOf(columns) {
  const names = Object.keys(columns);
  return columns[names[0]].map((_, row) => Object.fromEntries(names.map((name) => [name, columns[name][row]])));
}
