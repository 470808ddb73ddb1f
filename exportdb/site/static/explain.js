// The box of the explain page: a pasted traceback, and what the catalogue says of it. Nothing leaves
// the browser. Matching is left to catalogue.js; everything from the index or the paste becomes text.
"use strict";

(() => {
  const root = document.getElementById("explain");
  const index = window.exportdbIndex;
  if (!root || !index || index.version !== 1) return; // the list of the catalogue below stays

  const el = xdbElement;
  const known = xdbCatalogue.types(index);

  const box = el("textarea", {
    id: "xdb-error", rows: "10", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
    "aria-describedby": "xdb-error-hint",
  });
  const status = el("p", { role: "status", class: "xdb-status" });
  const answers = el("div", { class: "xdb-answers" });
  const hint = el("p", { id: "xdb-error-hint", class: "xdb-quiet" }, index.errors.length ? `Or the number of an entry, such as ${index.errors[0][0]}. ` : "",
    "It stays in this page: nothing is sent anywhere.");
  root.append(el("label", { for: "xdb-error" }, "Error message or traceback"), box, hint, status, answers);

  function show() {
    const text = box.value;
    box.rows = text.trim() ? 2 : 10; // the answer is what is to be read now
    hint.hidden = Boolean(text.trim());
    if (!text.trim()) {
      status.textContent = "";
      answers.replaceChildren();
      return;
    }
    const named = xdbCatalogue.named(index, text);
    const found = named >= 0 ? [{ entry: named, sure: true }] : xdbCatalogue.answers(index, text);
    const sure = found.filter((one) => one.sure), similar = found.filter((one) => !one.sure);
    status.textContent = !sure.length ? "The catalogue does not surely know this error."
      : sure.length === 1 ? "One entry explains this."
      : `${sure.length} entries explain this, the best first.`;
    if (text.length > xdbMatching.LONGEST) status.textContent += " The text is so long that its middle was not read.";
    answers.replaceChildren(
      ...sure.map(answer),
      ...(sure.length || !similar.length ? [] : [nearest(similar)]),
      elsewhere(text));
  }

  // Entries that share words with the text, where none surely explains it.
  // draft_export helps with values that depend on data, sizes and operators, as in answer.py.
  function nearest(similar) {
    const drafted = /^E0[014]/.test(index.errors[similar[0].entry][0]);
    return el("section", { class: "xdb-answer", "aria-labelledby": "answer-similar" },
      el("h2", { id: "answer-similar" }, "Similar, not sure"),
      el("ul", {}, similar.map(({ entry }, at) => {
        const [id, title, , , , remedy] = index.errors[entry];
        return el("li", {}, el("a", { href: xdbPage("errors", id) }, `${id}: ${title}`),
          at ? null : el("p", {}, "If it is this: ", inline(remedy)));
      })),
      drafted ? el("p", {}, "torch.export.draft_export captures in spite of such errors and reports all of them with their places.") : null);
  }

  function answer({ entry }) {
    const [id, title, , , meaning, remedy, , , causes, where] = index.errors[entry];
    const cases = index.cases.filter((one) => one[7].includes(entry));
    return el("section", { class: "xdb-answer", "aria-labelledby": `answer-${id}` },
      el("h2", { id: `answer-${id}` }, el("a", { href: xdbPage("errors", id) }, `${id}: ${title}`)),
      el("p", {}, el("strong", {}, "What to do: "), inline(remedy)),
      change(entry),
      el("p", {}, el("strong", {}, "What it means: "), inline(meaning)),
      causes.length ? el("ul", {}, causes.map((cause) => el("li", {}, inline(cause)))) : null,
      where ? el("p", {}, el("strong", {}, "It depends on where it was raised: "), inline(where)) : null,
      cases.length ? el("h3", {}, cases.length === 1 ? "The case that shows it" : "Cases that show it") : null,
      cases.length ? el("ul", {}, cases.map(linked)) : null);
  }

  // What is to be written instead: the best rewrite of a case of the entry, or what fixes the
  // entry's own program.
  function change(entry) {
    const [one, other, lines] = (window.exportdbFixes || {})[entry] || [];
    if (!lines) return null;
    const link = (at) => el("a", { href: xdbPage("cases", index.cases[at][0]) }, index.cases[at][1]);
    const kinds = { "-": "remove", "+": "add", "⋯": "skip" };
    const head = one < 0
      ? el("p", {}, el("strong", {}, "A program that fails this way, and the change that fixes it:"))
      : el("p", {}, el("strong", {}, "Write "), link(other), " in place of ", link(one), ":");
    return el("div", {}, head,
      el("pre", { class: "xdb-code xdb-diff", tabindex: "0", role: "region", "aria-label": "The change" }, lines.map(([sign, line]) =>
        el("span", { class: kinds[sign] }, el("b", {}, sign === "-" ? "−" : sign), ` ${line}\n`))));
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

  let waiting = 0;
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 100); // a status that changes with every key could not be listened to
  });
  show(); // a browser that goes back fills the box again
  if (!location.hash) box.focus({ preventScroll: true }); // to paste is what this page is opened for
})();
