// The box of the explain page: a pasted traceback, and what the catalogue says of it. Nothing leaves
// the browser. Matching is left to catalogue.js; everything from the index or the paste becomes text.
"use strict";

(() => {
  const root = document.getElementById("explain");
  const index = window.exportdbIndex;
  if (!root || !index || index.version !== 1) return; // the list of the catalogue below stays

  const el = xdbElement;
  const known = xdbCatalogue.types(index);
  const MOST = 5; // entries to show: a long log holds many words, and the best come first

  const box = el("textarea", {
    id: "xdb-error", rows: "10", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
    "aria-describedby": "xdb-error-hint",
  });
  const status = el("p", { role: "status", class: "xdb-status" });
  const answers = el("div", { class: "xdb-answers" });
  root.append(
    el("label", { for: "xdb-error" }, "Error message or traceback"), box,
    el("p", { id: "xdb-error-hint", class: "xdb-quiet" }, "It stays in this page: nothing is sent anywhere."),
    status, answers);

  function show() {
    const text = box.value;
    if (!text.trim()) {
      status.textContent = "";
      answers.replaceChildren();
      return;
    }
    const found = xdbCatalogue.explain(index, text, known).slice(0, MOST);
    status.textContent = !found.length ? "The catalogue does not know this error."
      : found.length === 1 ? "One entry of the catalogue explains this."
      : `${found.length} entries of the catalogue explain this, the best first.`;
    answers.replaceChildren(...found.map(answer), elsewhere(text));
  }

  function answer({ entry, exact, error }) {
    const [id, title, types, , meaning, remedy] = index.errors[entry];
    const cases = index.cases.filter((one) => one[7].includes(entry));
    return el("section", { class: "xdb-answer", "aria-labelledby": `answer-${id}` },
      el("h3", { id: `answer-${id}` }, el("a", { href: xdbPage("errors", id) }, `${id}: ${title}`)),
      error.type ? el("p", { class: "xdb-said" }, el("code", {}, excerpt(error))) : null,
      exact ? null : el("p", { class: "xdb-quiet" }, `The words fit; the entry is about ${types.join(", ")}.`),
      el("p", {}, inline(meaning)),
      el("p", {}, el("strong", {}, "What to do: "), inline(remedy)),
      cases.length ? el("h4", {}, cases.length === 1 ? "The case that shows it" : "Cases that show it") : null,
      cases.length ? el("ul", {}, cases.map(linked)) : null);
  }

  // What stands in backticks is code, as on the entry's own page.
  function inline(text) {
    return text.split(/`([^`]+)`/).map((piece, at) => (at % 2 ? el("code", {}, piece) : piece));
  }

  function linked(one) {
    const rewrites = one[9].map((at) => index.cases[at]);
    const link = ([id, title]) => el("a", { href: xdbPage("cases", id) }, title);
    return el("li", {}, link(one), rewrites.length
      ? el("ul", {}, rewrites.map((other) => el("li", {}, "rewrite that does the same: ", link(other)))) : null);
  }

  // The search of all cases knows the texts of errors that the catalogue does not explain.
  function elsewhere(text) {
    const words = new URLSearchParams({ q: xdbCatalogue.headline(index, text, known).slice(0, 1000) });
    return el("p", {}, el("a", { href: `index.html#?${words}` }, "Search all cases for this error"));
  }

  function excerpt({ type, message }) {
    const line = xdbCatalogue.oneLine(`${type}: ${message}`);
    return line.length > 300 ? `${line.slice(0, 300)}…` : line;
  }

  let waiting = 0;
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 100); // a status that changes with every key could not be listened to
  });
  show(); // a browser that goes back fills the box again
})();
