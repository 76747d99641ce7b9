// Files that the page offers: tables as CSV, Markdown and LaTeX, figures as PNG and SVG. All are made in the page, which
// loads nothing.

const KINDS = {
  png: { label: "PNG", type: "image/png" },
  svg: { label: "SVG", type: "image/svg+xml" },
  csv: { label: "CSV", type: "text/csv" },
  md: { label: "Markdown", type: "text/markdown" },
  tex: { label: "LaTeX", type: "application/x-tex" },
};
/** Pixels of a PNG for each pixel of a figure: 200 per inch, as the figures in files. */
const SHARPNESS = 200 / 72;
/** Browsers draw no picture with longer sides. */
const LONGEST = 12_000;

/** Offer a file for saving. */
function save(name, kind, content) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: KINDS[kind].type }));
  el("a", { href: url, download: `${fileName(name)}.${kind}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A name that any file system accepts. */
const fileName = (name) => name.replace(/[^\p{L}\p{N}._]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 100) || "table";

/** A button for each kind of file; `files` has a function for each that makes it. */
function downloadButtons(name, files) {
  return el(
    "div",
    { class: "downloads", role: "group", "aria-label": `Download ${name}` },
    el("span", { "aria-hidden": true }, "Download"),
    Object.entries(files).map(([kind, make]) =>
      el(
        "button",
        { type: "button", "data-kind": kind, onclick: async () => save(name, kind, await make()) },
        KINDS[kind].label,
      ),
    ),
  );
}

/** The buttons of a table; `data` makes its { heads, rows }: texts, numbers or null. */
function tableButtons(name, data) {
  return downloadButtons(name, {
    csv: () => toCsv(data()),
    md: () => toMarkdown(data()),
    tex: () => toLatex(data()),
  });
}

/** The buttons of a figure or of the table of an analysis, with the files of its numbers that the page holds. */
function partButtons(index, figure) {
  const { name, kind, printed } = core.figures[index];
  const file = async (extension) => (await load(`files-${index}`))[extension];
  const svg = figure.querySelector(".picture > svg");
  return downloadButtons(name, {
    ...(kind === "figure" && { png: () => pictureImage(svg), svg: () => pictureOf(svg).text }),
    csv: () => file("csv"),
    ...(printed && { md: () => file("md"), tex: () => file("tex") }),
  });
}

/** CSV with numbers in full; texts that a spreadsheet would take for formulas have an apostrophe. */
function toCsv({ heads, rows }) {
  const cell = (value) => {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    const text = String(value).replace(/^(?=[=+\-@\t\r])/, "'");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [heads, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

/** The columns of accuracies, and those beside them that are shares too; as in files that Python writes. */
const ACCURACY_HEAD = /^(strict_)?accuracy(_.*)?$/;
const SHARE_HEAD = /^(low|high|difference|strict|chance|coverage(_.*)?|published)$/;
/** The columns of p values. */
const PROBABILITY_HEAD = /^p(_|$)/;

/** Rows as people read them: shares beside accuracies in per cent, other numbers with three decimals or whole. */
function readableRows({ heads, rows }) {
  const accuracies = heads.some((head) => ACCURACY_HEAD.test(head));
  const shares = heads.map((head) => accuracies && (ACCURACY_HEAD.test(head) || SHARE_HEAD.test(head)));
  const fractions = heads.map((_, column) =>
    rows.some((row) => typeof row[column] === "number" && !Number.isInteger(row[column])),
  );
  const readable = (value, column) => {
    if (value === null || value === undefined) return "–";
    if (typeof value !== "number") return String(value).replace(/\s+/g, " ");
    if (shares[column]) return percent(value);
    if (PROBABILITY_HEAD.test(heads[column])) return probability(value);
    return fractions[column] ? value.toFixed(3) : String(value);
  };
  return rows.map((row) => row.map(readable));
}

const readableHead = (head) => head.replaceAll("_", " ");

function toMarkdown({ heads, rows }) {
  const escaped = (text) =>
    text.replace(/[\\|*_`[\]~$#]/g, "\\$&").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const line = (cells) => `| ${cells.join(" | ")} |\n`;
  const rules = numericColumns(heads, rows).map((numeric) => (numeric ? "---:" : "---"));
  const body = readableRows({ heads, rows }).map((row) => line(row.map(escaped)));
  return [line(heads.map(readableHead).map(escaped)), line(rules), ...body].join("");
}

const LATEX = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "$<$",
  ">": "$>$",
  "−": "$-$",
  "–": "--",
  "·": "$\\cdot$",
  "∞": "$\\infty$",
};

function toLatex({ heads, rows }) {
  const escaped = (text) =>
    text.replace(/[\\~^<>−–·∞]|[{}$&#_%]/g, (mark) => LATEX[mark] ?? `\\${mark}`).replace(/^-(?=[\d.])/, "$-$");
  const line = (cells) => `${cells.map(escaped).join(" & ")} \\\\\n`;
  const columns = numericColumns(heads, rows).map((numeric) => (numeric ? "r" : "l"));
  return [
    "% needs \\usepackage{booktabs,graphicx}\n",
    // No wider than the page, and no larger than it is.
    "\\noindent\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n",
    `\\begin{tabular}{${columns.join("")}}\n\\toprule\n`,
    line(heads.map(readableHead)),
    "\\midrule\n",
    ...readableRows({ heads, rows }).map(line),
    "\\bottomrule\n\\end{tabular}}\n",
  ].join("");
}

/** Which columns have numbers only. */
function numericColumns(heads, rows) {
  const isNumber = (value) => typeof value === "number" || value === null || value === undefined;
  return heads.map((_, column) => rows.length > 0 && rows.every((row) => isNumber(row[column])));
}

const SVG = "http://www.w3.org/2000/svg";

/** A figure as the text of a file, on white and with its size; labels wider than where it was drawn are not cut. */
function pictureOf(svg) {
  const copy = svg.cloneNode(true);
  const box = pictureBox(svg);
  const ground = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ ...box, fill: "white" })) ground.setAttribute(name, value);
  copy.prepend(ground);
  copy.setAttribute("viewBox", [box.x, box.y, box.width, box.height].join(" "));
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  return { text: new XMLSerializer().serializeToString(copy), width: box.width, height: box.height };
}

/** The box of a figure in its own units: that of its file, and larger where labels in the screen's font need it. */
function pictureBox(svg) {
  const { x, y, width, height } = svg.viewBox.baseVal;
  const shown = svg.getBoundingClientRect();
  const scale = shown.width > 0 ? width / shown.width : 0;
  const sides = { left: x, top: y, right: x + width, bottom: y + height };
  for (const text of scale > 0 ? svg.querySelectorAll("text") : []) {
    const own = text.getBoundingClientRect();
    if (own.width === 0) continue;
    sides.left = Math.min(sides.left, x + (own.left - shown.left) * scale);
    sides.right = Math.max(sides.right, x + (own.right - shown.left) * scale);
    sides.top = Math.min(sides.top, y + (own.top - shown.top) * scale);
    sides.bottom = Math.max(sides.bottom, y + (own.bottom - shown.top) * scale);
  }
  const [left, top] = [Math.floor(sides.left), Math.floor(sides.top)];
  return { x: left, y: top, width: Math.ceil(sides.right) - left, height: Math.ceil(sides.bottom) - top };
}

/** A figure as PNG. */
async function pictureImage(svg) {
  const { text, width, height } = pictureOf(svg);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const scale = Math.min(SHARPNESS, LONGEST / Math.max(width, height));
  const canvas = el("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
