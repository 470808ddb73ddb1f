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

  // The score of a case that has a text as its name: it is meant, whatever else the text may be.
  const NAMED = 1000;
  // What a word is worth in a name, in what a program uses, in what it raises; what it is worth to have
  // all words. Where fewer cases than FEW have all, those are found too that come nearest to them.
  const IN_NAME = 3, IN_USES = 1, IN_ERROR = 0.5, ALL = 0.15, FEW = 5, NEAREST = 0.5;

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
      uses: [...tags.map((tag) => values.tag[tag]), words].join("\n").toLowerCase(),
      raised: messages.map((m) => said[m]).join("\n").toLowerCase(),
    })).map((one) => ({ ...one, text: `${one.name}\n${one.uses}\n${one.raised}` }));
    const columnsAt = places.map((_, place) => new Map(columns.flatMap((column, at) =>
      column.place === place ? [[column.exporter, at]] : [])));
    const db = { index, values, places, columns, columnsAt, cases, said, known: xdbCatalogue.types(index) };
    return { ...db, teaching: teaching(db) };
  }

  // All cases, those that teach most first: where the exporter that stands first fails, without a word
  // above all, where there is a way out, and where exporters or versions differ. Topics take turns.
  function teaching(db) {
    const bit = (name) => 1 << Math.max(0, db.index.flags.findIndex(([flag]) => flag === name));
    const worth = db.cases.map((one) => {
      const cell = shown(db, nothing(), one, 0);
      const name = cell ? db.values.outcome[cell.outcome] : "";
      const weighed = [["has_rewrite", 2], ["silently_wrong", 1], ["changed", 1], ["differs", 1]];
      return weighed.reduce((sum, [flag, more]) => sum + (one.flags & bit(flag) ? more : 0), one.errors.length ? 1 : 0) +
        ({ wrong: 4, refused: 2, unguarded: 2, specialized: 2 }[name] || 0);
    });
    const turn = new Map(), turns = [];
    const best = db.cases.map((_, at) => at).sort((a, b) => worth[b] - worth[a] || a - b);
    for (const at of best) {
      const { topic } = db.cases[at];
      turns[at] = turn.get(topic) || 0;
      turn.set(topic, turns[at] + 1);
    }
    return best.sort((a, b) => turns[a] - turns[b] || worth[b] - worth[a] || a - b);
  }

  // Names that stand for several exporters in a condition: some that was measured, or each of those.
  const SOME = "any", EACH = "all";

  // A condition among the words of a search: `export:wrong`, `export-strict:!wrong,refused`,
  // `any:crashed`, `all:!supported`, `changed:2.11..2.15`, `export:changed:2.11..2.15`. Null for what
  // is a plain word.
  function condition(db, word) {
    const over = /^(?:([^:]+):)?changed:([\d.]+?)\.\.([\d.]+)$/.exec(word);
    if (over) {
      const exporter = over[1] ? db.values.exporter.indexOf(over[1]) : null;
      const torches = over.slice(2).map((torch) => db.values.torch.indexOf(torch));
      return exporter === -1 || torches.includes(-1) ? null : { exporter, torches };
    }
    const [, name, not, outcomes] = /^([^:]+):(!?)([a-z,]+)$/.exec(word) || [];
    const one = db.values.exporter.indexOf(name), several = [SOME, EACH].includes(name);
    const wanted = (outcomes || "").split(",").map((outcome) => db.values.outcome.indexOf(outcome));
    const exporter = one < 0 && several ? name : one;
    return exporter === -1 || wanted.includes(-1) ? null : { exporter, not: Boolean(not), wanted };
  }

  // Words of a search that were meant as conditions and are none, as of half of them something is
  // known: [{word, unknown, instead}], where `unknown` says what there is not, and `instead` are
  // conditions that may have been meant.
  function misspelt(db, q) {
    const { exporter: exporters, outcome: outcomes } = db.values;
    const near = (name, names) => names.filter((other) => other !== name && name.length > 2 &&
      (other.includes(name) || distance(name, other) <= 2));
    return xdbCatalogue.oneLine(q).toLowerCase().split(" ").flatMap((word) => {
      const [, name, not, said] = /^([\w.-]+):(!?)([a-z,]+)$/.exec(word) || [];
      if (!name || condition(db, word)) return [];
      const every = said.split(","), known = every.every((outcome) => outcomes.includes(outcome));
      if (known) return [{ word, unknown: `exporter ${name}`, instead: near(name, exporters).map((other) => `${other}:${not}${said}`) }];
      if (![...exporters, SOME, EACH].includes(name)) return [];
      const meant = every.map((one) => (outcomes.includes(one) ? one : near(one, outcomes)[0]));
      const strange = every.find((one) => !outcomes.includes(one));
      return [{ word, unknown: `outcome ${strange}`, instead: meant.every(Boolean) ? [`${name}:${not}${meant}`] : [] }];
    });
  }

  // A search as its plain words and its conditions.
  function asked(db, q) {
    const words = xdbCatalogue.oneLine(q).split(" "), conditions = [];
    const plain = words.filter((word) => {
      const one = word.includes(":") && condition(db, word.toLowerCase());
      if (one) conditions.push(one);
      return !one;
    });
    return { text: conditions.length ? plain.join(" ") : q, conditions };
  }

  // The exporters that the conditions of a search name, in that order.
  function named(db, q) {
    return unique(asked(db, q).conditions.map(({ exporter }) => exporter).filter((one) => typeof one === "number"));
  }

  // What conditions ask of an exporter with a torch that it was never measured with, so that nothing
  // is found: [{exporter, torch}].
  function unmeasured(db, q) {
    const over = asked(db, q).conditions.filter(({ exporter, torches }) => torches && exporter !== null);
    return over.flatMap(({ exporter, torches }) => torches.filter((torch) =>
      !db.columns.some((column) => column.exporter === exporter && column.torch === torch))
      .map((torch) => ({ exporter: db.values.exporter[exporter], torch: db.values.torch[torch] })));
  }

  // Whether a case fits conditions: those on outcomes hold together at one place of those chosen, as
  // of exporters that both were measured there; one on versions on some device.
  function holds(db, state, one, conditions) {
    const at = (column) => (one.cells[column] === NOTHING ? null : one.cells.charCodeAt(column) - ZERO);
    const outcome = (exporter, place) => {
      const column = db.columnsAt[place].get(exporter);
      return column === undefined ? null : at(column);
    };
    const outcomes = (exporter, place) => (typeof exporter === "number" ? [outcome(exporter, place)]
      : [...db.columnsAt[place].values()].map(at)).filter((found) => found !== null);
    const chosen = (group, place) => !state[group].length ||
      state[group].includes(db.values[group].indexOf(db.places[place][group]));
    const places = db.places.map((_, place) => place).filter((place) => chosen("device", place));
    const of = conditions.filter(({ wanted }) => wanted), over = conditions.filter(({ torches }) => torches);
    const exporters = state.exporter.length ? state.exporter : db.values.exporter.map((_, at) => at);
    const fits = (place) => of.every(({ exporter, not, wanted }) => {
      const found = outcomes(exporter, place), fit = (each) => wanted.includes(each) !== not;
      return found.length > 0 && (exporter === EACH ? found.every(fit) : found.some(fit));
    });
    // What the table shows decides, where all of it was measured.
    const here = place(db, state);
    const measured = here >= 0 && of.every(({ exporter }) => outcomes(exporter, here).length);
    const hold = measured ? fits(here) : places.some((at) => chosen("torch", at) && fits(at));
    return (!of.length || hold) && over.every(({ exporter, torches }) => places.some((before) => {
      if (db.places[before].torch !== db.values.torch[torches[0]]) return false;
      const after = places.find((place) => db.places[place].device === db.places[before].device &&
        db.places[place].torch === db.values.torch[torches[1]]);
      return after !== undefined && (exporter === null ? exporters : [exporter]).some((name) => {
        const [a, b] = [outcome(name, before), outcome(name, after)];
        return a !== null && b !== null && a !== b;
      });
    }));
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
    const named = xdbCatalogue.named(db.index, text); // first who explains the entry, then who met it
    const met = (one) => one.messages.some((m) => db.index.messages[m][2] === named);
    if (named >= 0) return db.cases.map((one) => (one.errors.includes(named) ? 3 : met(one) ? 2 : -1));
    const words = text.split(" ");
    const errors = text.length < xdbCatalogue.SHORTEST ? db.cases.map(() => 0) : errorScores(db, q);
    // A short word has to begin one: "cond" is not in "second".
    const begun = Object.fromEntries((words.length < 9 ? words : []).map((word) => [word, begins(word)]));
    const has = (of, what) => (/^[a-z0-9]{1,4}$/.test(what) && begun[what] ? begun[what].test(of) : of.includes(what));
    const significant = [...new Set(words)].filter((word) => !LITTLE.has(word));
    const near = words.length > 1 || !db.cases.some((one) => has(one.text, text)) ? relevance(db, text) : [];
    const whole = db.cases.map((one, at) => {
      if (has(one.name, text)) return one.id === text || one.title.toLowerCase() === text ? NAMED : 3;
      if (has(one.text, text)) return 2;
      if (!near.length || !significant.length || !significant.every((word) => has(one.text, word))) return -1;
      // A message may hold words of which the program knows nothing.
      return near[at] + (significant.every((word) => has(one.name, word) || has(one.uses, word)) ? ALL : 0);
    });
    const few = !errors.some(Boolean) && whole.filter((score, at) => score >= (near[at] ?? 0) + ALL).length < FEW;
    const least = NEAREST * near.reduce((most, score) => Math.max(most, score), 0);
    return whole.map((score, at) => {
      if (errors[at]) return score === NAMED ? score : 10 * errors[at] + Math.max(score, 0);
      return score < 0 && few && near[at] > 0 && near[at] >= least ? near[at] : score;
    });
  }

  // Finds a word, or what begins with it, in a text.
  const begins = (word) => new RegExp(`(?:^|[^a-z0-9])${word.replace(/[^a-z0-9]/g, "\\$&")}`);

  // What a reader means though no text holds it: words without endings, and without those that say
  // little; a word that nobody uses as what is nearest to it. A word weighs the more the fewer have it.
  const LITTLE = new Set(("a an and are as at be by can do does for from get have how i in into is it me my not of on or that " +
    "the this to torch use using want we what when which why with you statement model any no some such there " +
    "thing").split(" "));
  const stem = (word) => {
    const short = word.replace(/(?:ies|es|s|ing|ed)$/, "").replace(/e$/, "");
    return short.length > 2 ? short : word;
  };
  const BETWEEN = /[^a-z0-9]+/;

  // How near each case comes to words, from 0 to 1: all of them in its name. A word that no case has
  // says nothing; where most are such, no case is near.
  function relevance(db, text) {
    const words = [...new Set(text.split(BETWEEN).filter((word) => word && !LITTLE.has(word)).map(stem))];
    if (words.length > 8) return [];
    const held = words.map((word) => {
      const { patterns, named } = meant(db, word);
      const how = db.cases.map((one) => (patterns.some((it) => it.test(one.name)) ? IN_NAME
        : named ? 0 : patterns.some((it) => it.test(one.uses)) ? IN_USES : patterns.some((it) => it.test(one.raised)) ? IN_ERROR : 0));
      const cases = how.filter(Boolean).length;
      return { how, weight: cases ? Math.log(1 + db.cases.length / cases) : 0 };
    });
    if (2 * held.filter(({ weight }) => weight).length < words.length) return [];
    const most = IN_NAME * held.reduce((sum, { weight }) => sum + weight, 0);
    return db.cases.map((_, at) => (most ? held.reduce((sum, { how, weight }) => sum + how[at] * weight, 0) / most : 0));
  }

  // What a word is looked for by: itself; else words a letter away; else one that it goes on from
  // ("dict" of "dictionary"); else, in names, words that begin with its letters ("kv" for key, value).
  function meant(db, word) {
    const own = begins(word);
    if (db.cases.some((one) => own.test(one.text))) return { patterns: [own] };
    const near = alike(db, word).filter((other) => other !== word);
    if (near.length) return { patterns: near.map(begins) };
    const [stump] = vocabulary(db).filter((other) => word.startsWith(other)).sort((a, b) => b.length - a.length);
    if (stump) return { patterns: [begins(stump)] };
    if (!/^[a-z]{2,5}$/.test(word)) return { patterns: [] };
    const letters = [...word].map((letter) => `${letter}[a-z]*`).join("[^a-z0-9]+");
    return { patterns: [new RegExp(`(?:^|[^a-z0-9])${letters}(?![a-z0-9])`)], named: true };
  }

  // The words of names, without endings.
  function vocabulary(db) {
    db.vocabulary ??= [...new Set(db.cases.flatMap((one) => one.name.split(BETWEEN)).filter((w) => w.length > 3).map(stem))]
      .filter((word) => word.length > 3);
    return db.vocabulary;
  }

  // The words of names that are a letter away from one, or two from a long one.
  function alike(db, word) {
    if (word.length < 4) return [];
    const most = word.length > 7 ? 2 : 1;
    return vocabulary(db).filter((other) => Math.abs(other.length - word.length) <= most && distance(word, other) <= most);
  }

  function distance(a, b) {
    let row = [...b].map((_, i) => i + 1);
    row.unshift(0);
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      }
      row = next;
    }
    return row[b.length];
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
    const { text, conditions } = asked(db, state.q);
    const fits = scores(db, text);
    const cells = cellReader(db, state);
    const wanted = state.is.reduce((bits, at) => bits | (1 << at), 0);
    const counts = Object.fromEntries(GROUPS.map((group) => [group, new Array(db.values[group].length).fill(0)]));
    const found = [];
    db.cases.forEach((one, at) => {
      if (fits[at] < 0 || (conditions.length && !holds(db, state, one, conditions))) return;
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
    const order = new Map(db.teaching.map((at, place) => [at, place]));
    return found.sort((a, b) => fits[b] - fits[a] || order.get(a) - order.get(b));
  }

  // The place whose results are shown: the newest torch and the first device of those chosen.
  function place(db, state) {
    const all = db.places.map((_, at) => at).filter((at) =>
      (!state.device.length || state.device.includes(db.values.device.indexOf(db.places[at].device))) &&
      (!state.torch.length || state.torch.includes(db.values.torch.indexOf(db.places[at].torch))));
    const [first] = all;
    if (first === undefined) return -1;
    if (all.includes(db.index.place) && !state.torch.length) return db.index.place;
    return all.filter((at) => db.places[at].device === db.places[first].device).at(-1);
  }

  // The cell to show for an exporter: of the cells that fit the choices the one at the place shown,
  // else the newest; where none fits, what is at that place. {outcome, place} or null.
  function shown(db, state, one, exporter, here = place(db, state)) {
    let fitting = null, plain = null, nearest = -Infinity;
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
      // The device that is known best before a newer torch on another.
      const near = column.torch - 1000 * column.device;
      if (fits && near > nearest) [fitting, nearest] = [cell, near];
    }
    return state.outcome.length ? fitting ?? plain : plain ?? fitting;
  }

  // A function that gives for a case the position of its error text that best fits what was searched
  // for, or -1.
  function saying(db, q) {
    const text = xdbCatalogue.oneLine(asked(db, q).text).toLowerCase();
    if (!text.trim()) return () => -1;
    const said = db.said.map((line) => line.toLowerCase());
    const how = xdbCatalogue.read(q, db.known).map((error) => xdbCatalogue.raised(db.index, error));
    return ({ name, messages }) => {
      const first = (fits) => messages.find((m) => fits(m));
      const words = text.split(" ").filter((word) => !name.includes(word));
      return first((m) => said[m].includes(text)) ?? first((m) => how.some((raised) => raised[m])) ??
        (words.length ? first((m) => words.every((word) => said[m].includes(word))) : undefined) ?? -1;
    };
  }

  return { CELL, GROUPS, prepare, nothing, parse, format, run, place, shown, saying, misspelt, named, unmeasured };
})();
