// A table of any length. A long one keeps only the rows in view in the document, so that 67,000 rows are as fast as 40;
// a short one is written out, so that the browser can search and print all of it.

const LONG = 400;
const PRINTED = 1000;
/** Browsers cannot scroll elements much taller than this. */
const TALLEST = 8_000_000;
const BEYOND = 8;
const NARROW = 640;
const MANY = 20_000;

/** Tables on the screen, whose rows are written out before printing. */
const openTables = new Set();

class Table {
  /**
   * columns: { key, label, about, value(row) for sorting, cell(row) for showing, width in px, numeric, grow, minor }
   * (model: the label is the name of a model; data: [[head, value(row)], …], what files have instead of the value;
   * hidden: only files have it)
   * href(row): the link of a row; state: { sort, descending, top, active }, which the caller keeps between visits.
   */
  constructor({ label, columns, file = label.toLowerCase(), href = null, state = {}, rowHeight = 35, onSorted = () => {} }) {
    this.fields = columns.flatMap((column) => column.data ?? [[column.label, column.value]]);
    columns = columns.filter((column) => !column.hidden);
    if (window.innerWidth <= NARROW) columns = narrowed(columns);
    Object.assign(this, { label, columns, href, state, rowHeight, onSorted });
    this.rows = [];
    this.active = state.active ?? 0;
    this.body = el("tbody", { tabindex: href ? -1 : null });
    this.heads = columns.map((column) => this.head(column));
    this.table = el(
      "table",
      // Tables with links are grids that arrow keys move through.
      { "aria-label": label, role: href ? "grid" : null },
      el(
        "colgroup",
        {},
        columns.map((column) => el("col", { style: { width: column.grow ? "auto" : `${column.width}px` } })),
      ),
      el("thead", {}, el("tr", { "aria-rowindex": 1 }, this.heads)),
      this.body,
    );
    const least = columns.reduce((sum, column) => sum + column.width, 0);
    this.table.style.minWidth = `${least}px`;
    this.note = el("p", { class: "note", hidden: true });
    this.frame = el("div", { class: "frame", onscroll: () => this.scrolled() }, this.table);
    this.element = el("div", { class: "table" }, this.frame, this.note, tableButtons(file, () => this.data()));
    this.body.addEventListener("keydown", (event) => this.onKey(event));
    this.body.addEventListener("click", (event) => this.onClick(event));
    openTables.add(this);
  }

  /** The chosen rows in their order, as files have them. */
  data() {
    return {
      heads: this.fields.map(([head]) => head),
      rows: this.rows.map((row) => this.fields.map(([, value]) => value(row))),
    };
  }

  head(column) {
    const sorted = this.state.sort === column.key ? (this.state.descending ? "descending" : "ascending") : "none";
    const button = el(
      "button",
      { type: "button", title: column.about, onclick: () => this.sortBy(column) },
      column.model ? modelName(column.label) : column.label,
    );
    return el("th", { scope: "col", "aria-sort": sorted, class: column.numeric ? "numeric" : null }, button);
  }

  /** Show other rows, in the same order as before. */
  setRows(rows, { keepPosition = false } = {}) {
    this.rows = rows;
    if (!keepPosition) {
      this.active = 0;
      this.frame.scrollTop = 0;
    }
    this.sort();
    this.active = Math.min(this.active, Math.max(0, this.rows.length - 1));
    this.long = rows.length > LONG;
    this.frame.classList.toggle("long", this.long);
    this.table.setAttribute("aria-rowcount", rows.length + 1);
    this.first = -1;
    this.render();
    if (keepPosition && this.state.top) {
      // The frame has no height before it is in the document.
      requestAnimationFrame(() => {
        this.frame.scrollTop = this.state.top;
      });
    }
  }

  sortBy(column) {
    const again = this.state.sort === column.key;
    // Numbers are sorted from the largest first.
    this.state.descending = again ? !this.state.descending : Boolean(column.numeric);
    this.state.sort = column.key;
    this.columns.forEach((each, index) => {
      const sorted = each.key !== column.key ? "none" : this.state.descending ? "descending" : "ascending";
      this.heads[index].setAttribute("aria-sort", sorted);
    });
    this.setRows(this.rows);
  }

  sort() {
    const column = this.columns.find((each) => each.key === this.state.sort);
    if (column) this.rows = sorted(this.rows, column.value, this.state.descending);
    this.onSorted(this.rows);
  }

  scrolled() {
    this.state.top = this.frame.scrollTop;
    if (this.long && !this.waiting) {
      this.waiting = requestAnimationFrame(() => {
        this.waiting = null;
        this.render();
      });
    }
  }

  /** The scroll position in pixels of rows; the rows of very tall tables move faster than the scroll bar. */
  scrollPosition() {
    const whole = this.rows.length * this.rowHeight;
    const heading = this.table.tHead.offsetHeight || this.rowHeight;
    const view = (this.frame.clientHeight || 600) - heading; // below the heading, which does not scroll
    const tall = Math.min(whole, TALLEST);
    const speed = tall > view ? (whole - view) / (tall - view) : 1;
    return { tall, view, speed, offset: Math.max(0, Math.min(whole - view, this.frame.scrollTop * speed)) };
  }

  render() {
    if (!this.long) {
      this.draw(this.rows.map((row, index) => this.row(row, index)));
      return;
    }
    const { tall, view, speed, offset } = this.scrollPosition();
    // At normal speed the browser moves the rows; at other speeds they are positioned again on every scroll.
    const beyond = speed === 1 ? BEYOND : 0;
    const first = Math.max(0, Math.floor(offset / this.rowHeight) - beyond);
    const last = Math.min(this.rows.length, Math.ceil((offset + view) / this.rowHeight) + beyond);
    const moved = speed !== 1 && offset !== this.offset;
    if (!moved && first === this.first && last === this.last) return;
    [this.first, this.last, this.offset] = [first, last, offset];
    const above = this.frame.scrollTop - (offset - first * this.rowHeight);
    const below = tall - Math.max(0, above) - (last - first) * this.rowHeight;
    const rows = this.rows.slice(first, last).map((row, index) => this.row(row, first + index));
    this.draw([this.space(above), ...rows, this.space(below)]);
    this.body.style.transform = above < 0 ? `translateY(${above}px)` : "";
  }

  /** Replace the rows. While the focused row is out of view, the body has the focus. */
  draw(rows) {
    const focused = this.body.contains(document.activeElement);
    this.body.replaceChildren(...rows);
    if (focused) (this.activeRow() ?? this.body).focus({ preventScroll: true });
  }

  space(height) {
    return el("tr", { class: "space", "aria-hidden": true, style: { height: `${Math.max(0, height)}px` } });
  }

  row(row, index) {
    const cells = this.columns.map((column) => {
      const content = column.cell(row);
      const title = typeof content === "string" && content.length > 20 ? content : null;
      return el("td", { class: column.numeric ? "numeric" : null, title }, content);
    });
    return el(
      "tr",
      {
        "aria-rowindex": index + 2,
        "data-row": index,
        tabindex: this.href ? (index === this.active ? 0 : -1) : null,
      },
      cells,
    );
  }

  activeRow() {
    return this.body.querySelector(`tr[data-row="${this.active}"]`);
  }

  /** Scroll to a row and give it the focus. */
  activate(index) {
    this.active = Math.max(0, Math.min(this.rows.length - 1, index));
    this.state.active = this.active;
    if (this.long) {
      const { view, speed, offset } = this.scrollPosition();
      const top = this.active * this.rowHeight;
      const bottom = top + this.rowHeight;
      if (top < offset) this.frame.scrollTop = Math.floor(top / speed);
      else if (bottom > offset + view) this.frame.scrollTop = Math.ceil((bottom - view) / speed);
      this.render();
    }
    for (const row of this.body.querySelectorAll("tr[data-row]"))
      row.tabIndex = Number(row.dataset.row) === this.active ? 0 : -1;
    this.activeRow()?.focus({ preventScroll: this.long });
  }

  onKey(event) {
    if (
      !this.href ||
      event.target.closest("a, button, input, select") ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    const page = Math.max(
      1,
      Math.floor((this.long ? this.frame.clientHeight : window.innerHeight) / this.rowHeight) - 2,
    );
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) this.activate(this.active + steps[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.open(this.active);
    else return;
    event.preventDefault();
  }

  onClick(event) {
    const row = event.target.closest("tr[data-row]");
    // Links in the row work on their own, and selecting text does not follow the row.
    if (!row || !this.href || event.target.closest("a") || String(getSelection())) return;
    this.open(Number(row.dataset.row));
  }

  open(index) {
    this.active = index;
    this.state.active = index;
    location.hash = this.href(this.rows[index]);
  }

  /** Write out rows for printing. */
  expand() {
    if (!this.long) return;
    this.body.style.transform = "";
    this.draw(this.rows.slice(0, PRINTED).map((row, index) => this.row(row, index)));
    this.note.textContent = `The first ${count(PRINTED)} of ${count(this.rows.length)} rows are printed.`;
    this.note.hidden = this.rows.length <= PRINTED;
  }

  collapse() {
    if (!this.long) return;
    this.note.hidden = true;
    this.first = -1;
    this.render();
  }
}

/** Columns for narrow screens: minor ones come last, and some are narrower. */
function narrowed(columns) {
  const kept = columns.map((column) => ({ ...column, width: column.narrow ?? (column.grow ? 0.65 : 1) * column.width }));
  return [...kept.filter((column) => !column.minor), ...kept.filter((column) => column.minor)];
}

/** Sort rows by a value; those without one come last in both directions. */
function sorted(rows, value, descending) {
  const values = rows.map(value);
  const texts = values.filter((each) => typeof each === "string");
  // Comparing texts is slow, and most columns have few distinct ones: these are sorted once and compared by rank. Very
  // many (sentences, not names) are sorted by code point.
  const different = [...new Set(texts)];
  different.sort(different.length > MANY ? undefined : collator.compare);
  const ranks = new Map(different.map((text, rank) => [text, rank]));
  const keys = Float64Array.from(values, (each) => {
    if (typeof each === "string") return ranks.get(each);
    return typeof each === "number" && !Number.isNaN(each) ? each : NaN;
  });
  const sign = descending ? -1 : 1;
  const order = Uint32Array.from(rows, (_, index) => index);
  order.sort((a, b) => {
    const [left, right] = [keys[a], keys[b]];
    if (left === right) return a - b;
    if (Number.isNaN(left)) return Number.isNaN(right) ? a - b : 1;
    if (Number.isNaN(right)) return -1;
    return sign * (left - right);
  });
  return Array.from(order, (index) => rows[index]);
}
