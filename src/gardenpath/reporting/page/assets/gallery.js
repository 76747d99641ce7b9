// The figures and tables of analyses, which are in the page already: previews by section, or one of them whole.

function figuresView(name) {
  const index = core.figures.findIndex((figure) => figure.name === name);
  showPart(index < 0 ? null : name);
  if (index < 0)
    return el(
      "div",
      {},
      el("h1", {}, "Figures"),
      el("p", { class: "hint" }, "Choose a figure or a table to see it whole, with its caption and its files."),
    );
  const { title, section } = core.figures[index];
  const step = (other, text, key) =>
    core.figures[other]
      ? el("a", { class: "step", href: `#/figures/${core.figures[other].name}`, "data-step": key, "aria-keyshortcuts": key }, text)
      : el("span", { class: "step off" }, text);
  return el(
    "section",
    {},
    crumbs(["Figures", "#/figures"], ...(section ? [[section, "#/figures"]] : []), [title]),
    el(
      "div",
      { class: "item-head" },
      el("h1", {}, title),
      el(
        "nav",
        { class: "steps", "aria-label": "Figures" },
        step(index - 1, "← previous", "ArrowLeft"),
        step(index + 1, "next →", "ArrowRight"),
      ),
    ),
  );
}

/** Show one part whole, or previews of all. */
function showPart(name) {
  if (name === null) delete document.body.dataset.part;
  else document.body.dataset.part = name;
  for (const element of document.querySelectorAll("#figures .shown")) element.classList.remove("shown");
  const part = name !== null && document.getElementById(`figure-${name}`);
  if (part) for (const element of [part, part.closest(".group")]) element.classList.add("shown");
}

/** Add the buttons of every part, and let a click on a preview open it. */
function prepareGallery() {
  core.figures.forEach(({ name }, index) => {
    const part = document.getElementById(`figure-${name}`);
    part.querySelector(".picture").after(partButtons(index, part));
  });
  document.getElementById("figures").addEventListener("click", (event) => {
    const part = event.target.closest("figure");
    const previews = document.body.dataset.view === "figures" && document.body.dataset.part === undefined;
    if (part && previews && !event.target.closest("a")) location.hash = `#/figures/${part.dataset.part}`;
  });
}

/** A copy of a part for another view, with buttons of its own. */
function copyOfPart(index) {
  const copy = document.getElementById(`figure-${core.figures[index].name}`).cloneNode(true);
  copy.removeAttribute("id");
  copy.classList.remove("shown");
  copy.querySelector(".downloads").replaceWith(partButtons(index, copy));
  return copy;
}
