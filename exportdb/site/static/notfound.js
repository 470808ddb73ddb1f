// The page for an address that does not exist: finds the cases whose IDs are like it.
"use strict";

(() => {
  const root = document.getElementById("notfound");
  const index = window.exportdbIndex;
  if (!root || !index || index.version !== 1) return;

  const el = xdbElement;
  const MOST = 10;
  const base = new URL(document.documentElement.dataset.content_root || "./", document.baseURI);

  // Words of the address, without the folder that the site lies in.
  const parts = (text) => text.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word.length > 2);
  const asked = location.pathname.startsWith(base.pathname)
    ? location.pathname.slice(base.pathname.length) : location.pathname;
  const kind = /^(?:cases|errors|tags|topics|exporters|compare|guides|api)\//;
  const words = parts(asked.replace(kind, "").replace(/^404\.html$|(?:\/index)?\.html$/, "").replace(/%20/g, " "));
  const likeness = ([id, title]) => {
    const own = new Set(parts(`${id} ${title}`));
    return words.filter((word) => own.has(word)).length;
  };
  const like = index.cases.map((one) => [likeness(one), one]).filter(([score]) => score)
    .sort(([a], [b]) => b - a).slice(0, MOST).map(([, one]) => one);

  const search = el("input", { type: "search", id: "xdb-missing", value: words.join(" ") });
  const form = el("form", { role: "search", class: "xdb-missing" }, el("label", { for: "xdb-missing" }, "Search all cases"), search,
    el("button", { type: "submit" }, "Search"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.href = new URL(`index.html#?${new URLSearchParams({ q: search.value })}`, base);
  });
  root.append(form, ...(like.length ? [el("h2", {}, "Cases with a name like this"), el("ul", {}, like.map(([id, title]) =>
    el("li", {}, el("a", { href: new URL(xdbPage("cases", id), base) }, title), " ", el("code", {}, id))))] : []));
})();
