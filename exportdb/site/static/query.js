// What the explorer asks of the index: the state in an address, which cases it finds in which order,
// and how many each further choice would find. Pure: knows the index and catalogue.js, and no page.
"use strict";

const xdbQuery = (() => {
  // Choices about one cell of a case's matrix: a case is found when a single cell fits all of them.
  // Of several choices in a group any will do.
  const CELL = ["outcome", "exporter", "device", "torch"];
  // Choices about the case: any of the topics, but every tag and every flag.
  const EVERY = ["tag", "is"];
  const GROUPS = [...CELL, "topic", ...EVERY];
  const NOTHING = ".", ZERO = "0".charCodeAt(0);

  // The score of a case that bears a text as its name: it is meant, whatever else the text may be.
  const NAMED = 1000;

  const unique = (values) => [...new Set(values)];

  // The index in the form in which it is asked: values of each group, and a record for each case.
  function prepare(index) {
    const places = index.places.map(([torch, device]) => ({ torch, device }));
    const values = {
      outcome: index.outcomes.map(([name]) => name),
      exporter: index.exporters.map(([name]) => name),
      device: unique(places.map((place) => place.device)),
      torch: unique(places.map((place) => place.torch)).sort(byVersion),
      topic: index.topics,
      tag: index.tags.map(([name]) => name),
      is: index.flags.map(([name]) => name),
    };
    const columns = index.columns.map(([exporter, place]) => ({
      exporter, place,
      device: values.device.indexOf(places[place].device),
      torch: values.torch.indexOf(places[place].torch),
    }));
    const said = index.messages.map(([type, text]) => `${type}: ${text}`);
    const cases = index.cases.map(([id, title, topic, tags, flags, cells, messages, errors, words, rewrites]) => ({
      id, title, topic, tags, flags, cells, messages, errors, rewrites,
      name: `${id}\n${title}`.toLowerCase(),
      text: [id, title, ...tags.map((tag) => values.tag[tag]), words, ...messages.map((m) => said[m])]
        .join("\n").toLowerCase(),
    }));
    return { index, values, places, columns, cases, said, known: xdbCatalogue.types(index) };
  }

  // The oldest version first: 2.9 before 2.13.
  function byVersion(a, b) {
    const [x, y] = [a, b].map((version) => version.split(".").map(Number));
    const at = x.findIndex((part, i) => part !== y[i]);
    return at < 0 ? 0 : (x[at] || 0) - (y[at] || 0);
  }

  const nothing = () => ({ q: "", sort: "", ...Object.fromEntries(GROUPS.map((group) => [group, []])) });

  // The state that an address asks for, "#?q=scan&exporter=export". It stands in the fragment, so
  // that a page opened from a folder can change it and no host ever sees what was searched for.
  // What the database does not have is left out and told in `unknown`.
  function parse(fragment, db) {
    const state = nothing(), unknown = [];
    for (const [key, value] of new URLSearchParams(fragment.replace(/^#?\?/, ""))) {
      if (key === "q") state.q = value;
      else if (key === "sort" && (/^-?title$/.test(value) || sortedExporter(value, db) >= 0)) state.sort = value;
      else if (GROUPS.includes(key) && db.values[key].includes(value)) {
        const at = db.values[key].indexOf(value);
        if (!state[key].includes(at)) state[key].push(at);
      } else unknown.push(`${key}=${value}`);
    }
    return { state, unknown };
  }

  // The fragment of a state; "" for the one that shows everything.
  function format(state, db) {
    const words = new URLSearchParams();
    if (state.q.trim()) words.set("q", state.q);
    for (const group of GROUPS) for (const at of state[group]) words.append(group, db.values[group][at]);
    if (state.sort) words.set("sort", state.sort);
    const text = words.toString();
    return text && `#?${text}`;
  }

  // The exporter whose results a sort key orders by, or -1.
  const sortedExporter = (key, db) => db.values.exporter.indexOf(key.replace(/^-?exporter:/, ""));

  // How well each case fits a text: -1 where it does not, else the higher the better.
  // Found are cases that hold the text, or every word of it, or raise or explain the error that it is.
  function scores(db, q) {
    const text = xdbCatalogue.oneLine(q).toLowerCase();
    if (!text) return db.cases.map(() => 0);
    const words = text.split(" ");
    const errors = text.length < xdbCatalogue.TELLING ? db.cases.map(() => 0) : errorScores(db, q);
    return db.cases.map((one, at) => {
      let score = -1;
      if (one.name.includes(text)) score = one.id === text || one.title.toLowerCase() === text ? NAMED : 3;
      else if (one.text.includes(text)) score = 2;
      else if (words.length > 1 && words.every((word) => one.text.includes(word))) score = 1;
      return score === NAMED || !errors[at] ? score : 10 * errors[at] + Math.max(score, 0);
    });
  }

  // How well each case fits a pasted error; 0 where it does not, or the text is no error. Most says
  // that the case explains it or raises the very text, addresses and symbols aside; then that it
  // raises one of the same entry.
  function errorScores(db, q) {
    const explained = xdbCatalogue.explain(db.index, q, db.known);
    const [best] = explained;
    const raised = xdbCatalogue.read(q, db.known).map((error) => xdbCatalogue.raised(db.index, error));
    const same = db.index.messages.map((_, at) => Math.max(...raised.map((how) => how[at])));
    return db.cases.map((one) => {
      const rank = explained.findIndex(({ entry }) => one.errors.includes(entry));
      const explains = rank < 0 ? 0 : rank === 0 ? 3 : 1;
      const alike = best && one.messages.some((m) => db.index.messages[m][2] === best.entry) ? 1 : 0;
      const text = Math.max(0, ...one.messages.map((m) => same[m]));
      return (text && text + 2) + explains + alike;
    });
  }

  // The cases that fit a state in order, and how many cases each value of each group would find if it
  // were chosen (in place of the others of its group, or with them where every choice has to hold).
  function run(db, state) {
    const fits = scores(db, state.q);
    const cells = cellReader(db, state);
    const wanted = state.is.reduce((bits, at) => bits | (1 << at), 0);
    const counts = Object.fromEntries(GROUPS.map((group) => [group, new Array(db.values[group].length).fill(0)]));
    const found = [];
    db.cases.forEach((one, at) => {
      if (fits[at] < 0) return;
      if ((one.flags & wanted) !== wanted || !state.tag.every((tag) => one.tags.includes(tag))) return;
      const inCell = cells.read(one, at);
      if (inCell) counts.topic[one.topic] += 1;
      if (state.topic.length && !state.topic.includes(one.topic)) return;
      cells.count(counts, at);
      if (!inCell) return;
      found.push(at);
      for (const tag of one.tags) counts.tag[tag] += 1;
      counts.is.forEach((_, flag) => { if (one.flags & (1 << flag)) counts.is[flag] += 1; });
    });
    return { found: sorted(db, state, found, fits), counts };
  }

  // Reads the cells of cases. This is the inner loop, some hundred thousand cells for each key, so it
  // makes no objects: `near` holds for each value of each group the last case that has a cell with it
  // which fits the choices of all other groups.
  function cellReader(db, state) {
    const chosen = CELL.map((group) =>
      state[group].length ? db.values[group].map((_, at) => state[group].includes(at)) : null);
    const near = CELL.map((group) => new Int32Array(db.values[group].length).fill(-1));
    const columns = CELL.map((group) => db.columns.map((column) => column[group])); // none for the outcome
    const cell = new Int32Array(CELL.length);
    return {
      // Whether a cell of the case fits all choices. A case that nobody measured fits as long as
      // nothing is asked about its results.
      read(one, stamp) {
        let fits = false, empty = true;
        for (let at = 0; at < one.cells.length; at++) {
          if (one.cells[at] === NOTHING) continue;
          empty = false;
          let misses = 0, missed = -1;
          for (let group = 0; group < CELL.length; group++) {
            cell[group] = group ? columns[group][at] : one.cells.charCodeAt(at) - ZERO;
            if (chosen[group] && !chosen[group][cell[group]]) { misses += 1; missed = group; }
          }
          if (misses > 1) continue;
          if (misses) near[missed][cell[missed]] = stamp;
          else {
            fits = true;
            for (let group = 0; group < CELL.length; group++) near[group][cell[group]] = stamp;
          }
        }
        return fits || (empty && chosen.every((values) => !values));
      },
      // Count the case that was just read for each value that it would be found by.
      count(counts, stamp) {
        near.forEach((values, group) => {
          for (let at = 0; at < values.length; at++) if (values[at] === stamp) counts[CELL[group]][at] += 1;
        });
      },
    };
  }

  function valuesOf(db, one, at) {
    const { exporter, device, torch } = db.columns[at];
    return { outcome: one.cells.charCodeAt(at) - ZERO, exporter, device, torch };
  }

  function sorted(db, state, found, fits) {
    const key = state.sort.replace(/^-/, "");
    const sign = state.sort.startsWith("-") ? -1 : 1;
    if (key === "title") return found.sort((a, b) => sign * db.cases[a].title.localeCompare(db.cases[b].title));
    if (key) {
      const exporter = sortedExporter(key, db);
      const outcome = new Map(found.map((at) => {
        const cell = shown(db, state, db.cases[at], exporter);
        return [at, cell ? cell.outcome : null];
      }));
      // What was not measured comes last either way.
      return found.sort((a, b) => {
        const [x, y] = [outcome.get(a), outcome.get(b)];
        return x === null || y === null ? (x === null) - (y === null) : sign * (x - y);
      });
    }
    return state.q.trim() ? found.sort((a, b) => fits[b] - fits[a]) : found;
  }

  // The place whose results are shown: the newest torch and the first device of those chosen.
  function place(db, state) {
    const all = db.places.map((_, at) => at).filter((at) =>
      (!state.device.length || state.device.includes(db.values.device.indexOf(db.places[at].device))) &&
      (!state.torch.length || state.torch.includes(db.values.torch.indexOf(db.places[at].torch))));
    const [first] = all;
    if (first === undefined) return -1;
    return all.filter((at) => db.places[at].device === db.places[first].device).at(-1);
  }

  // The cell to show for an exporter: of the cells that fit the choices the one at the place shown,
  // else the newest; where none fits, what is at that place. {outcome, place} or null.
  function shown(db, state, one, exporter, here = place(db, state)) {
    let fitting = null, plain = null, newest = -1;
    for (let at = 0; at < one.cells.length; at++) {
      const column = db.columns[at];
      if (column.exporter !== exporter || one.cells[at] === NOTHING) continue;
      const values = valuesOf(db, one, at);
      const cell = { outcome: values.outcome, place: column.place };
      const fits = CELL.every((group) => !state[group].length || state[group].includes(values[group]));
      if (column.place === here) {
        if (fits) return cell;
        plain = cell;
      }
      if (fits && column.torch >= newest) [fitting, newest] = [cell, column.torch];
    }
    return state.outcome.length ? fitting ?? plain : plain ?? fitting;
  }

  // A function that gives for a case the position of its error text that best fits what was searched
  // for, or -1.
  function saying(db, q) {
    const text = xdbCatalogue.oneLine(q).toLowerCase();
    if (!text) return () => -1;
    const said = db.said.map((line) => line.toLowerCase());
    const how = xdbCatalogue.read(q, db.known).map((error) => xdbCatalogue.raised(db.index, error));
    return ({ name, messages }) => {
      const first = (fits) => messages.find((m) => fits(m));
      const words = text.split(" ").filter((word) => !name.includes(word));
      return first((m) => said[m].includes(text)) ?? first((m) => how.some((raised) => raised[m])) ??
        (words.length ? first((m) => words.every((word) => said[m].includes(word))) : undefined) ?? -1;
    };
  }

  return { CELL, GROUPS, prepare, nothing, parse, format, run, place, shown, saying };
})();
