// The box of the explain page: a pasted traceback, and what the catalogue says of it. Nothing leaves
// the browser. What is said is left to explaining.js; everything from the index or the paste becomes
// text.
"use strict";

(() => {
  const root = document.getElementById("explain");
  const index = window.exportdbIndex, told = window.exportdbTold;
  if (!root || !index || index.version !== 1 || !told) return; // the list of the catalogue below stays

  const LONG = 20_000; // characters
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
    const entry = xdbCatalogue.named(index, text);
    if (entry >= 0) {
      status.textContent = "One entry explains this.";
      answers.replaceChildren(answer(entry, knownChange(entry), every(entry)), elsewhere(text));
      return;
    }
    const found = xdbExplaining.explained(index, told, text);
    const sure = found.answers.filter((one) => one.sure), similar = found.answers.filter((one) => !one.sure);
    status.textContent = !sure.length ? "The catalogue does not surely know this error."
      : sure.length === 1 ? "One entry explains this."
      : `${sure.length} entries explain this, the best first.`;
    if (found.cut) status.textContent += " The text is so long that its middle was not read.";
    answers.replaceChildren(
      ...sure.map(({ entry }, at) => (at
        ? answer(entry, knownChange(entry), every(entry))
        : answer(entry, change(found), offered(entry, found), named(found)))),
      ...(sure.length && similar.length ? [perhaps(similar)] : []),
      ...(sure.length || !similar.length ? [] : [nearest(similar, found)]),
      ...(sure.length ? [] : [reported(found)]),
      elsewhere(text));
  }

  // Entries that share words with the text, where none surely explains it.
  function nearest(similar, found) {
    return el("section", { class: "xdb-answer", "aria-labelledby": "answer-similar" },
      el("h2", { id: "answer-similar" }, "Similar, not sure"),
      el("ul", {}, similar.map(({ entry }, at) => {
        const remedy = index.errors[entry][5];
        return el("li", {}, linkedEntry(entry), at ? null : el("p", {}, "If it is this: ", inline(remedy)));
      })),
      named(found),
      offered(similar[0].entry, found),
      found.draft_export ? el("p", {}, "torch.export.draft_export captures in spite of such errors and reports all of them with their places.") : null);
  }

  // What may be behind an error that only says that something else failed.
  function perhaps(similar) {
    return el("section", { class: "xdb-answer", "aria-labelledby": "answer-perhaps" },
      el("h2", { id: "answer-perhaps" }, "Perhaps because of"),
      el("ul", {}, similar.map(({ entry }) => el("li", {}, linkedEntry(entry)))));
  }

  function linkedEntry(entry) {
    const [id, title] = index.errors[entry];
    return el("a", { href: xdbPage("errors", id) }, `${id}: ${title}`);
  }

  function answer(entry, shown, cases, facts = null) {
    const [id, title, , , meaning, remedy, , , causes, where] = index.errors[entry];
    return el("section", { class: "xdb-answer", "aria-labelledby": `answer-${id}` },
      el("h2", { id: `answer-${id}` }, el("a", { href: xdbPage("errors", id) }, `${id}: ${title}`)),
      el("p", {}, el("strong", {}, "What to do: "), inline(remedy)),
      shown,
      facts,
      el("p", {}, el("strong", {}, "What it means: "), inline(meaning)),
      causes.length ? el("ul", {}, causes.map((cause) => el("li", {}, inline(cause)))) : null,
      where ? el("p", {}, el("strong", {}, "It depends on where it was raised: "), inline(where)) : null,
      cases);
  }

  // What the text itself names: the user's line, and what torch says of it.
  function named({ place, expressions, symbols, operators, answers: [best] }) {
    const [dated, versions] = best && best.sure ? told.errors[best.entry][1] : ["", ""];
    const where = place && `${place.file}:${place.line}${place.function ? ` in ${place.function}` : ""}`;
    const facts = [
      ["your line", place && [where, place.source].filter(Boolean)],
      ["condition", expressions], ["symbols", symbols], ["operators", operators],
    ].filter(([, values]) => values && values.length);
    if (!facts.length && !versions) return null;
    return el("ul", { class: "xdb-named" },
      facts.map(([name, values]) => el("li", {}, `${name}: `, values.flatMap((value, at) => [at ? ", " : null, el("code", {}, value)]))),
      versions ? el("li", {}, `${dated}: ${versions}`) : null);
  }

  const link = (at) => el("a", { href: xdbPage("cases", index.cases[at][0]) }, index.cases[at][1]);

  // What is to be written instead: the rewrite of the first case that is offered, or what fixes the
  // entry's own program.
  function change({ cases, change: own }) {
    const shown = cases.find(({ lines }) => lines.length);
    return shown ? changed(shown.at, shown.rewrite, shown.lines) : own.length ? changed(-1, -1, own) : null;
  }

  // The same for an entry of which no text says which case is nearest.
  function knownChange(entry) {
    const [one, other, lines] = (window.exportdbFixes || {})[entry] || [];
    return lines ? changed(one, other, lines) : null;
  }

  function changed(one, other, lines) {
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

  // The cases that fit the text best, as exportdb explain offers them, and where all of them are.
  function offered(entry, { cases }) {
    if (!cases.length) return null;
    const [id] = index.errors[entry], more = told.errors[entry][0].length - cases.length;
    return listed(cases.map(({ at, rewrite }) => [at, rewrite < 0 ? [] : [rewrite]]),
      more ? el("p", {}, el("a", { href: `${xdbPage("errors", id)}#cases` }, `${more} more`)) : null);
  }

  function every(entry) {
    const cases = told.errors[entry][0];
    return cases.length ? listed(cases.map((at) => [at, index.cases[at][9]])) : null;
  }

  function listed(cases, more = null) {
    return el("div", {},
      el("h3", {}, cases.length === 1 ? "The case that shows it" : "Cases that show it"),
      el("ul", {}, cases.map(([at, rewrites]) => el("li", {}, link(at), rewrites.length
        ? el("ul", {}, rewrites.map((other) => el("li", {}, "rewrite that does the same: ", link(other)))) : null))),
      more);
  }

  // The text goes into the form of an issue, and is sent by whoever reads it there.
  function reported({ report }) {
    return el("p", {}, report
      ? el("a", { href: report, rel: "noopener" }, "Report this error, with the end of the text filled in")
      : "Please report it where you have this site from.");
  }

  // The search of all cases knows the texts of errors that the catalogue does not explain.
  function elsewhere(text) {
    const words = new URLSearchParams({ q: xdbCatalogue.headline(index, text, known).slice(0, 1000) });
    return el("p", {}, el("a", { href: `index.html#?${words}` }, "Search all cases for this error"));
  }

  // A long paste comes in without what the box would take many seconds to draw.
  box.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain");
    if (text.length < LONG) return;
    event.preventDefault();
    box.setRangeText(xdbMatching.prepare(index).tidied(text), box.selectionStart, box.selectionEnd, "end");
    box.dispatchEvent(new Event("input"));
  });

  let waiting = 0;
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 100); // a status that changes with every key could not be listened to
  });
  show(); // a browser that goes back fills the box again
  if (!location.hash) box.focus({ preventScroll: true }); // to paste is what this page is opened for
})();
