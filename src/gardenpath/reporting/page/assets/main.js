// The view that the address names after #, and the keys that work in all views.

/** The view that an address names, with its numbers. */
function routeOf(hash) {
  const [view = "", ...rest] = hash.replace(/^#\/?/, "").split("/");
  const number = (index) => (/^\d+$/.test(rest[index] ?? "") ? Number(rest[index]) : null);
  const suite = core.suites[number(0)];
  switch (view) {
    case "items":
      return ["phenomenon", "circuit"].includes(rest[0])
        ? { view, group: rest[0], name: decodeURIComponent(rest[1] ?? "") }
        : { view };
    case "figures":
      return { view, figure: rest[0] };
    case "provenance":
      return { view };
    case "suite":
      if (suite) return { view, suite: number(0), prediction: number(1) ?? 0 };
      break;
    case "item":
      // The items of a suite without predictions have the address of a first one.
      if (suite && number(1) < Math.max(1, suite.predictions.length) && number(2) < suite.items)
        return { view, suite: number(0), prediction: number(1), item: number(2), model: number(3) };
      break;
  }
  return { view: "summary" };
}

async function viewOf(route) {
  switch (route.view) {
    case "items":
      return itemsView(route.group, route.name);
    case "suite":
      return suiteView(route.suite, route.prediction);
    case "item":
      return itemView(route.suite, route.prediction, route.item, route.model);
    case "provenance":
      return provenanceView();
    case "figures":
      return figuresView(route.figure);
    default:
      return summaryView();
  }
}

const scrolls = new Map();
let shown = null;
let requests = 0;

async function navigate() {
  const hash = location.hash || "#/";
  requests += 1;
  const request = requests;
  const route = routeOf(hash);
  const view = await viewOf(route);
  if (request !== requests) return; // another view has been requested meanwhile
  const top = window.scrollY;
  const before = shown === null ? null : routeOf(shown);
  if (shown !== null) scrolls.set(shown, top);
  const elsewhere = shown !== null && shown !== hash;
  // From item to item, or between the predictions of a suite, the page does not scroll.
  const near =
    before?.view === route.view && (route.view === "item" || (route.view === "suite" && before.suite === route.suite));
  shown = hash;
  document.body.dataset.view = route.view;
  for (const link of document.querySelectorAll("header nav a")) {
    const here =
      link.dataset.view === route.view ||
      (link.dataset.view === "summary" && route.view === "suite") ||
      (link.dataset.view === "items" && route.view === "item");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  // Tables that are no longer shown are not printed.
  document.getElementById("view").replaceChildren(view);
  document.getElementById("after-figures").replaceChildren();
  for (const table of openTables) if (!table.element.isConnected) openTables.delete(table);
  // After following a row of a table, Tab continues from the top of the new view.
  if (elsewhere) document.getElementById("main").focus({ preventScroll: true });
  window.scrollTo(0, near ? top : (scrolls.get(hash) ?? 0));
}

/** Draw the view again and restore the focus. */
async function refresh({ focus }) {
  const top = window.scrollY;
  await navigate();
  document.querySelector(focus)?.focus({ preventScroll: true });
  window.scrollTo(0, top);
}

/** Go one level up: from an item to its suite, from a figure to all, from a suite to the summary. */
function goUp() {
  const route = routeOf(location.hash);
  if (route.view === "item") location.hash = `#/suite/${route.suite}/${route.prediction}`;
  else if (route.view === "figures" && route.figure) location.hash = "#/figures";
  else if (route.view !== "summary") location.hash = "#/";
}

function onKey(event) {
  const field = event.target.closest("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("help").open) return;
  const search = document.querySelector("#view input[type=search]");
  if (event.key === "Escape") {
    if (field?.type === "search" && field.value) {
      field.value = "";
      field.dispatchEvent(new Event("input"));
    } else if (field) field.blur();
    else goUp();
  } else if (field) {
    // From the search box to its results.
    if (field.type === "search" && (event.key === "ArrowDown" || event.key === "Enter"))
      document.querySelector("#view tr[tabindex='0']")?.focus();
    else return;
  } else if (event.key === "/" && search) search.select();
  else if (event.key === "?") document.getElementById("help").showModal();
  else if (/^[1-4]$/.test(event.key)) location.hash = ["#/", "#/items", "#/figures", "#/provenance"][event.key - 1];
  else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    const link = document.querySelector(`#view [data-step=${event.key}]`);
    if (!link) return;
    link.click();
  } else return;
  event.preventDefault();
}

/** Printed, the summary is followed by the figures and the provenance. */
function beforePrint() {
  if (document.body.dataset.view === "summary")
    document.getElementById("after-figures").replaceChildren(provenanceView());
  for (const table of openTables) table.expand();
}

function afterPrint() {
  document.getElementById("after-figures").replaceChildren();
  for (const table of openTables) table.collapse();
}

async function start() {
  const view = document.getElementById("view");
  try {
    core = await load("core");
    prepareGallery();
    await navigate();
  } catch (error) {
    view.replaceChildren(
      el("p", { class: "message" }, `This report cannot be shown (${error}). It needs a browser from 2023 or later.`),
    );
    throw error;
  }
  if (core.figures.length === 0) document.querySelector("header nav [data-view=figures]").remove();
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // its # would be read as a view
    document.getElementById("main").focus();
  });
  window.addEventListener("hashchange", navigate);
  document.addEventListener("keydown", onKey);
  document.getElementById("keys").addEventListener("click", () => document.getElementById("help").showModal());
  window.addEventListener("beforeprint", beforePrint);
  window.addEventListener("afterprint", afterPrint);
}

start();
