// What the tests ask of the scripts, and the one thing of a browser that a bare engine lacks.
const index = window.exportdbIndex;
const db = xdbQuery.prepare(index);

// Enough of the real one, which the browser tests use.
var URLSearchParams = class {
  constructor(text = "") {
    const part = (words) => decodeURIComponent(words.replace(/[+]/g, " "));
    this.pairs = text.split("&").filter(Boolean).map((pair) => pair.split("=").map(part));
  }
  [Symbol.iterator]() { return this.pairs[Symbol.iterator](); }
  append(key, value) { this.pairs.push([key, value]); }
  set(key, value) { this.append(key, value); }
  toString() { return this.pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&"); }
};

// A state from choices by name, as they stand in an address: {q: "scan", exporter: ["export"]}.
function stateOf(words) {
  const params = new URLSearchParams();
  for (const [key, values] of Object.entries(words)) {
    for (const value of [values].flat()) params.append(key, value);
  }
  return xdbQuery.parse(`#?${params}`, db).state;
}

function found(words) {
  return xdbQuery.run(db, stateOf(words)).found.map((at) => db.cases[at].id);
}

// How many cases each value of each group would find.
function counts(words) {
  const named = (group, numbers) => numbers.map((count, at) => [db.values[group][at], count]);
  return Object.fromEntries(Object.entries(xdbQuery.run(db, stateOf(words)).counts)
    .map(([group, numbers]) => [group, Object.fromEntries(named(group, numbers))]));
}
