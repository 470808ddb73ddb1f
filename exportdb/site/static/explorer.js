// The front page's table of all cases. Owns the elements, the keys and the address; what is found is
// left to query.js. Nothing is fetched, and everything that comes from the index becomes text.
"use strict";

(() => {
  const root = document.getElementById("explorer");
  const index = window.exportdbIndex;
  if (!root || !index || index.version !== 1) return; // the list that the page holds anyway stays

  const db = xdbQuery.prepare(index);
  const el = xdbElement;
  const LABELS = {
    outcome: "Outcome", exporter: "Exporter", device: "Device", torch: "torch",
    is: "Case", topic: "Topic", tag: "Tags",
  };
  const HINTS = {
    outcome: "Outcome, exporter, device and torch are asked of the same result.",
  };
  // Rows in the page at first and by each further step: more would make typing slow.
  const FIRST = 50, STEP = 200;
  // Columns at first: a table of more is wider than the page, and a phone's cards are too long.
  const COLUMNS = 6;
  // Longest text kept in the address when an error is pasted.
  const LONGEST = 1000;
  // Choices of a group that are shown at once; the rest are behind a button.
  const CHOICES = 8;
  const number = new Intl.NumberFormat("en").format;

  let state = xdbQuery.nothing();
  let rows = FIRST;
  let wholeWidth = false; // whether all exporters have their column
  let result = null;

  // --- the page -----------------------------------------------------------------------------------

  const search = el("input", {
    type: "search", id: "xdb-q", class: "xdb-q", autocomplete: "off", spellcheck: "false", autocapitalize: "off",
    "aria-describedby": "xdb-q-hint", "aria-controls": "xdb-cases",
  });
  const status = el("p", { role: "status", class: "xdb-status" });
  const chips = el("ul", { class: "xdb-chips", "aria-label": "Active filters" });
  const meaning = el("div", { class: "xdb-meaning" });
  const table = el("table", { id: "xdb-cases", class: "xdb-cases", role: "table" });
  const more = el("p", { class: "xdb-more" });
  const wider = el("p", { class: "xdb-wider" });
  const counters = {}; // group -> for each value its {input, count, item}
  const facets = el("details", { class: "xdb-facets" }, el("summary", {}, "Filters"), 
    Object.keys(LABELS).map(facet));
  root.append(
    el("form", { role: "search", class: "xdb-search", "aria-label": "Cases" },
      el("label", { for: "xdb-q" }, "Search cases"), search,
      el("p", { id: "xdb-q-hint", class: "xdb-quiet" },
        "Paste an error message or a whole traceback, or type words, operators and tags. ",
        ...examples(),
        el("span", { class: "xdb-keys" }, el("kbd", {}, "/"), " to search, ", el("kbd", {}, "↓"), " ",
          el("kbd", {}, "↑"), " through the results, ", el("kbd", {}, "Esc"), " to clear."))),
    el("div", { class: "xdb-explorer" }, facets,
      el("section", { class: "xdb-results", "aria-label": "Cases found" },
        status, chips, meaning, wider,
        el("div", { class: "xdb-scroll", tabindex: "0", role: "region", "aria-label": "Table of cases" }, table), more)));
  // Questions that are worth asking, ready to be followed; only those that find something here.
  function examples() {
    const [first, ...others] = db.values.exporter, torches = db.values.torch;
    const finds = (q) => xdbQuery.run(db, { ...xdbQuery.nothing(), q }).found.length > 0;
    const differs = others.map((other) => `${first}:wrong ${other}:!wrong`).find(finds);
    const asked = [`${first}:wrong`, differs, "all:!supported",
      torches.length > 1 && `${first}:changed:${torches[0]}..${torches.at(-1)}`].filter((q) => q && (q === differs || finds(q)));
    return asked.flatMap((q, i) => [i ? " · " : "Ask: ", asking(q)]);
  }

  // A link that asks a question in the search box.
  function asking(q) {
    return el("a", { href: `#?${new URLSearchParams({ q })}` }, q);
  }

  const list = document.getElementById("all-cases");
  if (list) list.hidden = true;

  function facet(group) {
    const values = db.values[group].map((value, at) => {
      const input = el("input", { type: "checkbox" });
      const count = el("span", { class: "xdb-count" });
      input.addEventListener("change", () => choose(group, at, input.checked));
      const item = el("li", {}, el("label", {}, input, " ", ...face(group, at), " ", count));
      return { input, count, item, at, value };
    });
    counters[group] = values;
    const all = el("button", { type: "button", class: "xdb-all", "aria-expanded": "false" });
    const items = el("ul", {}, values.map(({ item }) => item));
    all.addEventListener("click", () => {
      all.setAttribute("aria-expanded", String(all.getAttribute("aria-expanded") !== "true"));
      fold(group);
    });
    values.all = all;
    return el("fieldset", { class: `xdb-facet xdb-facet-${group}` }, el("legend", {}, LABELS[group]),
      HINTS[group] ? el("p", { class: "xdb-quiet" }, HINTS[group]) : null, items, all);
  }

  // How a value of a group is written.
  function face(group, at) {
    if (group === "outcome") return [xdbOutcome(index.outcomes[at])];
    if (group === "is") return [index.flags[at][1]];
    if (group === "tag") return [el("span", { title: index.tags[at][1] }, index.tags[at][0])];
    return [db.values[group][at] || "no topic"];
  }

  // --- what changes -------------------------------------------------------------------------------

  function show() {
    result = xdbQuery.run(db, state);
    showFacets();
    showChips();
    showMeaning();
    showTable();
    const total = db.cases.length, found = result.found.length;
    status.textContent = found === total ? `${number(total)} cases` : `${number(found)} of ${number(total)} cases`;
  }

  function showFacets() {
    for (const group of Object.keys(counters)) {
      for (const { input, count, item, at } of counters[group]) {
        const found = result.counts[group][at];
        input.checked = state[group].includes(at);
        count.textContent = number(found);
        item.classList.toggle("xdb-empty", !found);
      }
      fold(group);
    }
  }

  // Of a long group, show what is chosen and what finds most.
  function fold(group) {
    const values = counters[group];
    const whole = values.all.getAttribute("aria-expanded") === "true" || values.length <= CHOICES + 2;
    const byCount = [...values].sort((a, b) => result.counts[group][b.at] - result.counts[group][a.at] || a.at - b.at);
    const kept = new Set(whole ? values : byCount.slice(0, CHOICES));
    for (const value of values) value.item.hidden = !(kept.has(value) || value.input.checked);
    values.all.hidden = values.length <= CHOICES + 2;
    values.all.textContent = whole ? "Show fewer" : `Show all ${values.length}`;
  }

  function showChips() {
    const chosen = xdbQuery.GROUPS.flatMap((group) => state[group].map((at) => [group, at]));
    const chip = ([group, at]) => {
      const label = group === "is" ? index.flags[at][1] : `${LABELS[group].toLowerCase()}: ${db.values[group][at] || "none"}`;
      const button = el("button", { type: "button", "aria-label": `Remove ${label}` }, label, " ",
        el("span", { "aria-hidden": "true" }, "×"));
      button.addEventListener("click", () => { choose(group, at, false); search.focus(); });
      return el("li", {}, button);
    };
    chips.replaceChildren(...chosen.map(chip));
    chips.hidden = !chosen.length;
    if (chosen.length + Boolean(state.q) > 1) {
      const clear = el("button", { type: "button" }, "Clear all");
      clear.addEventListener("click", () => { go({ ...xdbQuery.nothing(), sort: state.sort }); search.focus(); });
      chips.append(el("li", {}, clear));
    }
  }

  // Says what a pasted error means, and what of an address nobody knows.
  function showMeaning() {
    const named = xdbCatalogue.named(index, state.q);
    const explained = state.q.length >= 12 ? xdbCatalogue.explain(index, state.q, db.known) : [];
    const best = named >= 0 ? { entry: named } : explained[0];
    const parts = [];
    if (best) {
      const [id, title] = index.errors[best.entry];
      parts.push(el("p", {}, el("a", { href: xdbPage("errors", id) }, `${id}: ${title}`),
        " — what this error means, and what to do."));
    }
    for (const { word, unknown, instead } of xdbQuery.misspelt(db, state.q)) {
      const others = (other) => asking(xdbCatalogue.oneLine(state.q.toLowerCase()).split(" ").map((w) => (w === word ? other : w)).join(" "));
      parts.push(el("p", {}, `${word}: there is no ${unknown}. `, instead.length ? "Perhaps: " : null,
        instead.slice(0, 4).flatMap((other, i) => [i ? " · " : null, others(other)])));
    }
    for (const { exporter, torch } of xdbQuery.unmeasured(db, state.q)) {
      parts.push(el("p", {}, `${exporter} was never measured with torch ${torch}.`));
    }
    if (state.unknown && state.unknown.length) {
      parts.push(el("p", {}, `The address asks for what is not here: ${state.unknown.join(", ")}.`));
    }
    meaning.replaceChildren(...parts);
  }

  function showTable() {
    const here = xdbQuery.place(db, state);
    const exporters = db.values.exporter.map((_, at) => at)
      .filter((at) => !state.exporter.length || state.exporter.includes(at));
    const columns = state.exporter.length || wholeWidth || exporters.length <= COLUMNS + 2 ? exporters : fewer(exporters);
    const found = result.found.slice(0, rows);
    const saying = xdbQuery.saying(db, state.q);
    const name = (place) => (place < 0 ? "" : `torch ${db.places[place].torch}, ${db.places[place].device}`);
    const focused = document.activeElement && document.activeElement.dataset.sort;
    // Roles are said as well: a phone shows rows as blocks, and a table of blocks is no table.
    table.replaceChildren(
      el("caption", {}, here < 0 ? "Nothing was measured there." : `Results at ${name(here)}`, here < 0 ? null :
        el("span", { class: "xdb-quiet" }, "; a result from elsewhere says from where")),
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, header("title", "Case"),
        columns.map((at) => header(`exporter:${db.values.exporter[at]}`, db.values.exporter[at])))),
      el("tbody", { role: "rowgroup" }, found.map((at) => row(db.cases[at], columns, here, saying))));
    if (focused) table.querySelector(`[data-sort="${CSS.escape(focused)}"]`)?.focus();
    table.hidden = !found.length;
    showWider(exporters, columns);
    showMore(found.length);
  }

  // The few exporters that have a column at first: those that conditions ask about before all others,
  // and the one that an address sorts by.
  function fewer(exporters) {
    const sorted = db.values.exporter.indexOf(state.sort.replace(/^-?exporter:/, ""));
    const asked = xdbQuery.named(db, state.q), rest = exporters.filter((at) => !asked.includes(at));
    return [...asked, ...rest.filter((at, i) => asked.length + i < COLUMNS || at === sorted)];
  }

  // The button for the columns that are left out, or to leave them out again.
  function showWider(exporters, columns) {
    wider.hidden = !result.found.length || Boolean(state.exporter.length) || exporters.length <= COLUMNS + 2;
    const left = exporters.length - columns.length;
    const button = el("button", { type: "button", "aria-expanded": String(wholeWidth) },
      left ? `Show ${left} more exporters` : "Show fewer exporters");
    button.addEventListener("click", () => {
      wholeWidth = !wholeWidth;
      showTable();
      wider.querySelector("button").focus();
    });
    wider.replaceChildren(button);
  }

  function header(key, label) {
    const order = state.sort === key ? "ascending" : state.sort === `-${key}` ? "descending" : "none";
    const arrow = { ascending: "↑", descending: "↓", none: "↕" }[order];
    const button = el("button", { type: "button", "data-sort": key }, label, "\u00a0",
      el("span", { "aria-hidden": "true", class: "xdb-arrow" }, arrow));
    // Once for the best first, again for the worst, and a third time for the order of the search.
    const next = { none: key, ascending: `-${key}`, descending: "" }[order];
    button.addEventListener("click", () => go({ ...state, sort: next }));
    return el("th", { scope: "col", role: "columnheader", "aria-sort": order === "none" ? false : order }, button);
  }

  function row(one, exporters, here, saying) {
    const said = saying(one);
    const first = el("th", { scope: "row", role: "rowheader" },
      el("a", { href: xdbPage("cases", one.id), class: "xdb-case" }, one.title),
      el("code", {}, one.id.split(/(?<=[/_])/).flatMap((part) => [el("wbr"), part])),
      el("span", { class: "xdb-tags" }, one.tags.map((at) => db.values.tag[at]).join(" · ")),
      said < 0 ? null : el("span", { class: "xdb-said", title: db.said[said] }, "raises ", el("code", {}, db.said[said])));
    return el("tr", { role: "row" }, first, exporters.map((exporter) => {
      const cell = xdbQuery.shown(db, state, one, exporter, here);
      const label = { role: "cell", "data-label": db.values.exporter[exporter] };
      if (!cell) return el("td", { ...label, class: "xdb-none" }, "not measured");
      const elsewhere = cell.place === here ? null :
        el("small", {}, ` ${db.places[cell.place].torch} ${db.places[cell.place].device}`);
      return el("td", label, xdbOutcome(index.outcomes[cell.outcome]), elsewhere);
    }));
  }

  function showMore(shown) {
    const left = result.found.length - shown;
    const button = (text, count) => {
      const made = el("button", { type: "button" }, text);
      made.addEventListener("click", () => {
        rows += count;
        showTable();
        table.tBodies[0].rows[shown]?.querySelector("a").focus();
      });
      return made;
    };
    more.replaceChildren(...(!result.found.length ? ["No case fits. Take a filter away, or search for fewer words."] :
      left <= 0 ? [] : [`${number(shown)} shown. `, button(`Show ${Math.min(STEP, left)} more`, STEP), " ",
        ...(left > STEP ? [button(`Show all ${number(result.found.length)}`, left)] : [])]));
  }

  // Paper has no button for the rest.
  window.addEventListener("beforeprint", () => {
    const before = rows;
    rows = result.found.length;
    showTable();
    window.addEventListener("afterprint", () => { rows = before; showTable(); }, { once: true });
  });

  // --- the address --------------------------------------------------------------------------------

  // Go to another state. A step is something to come back from; typing on is no new step.
  function go(next, step = true) {
    state = { ...next, unknown: [] };
    rows = FIRST;
    if (search.value !== state.q) search.value = state.q;
    const address = xdbQuery.format(state, db) || location.pathname;
    history[step ? "pushState" : "replaceState"]({ typing: !step }, "", address);
    show();
  }

  function choose(group, at, on) {
    const others = state[group].filter((other) => other !== at);
    go({ ...state, [group]: on ? [...others, at] : others });
  }

  function restore() {
    // Another fragment is a place in the page, such as that of the link that skips to the content.
    if (location.hash && !location.hash.startsWith("#?")) return;
    const { state: asked, unknown } = xdbQuery.parse(location.hash, db);
    state = { ...asked, unknown };
    rows = FIRST;
    search.value = state.q;
    show();
  }

  window.addEventListener("popstate", restore);
  document.querySelector('a[href="#explorer"]')?.addEventListener("click", (event) => {
    event.preventDefault();
    search.focus();
  });

  // --- keys ---------------------------------------------------------------------------------------

  let typed = false; // whether the last step was typing, so that typing on does not add another
  search.addEventListener("input", () => {
    go({ ...state, q: search.value }, !typed);
    typed = true;
  });
  search.addEventListener("change", () => { typed = false; });
  window.addEventListener("popstate", () => { typed = false; });

  // A search field keeps one line: of a pasted traceback, keep the error and not the code around it.
  search.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text");
    if (!/[\r\n\x1b]/.test(text.trim())) return;
    event.preventDefault();
    typed = false;
    go({ ...state, q: xdbCatalogue.headline(index, text, db.known).slice(0, LONGEST) });
  });

  root.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    focusResult(0);
  });

  const results = () => [...table.querySelectorAll("a.xdb-case")];

  function focusResult(at) {
    const links = results();
    if (at < 0) search.focus();
    else if (links.length) links[Math.min(at, links.length - 1)].focus();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const at = results().indexOf(document.activeElement);
    const writing = document.activeElement.matches("input:not([type=checkbox]), textarea, select, [contenteditable]");
    const keys = {
      "/": () => !writing && (search.focus(), search.select(), true),
      ArrowDown: () => (document.activeElement === search || at >= 0) && (focusResult(at + 1), true),
      ArrowUp: () => at >= 0 && (focusResult(at - 1), true),
      Escape: () => (document.activeElement === search && search.value
        ? (typed = false, go({ ...state, q: "" }), true) : at >= 0 && (search.focus(), true)),
    };
    if (keys[event.key]?.()) event.preventDefault();
  });

  // --- begin --------------------------------------------------------------------------------------

  // Beside the table where there is room, folded above it where there is not.
  const wide = window.matchMedia("(min-width: 60rem)");
  const unfold = () => { facets.open = wide.matches; };
  wide.addEventListener("change", unfold);
  unfold();
  restore();
})();
