// What the page is about. Data lies in the file as compressed text and is unpacked when it is first needed: the
// summary at once, a suite's items when they are listed, its tokens when an item is opened.

const unpacked = new Map();

/** The data of a name; asked for twice, it is unpacked once. */
function load(name) {
  if (!unpacked.has(name)) unpacked.set(name, unpack(document.getElementById(`data-${name}`).textContent));
  return unpacked.get(name);
}

async function unpack(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let place = 0; place < binary.length; place += 1) bytes[place] = binary.charCodeAt(place);
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(plain).text());
}

/** Summary, suites, models: filled before anything is shown. */
let core = null;

const STATUS = {
  c: { name: "correct", sign: "✓" },
  w: { name: "wrong", sign: "✗" },
  t: { name: "tie", sign: "=" },
  i: { name: "invalid", sign: "!" },
  "-": { name: "not run", sign: "·" },
};

const itemsOf = new Map();

/** The items of a suite, ready to be asked for outcomes. */
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

/** What came of an item: status, margin of the whole, margin of each comparison. */
function outcome(suite, prediction, model, item) {
  const found = itemsOf.get(suite).outcomes[prediction][model];
  if (!found || found.status[item] === "-") return NOT_RUN;
  return {
    status: found.status[item],
    margin: (found.margin ?? found.margins[0])[item],
    margins: found.margins.map((column) => column[item]),
    unknown: found.unknown.has(item),
  };
}

/** The margin alone, for sorting and filtering many. */
function marginOf(suite, prediction, model, item) {
  const found = itemsOf.get(suite).outcomes[prediction][model];
  return found ? (found.margin ?? found.margins[0])[item] : null;
}

function statusOf(suite, prediction, model, item) {
  const found = itemsOf.get(suite).outcomes[prediction][model];
  return found ? found.status[item] : "-";
}

/** All that a search in an item looks at, in small letters; made once. */
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

/** The tokens of an item in one model, by condition; null where a sentence was not read or not kept. */
async function loadTokens(suite, model, item) {
  const data = await load(`tokens-${suite}`);
  const columns = data.models[model];
  const place = data.kept === null ? item : data.kept.indexOf(item);
  if (!columns || place < 0) return null;
  // Where each sentence begins is counted up once, when the suite is first looked into.
  columns.begins ??= columns.lengths.reduce((begins, length) => (begins.push(begins.at(-1) + length), begins), [0]);
  columns.unknownSet ??= new Set(columns.unknown);
  const { conditions, regions } = core.suites[suite];
  const { texts } = itemsOf.get(suite);
  return conditions.map((_, condition) => {
    const cell = place * conditions.length + condition;
    if (columns.lengths[cell] === 0) return null;
    const characters = [...texts[condition][item]];
    let end = 0;
    return Array.from({ length: columns.lengths[cell] }, (_, offset) => {
      const row = columns.begins[cell] + offset;
      const start = end + columns.gaps[row];
      end = start + columns.sizes[row];
      return {
        text: characters.slice(start, end).join(""),
        bits: columns.bits[row],
        region: regions[columns.regions[row]],
        unknown: columns.unknownSet.has(row),
        // A piece of a word; punctuation needs no sign that it follows without a blank.
        joined: offset > 0 && columns.gaps[row] <= 0 && /^[\p{L}\p{N}]/u.test(characters[start] ?? ""),
      };
    });
  });
}

/** Rows of a table that came as columns. */
function rowsOf(columns) {
  const names = Object.keys(columns);
  return columns[names[0]].map((_, row) => Object.fromEntries(names.map((name) => [name, columns[name][row]])));
}
