// Elements and texts. Names come from suites and models that anyone may have written, so they are only set as text:
// nothing in these files uses innerHTML.

/** Create an element with attributes, styles (object), listeners (`onclick`) and children: nodes, texts or nothing. */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "style") Object.assign(element.style, value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

const counted = new Intl.NumberFormat("en");
/** Sorts item 9 before item 10. */
const collator = new Intl.Collator("en", { numeric: true });

const count = (number) => (number === null || number === undefined ? "–" : counted.format(number));
const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
const percent = (share) => (share === null || share === undefined ? "–" : (100 * share).toFixed(1));
const decimals = (number, digits = 2) => (number === null || number === undefined ? "–" : number.toFixed(digits));

/** Format bits given in thousandths, with a minus sign. */
function bits(thousandths, digits = 2) {
  if (thousandths === null || thousandths === undefined) return "missing";
  if (thousandths === "inf") return "∞";
  if (thousandths === "-inf") return "−∞";
  return (thousandths / 1000).toFixed(digits).replace("-", "−");
}

/** Bits given in thousandths, as files have them. */
const plainBits = (thousandths) => (typeof thousandths === "number" ? thousandths / 1000 : (thousandths ?? null));

/** Format a difference in bits with its sign, which even a very small one keeps. */
function signedBits(thousandths) {
  if (typeof thousandths !== "number") return bits(thousandths);
  if (thousandths !== 0 && Math.abs(thousandths) < 5) return thousandths > 0 ? "+0.00…" : "−0.00…";
  return (thousandths > 0 ? "+" : "") + bits(thousandths);
}

function probability(p) {
  if (p === null || p === undefined) return "–";
  return p < 0.001 ? "< .001" : p.toFixed(3).replace(/^0/, "");
}
