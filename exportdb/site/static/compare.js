// Two exporters, or two torch versions, beside each other: which results differ, and in what. What is
// compared stands in the index, see exportdb/site/index.py; the first half knows no page.
"use strict";

const xdbCompare = (() => {
  // What the numbers of a look stand for. Only what both have is compared: 0 is nothing.
  const PARTS = ["graph", "graph", "ranges", "guards", "error"];

  const differing = (one, two) =>
    [...new Set(PARTS.filter((_, at) => one[at] && two[at] && one[at] !== two[at]))];

  // Pairs of columns: of two exporters at the newest torch on each device that both were measured on.
  function exporters(index, a, b) {
    const column = (exporter, place) => index.columns.findIndex(([e, p]) => e === exporter && p === place);
    const newest = new Map();
    index.places.forEach(([, device], place) => {
      const pair = [column(a, place), column(b, place)];
      if (!pair.includes(-1)) newest.set(device, pair);
    });
    return [...newest.values()];
  }

  // Pairs of columns: of each exporter and device at two torch versions.
  function torches(index, a, b) {
    const at = (torch) => new Map(index.columns.flatMap(([exporter, place], column) =>
      index.places[place][0] === torch ? [[`${exporter} ${index.places[place][1]}`, column]] : []));
    const later = at(b);
    return [...at(a)].filter(([key]) => later.has(key)).map(([key, column]) => [column, later.get(key)]);
  }

  // The results of pairs of columns, column by column: those that are better or worse in the second,
  // those of which only one was compared with eager, those with the same outcome that differ all the
  // same ("alike", with what differs), and how many are the same in all that both have.
  function compare(index, looks, pairs) {
    const found = { better: [], worse: [], unknown: [], alike: [], same: 0 };
    const outcome = (one, column) => (one[5][column] === "." ? null : one[5].charCodeAt(column) - 48);
    for (const [a, b] of pairs) {
      index.cases.forEach((one, at) => {
        const [before, after] = [outcome(one, a), outcome(one, b)];
        if (before === null || after === null) return;
        const [kinds, ofColumn] = looks.cases[at];
        const what = before === after ? differing(kinds[ofColumn[a]], kinds[ofColumn[b]]) : [];
        const compared = [before, after].every((name) => index.outcomes[name][4]);
        const kind = before === after ? (what.length ? "alike" : "same")
          : !compared ? "unknown" : after < before ? "better" : "worse";
        if (kind === "same") found.same += 1;
        else found[kind].push({ case: at, columns: [a, b], outcomes: [before, after], what });
      });
    }
    return found;
  }

  return { exporters, torches, compare };
})();

if (typeof document !== "undefined") (() => {
  const root = document.getElementById("compare");
  const index = window.exportdbIndex, looks = window.exportdbLooks;
  if (!root || !index || index.version !== 1) return;

  const el = xdbElement;
  const number = new Intl.NumberFormat("en").format;
  const MOST = 50; // rows of a table at first: a phone shows each as a card
  const KINDS = { exporter: index.exporters.map(([name]) => name), torch: looks.torches };
  const LABELS = { exporter: ["Two exporters:", "exporter", "and exporter"], torch: ["Two versions of torch:", "torch", "and torch"] };

  const status = el("p", { role: "status" });
  const tables = el("div");
  const selects = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, [0, 1].map((at) => {
    const select = el("select", { id: `xdb-${kind}-${at}` }, KINDS[kind].map((name) => el("option", {}, name)));
    select.addEventListener("change", () => {
      history.pushState(null, "", address(kind, selects[kind].map((one) => one.value)));
      show(kind);
    });
    return select;
  })]));
  // Of what differs, only one exporter's or one device's.
  const ANY = "";
  const kept = Object.fromEntries([["exporter", KINDS.exporter], ["device", [...new Set(index.places.map(([, d]) => d))]]]
    .map(([of, names]) => {
      const select = el("select", { id: `xdb-only-${of}` }, el("option", { value: ANY }, `every ${of}`),
        names.map((name) => el("option", {}, name)));
      select.addEventListener("change", () => {
        history.pushState(null, "", address(shown, selects[shown].map((one) => one.value)));
        show(shown);
      });
      return [of, select];
    }));
  // Which of the two questions is asked.
  const chosen = Object.fromEntries(Object.keys(KINDS).map((kind) => {
    const radio = el("input", { type: "radio", name: "xdb-kind", id: `xdb-kind-${kind}` });
    radio.addEventListener("change", () => {
      history.pushState(null, "", address(kind, selects[kind].map((one) => one.value)));
      show(kind);
    });
    return [kind, radio];
  }));
  let shown = "exporter"; // the kind that is compared
  root.append(
    ...Object.keys(KINDS).map((kind) => el("p", { class: "xdb-choice" }, chosen[kind], " ",
      el("label", { for: chosen[kind].id }, LABELS[kind][0]), " ", selects[kind].flatMap((select, at) =>
        [el("span", { class: "xdb-together" },
          el("label", { for: select.id, class: "xdb-quiet" }, LABELS[kind][at + 1]), " ", select), " "]))),
    el("p", { class: "xdb-choice" }, Object.entries(kept).flatMap(([of, select]) =>
      [el("span", { class: "xdb-together" },
        el("label", { for: select.id }, of === "exporter" ? "Only" : "on"), " ", select), " "])),
    status, tables);

  const address = (kind, names) => `#?${new URLSearchParams([...names.map((name) => [kind, name]),
    ...Object.entries(kept).filter(([, select]) => select.value).map(([of, select]) => [`only-${of}`, select.value])])}`;

  function show(kind) {
    const [a, b] = selects[kind].map((select) => select.value);
    const [one, two] = [a, b].map((name) => KINDS[kind].indexOf(name));
    const pairs = kind === "exporter" ? xdbCompare.exporters(index, one, two) : xdbCompare.torches(index, a, b);
    shown = kind;
    chosen[kind].checked = true;
    // Two exporters are chosen already.
    kept.exporter.disabled = kind === "exporter";
    const fits = ([column]) => [["exporter", index.exporters[index.columns[column][0]][0]],
      ["device", index.places[index.columns[column][1]][1]]].every(([of, name]) =>
      kept[of].disabled || !kept[of].value || kept[of].value === name);
    pairs.splice(0, pairs.length, ...pairs.filter(fits));
    if (kind === "torch") pairs.sort(([x], [y]) => index.columns[x][0] - index.columns[y][0]);
    const found = xdbCompare.compare(index, looks, pairs);
    const differ = found.better.length + found.worse.length + found.unknown.length;
    const places = kind === "torch" ? "" : ` Compared: ${pairs.map(([column]) => index.places[index.columns[column][1]])
      .map(([torch, device]) => `torch ${torch} on ${device}`).join(", ")}.`;
    status.textContent = `${number(differ)} results have another outcome. ${number(found.alike.length)} have the same ` +
      `outcome with another graph, range, guard or error. ${number(found.same)} are alike in all that is known.${places}`;
    const names = kind === "torch" ? [`torch ${a}`, `torch ${b}`] : [a, b];
    const titles = kind === "torch" ? [`Better on torch ${b}`, `Worse on torch ${b}`] : [`${b} does better`, `${a} does better`];
    tables.replaceChildren(
      ...section("better", titles[0], found.better, names), ...section("worse", titles[1], found.worse, names),
      ...(found.unknown.length ? section("unknown", "Only one was compared with eager", found.unknown, names) : []),
      ...section("alike", "The same outcome, but another graph, range, guard or error", found.alike, names));
  }

  function section(id, title, rows, names) {
    const heading = el("h2", { id }, `${title} (${number(rows.length)})`);
    if (!rows.length) return [heading, el("p", {}, "Nothing.")];
    // Of two exporters, the columns are named for them.
    const heads = [...(shown === "exporter" ? [] : ["exporter"]), "case", "device", ...names, ...(id === "alike" ? ["another"] : [])];
    const made = (one) => row(one, names);
    const body = el("tbody", { role: "rowgroup" }, rows.slice(0, MOST).map(made));
    const more = el("button", { type: "button" }, `Show all ${number(rows.length)}`);
    more.addEventListener("click", () => {
      body.append(...rows.slice(MOST).map(made));
      more.remove();
      body.rows[MOST].querySelector("a").focus();
    });
    return [heading,
      el("div", { class: "xdb-scroll", tabindex: "0", role: "region", "aria-label": title },
        el("table", { class: "xdb-differences", role: "table" },
          el("thead", { role: "rowgroup" }, el("tr", { role: "row" },
            heads.map((head) => el("th", { scope: "col", role: "columnheader" }, head)))), body)),
      ...(rows.length > MOST ? [el("p", { class: "xdb-more" }, more)] : [])];
  }

  // A row; a phone shows it as a block, each cell with the name of its column, which is no table
  // without the roles.
  function row({ case: at, columns, outcomes, what }, names) {
    const cell = (label, ...shown) => el("td", { role: "cell", "data-label": label }, ...shown);
    const [id, title] = index.cases[at];
    const [exporter] = index.exporters[index.columns[columns[0]][0]];
    const page = `../${xdbPage("cases", id)}`;
    const cells = columns.map((column, side) => cell(names[side],
      el("a", { href: `${page}#${looks.anchors[column]}` }, xdbOutcome(index.outcomes[outcomes[side]]))));
    return el("tr", { role: "row" }, shown === "exporter" ? null : cell("exporter", exporter),
      el("th", { scope: "row", role: "rowheader" }, el("a", { href: page }, title)),
      cell("device", index.places[index.columns[columns[0]][1]][1]), cells,
      what.length ? cell("another", what.join(", ")) : null);
  }

  // What the address asks for: two names of a kind; else the first two exporters.
  function restore() {
    const asked = new URLSearchParams(location.hash.replace(/^#?\?/, ""));
    const kind = Object.keys(KINDS).find((one) => asked.getAll(one).length === 2) || "exporter";
    for (const [name, both] of Object.entries(selects)) {
      both.forEach((select, at) => {
        const wanted = asked.getAll(name)[at];
        select.value = KINDS[name].includes(wanted) ? wanted : KINDS[name][name === "torch" ? KINDS[name].length - 2 + at : at] ?? "";
      });
    }
    for (const [of, select] of Object.entries(kept)) {
      const wanted = asked.get(`only-${of}`) ?? ANY;
      select.value = [...select.options].some((option) => option.value === wanted) ? wanted : ANY;
    }
    show(kind);
  }

  window.addEventListener("popstate", restore);
  // Paper has no button for the rest.
  window.addEventListener("beforeprint", () => tables.querySelectorAll(".xdb-more button").forEach((more) => more.click()));
  restore();
})();
