// What every page does with scripts: copying, showing which line made what, and printing.
// Without scripts the same is reached by selecting, downloading and following links.
"use strict";

document.documentElement.classList.add("xdb-scripted");

function xdbText(kind) {
  const program = document.querySelector(".xdb-numbered").textContent;
  return kind === "repro" ? program + document.querySelector("[data-repro]").textContent : program;
}

// A page that was opened from a folder may have no clipboard; then the old way still works.
async function xdbCopy(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// The repro of another exporter: most of its lines are those of the first, so each stands once.
for (const chosen of document.querySelectorAll("[data-repros]")) {
  const { lines, scripts } = JSON.parse(document.querySelector("[data-scripts]").textContent);
  const show = () => {
    const [told, at] = scripts[chosen.value];
    document.querySelector("[data-repro]").textContent = at.map((line) => lines[line]).join("\n");
    document.querySelector("[data-told]").textContent = told;
  };
  chosen.addEventListener("change", show);
  show(); // a browser that goes back keeps what was chosen
}

// An outcome says what it means when it is pointed at; the page itself says it once.
document.addEventListener("mouseover", ({ target }) => {
  const outcome = target.closest?.(".xdb-o:not([title])");
  const told = outcome && document.querySelector(`.${outcome.classList[1]}[title]`);
  if (told) outcome.title = told.title;
});

// Of a table of many exporters, those that stand first are shown at first.
for (const table of document.querySelectorAll(".xdb-support")) {
  const left = table.tHead.rows[0].cells.length - 8; // as many as exportdb.css leaves
  if (left < 3) continue;
  const button = document.createElement("button");
  button.className = "xdb-wide";
  const show = (whole) => {
    table.classList.toggle("xdb-narrow", !whole);
    button.setAttribute("aria-expanded", String(whole));
    button.textContent = whole ? "Show fewer exporters" : `Show ${left} more exporters`;
  };
  button.addEventListener("click", () => show(table.classList.contains("xdb-narrow")));
  table.parentElement.before(button);
  show(false);
}

// A note opens its list.
window.addEventListener("hashchange", () => {
  const wanted = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let box = wanted; box; box = box.parentElement) if (box.localName === "details") box.open = true;
  if (wanted) wanted.scrollIntoView();
});

for (const button of document.querySelectorAll("[data-copy]")) {
  const label = button.textContent;
  button.addEventListener("click", async () => {
    await xdbCopy(xdbText(button.dataset.copy));
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  });
}

for (const line of document.querySelectorAll("[data-line]")) {
  const made = document.getElementById(`L${line.dataset.line}`);
  const light = (on) => () => made && made.classList.toggle("xdb-lit", on);
  for (const event of ["mouseenter", "focus"]) line.addEventListener(event, light(true));
  for (const event of ["mouseleave", "blur"]) line.addEventListener(event, light(false));
}

// On the page of trends, the exporters that are looked at.
{
  const shown = [...document.querySelectorAll("[data-exporter]")];
  const names = [...new Set(shown.map((one) => one.dataset.exporter))];
  const lead = document.querySelector('[data-kind="trends"] .xdb');
  if (lead && names.length > 4) {
    const box = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = "Choose exporters";
    box.append(summary);
    box.className = "xdb-chosen";
    for (const name of names) {
      const label = document.createElement("label"), input = document.createElement("input");
      input.type = "checkbox";
      input.value = name;
      label.append(input, ` ${name}`);
      box.append(label, " ");
    }
    box.addEventListener("change", () => {
      const chosen = new Set([...box.querySelectorAll(":checked")].map((input) => input.value));
      for (const one of shown) one.hidden = chosen.size > 0 && !chosen.has(one.dataset.exporter);
    });
    lead.append(box);
  }
}

// The theme's search knows the guides alone: it leads on to that of the cases.
{
  const results = document.getElementById("search-results");
  const asked = new URLSearchParams(location.search).get("q");
  const explore = document.querySelector('[aria-label="Parts of the site"] a');
  if (results && asked && explore) {
    const link = document.createElement("a"), line = document.createElement("p");
    link.href = `${explore.href}#?${new URLSearchParams({ q: asked })}`;
    link.textContent = `Search all cases for “${asked}”`;
    line.append(link);
    results.before(line);
  }
}

// Paper is white, whatever the screen is.
{
  const shown = document.documentElement.dataset;
  let screen = "";
  window.addEventListener("beforeprint", () => { [screen, shown.theme] = [shown.theme, "light"]; });
  window.addEventListener("afterprint", () => { shown.theme = screen; });
}
