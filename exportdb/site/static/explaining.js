// What is said of a pasted error besides the entries: the user's own line, what the message names,
// the cases and the change that are offered, the report. exportdb.explain.answer, .frames and
// .likeness once more; a test holds the two together. Pure: knows the indices, see
// exportdb/site/explain_data.py, and no page.
"use strict";

const xdbExplaining = (() => {
  const strip = (text) => text.replace(/^[ \t]+|[ \t]+$/g, "");
  const characters = (text, most) => [...text.slice(0, 2 * most)].slice(0, most).join("");
  const lastCharacters = (text, most) => [...text.slice(-2 * most - 1)].slice(-most).join("");

  // The patterns of an index, made once for each.
  const made = new WeakMap();
  function patterns(told) {
    if (!made.has(told)) {
      const every = ["symbol_named", "expression", "operator", "piece"]; // found again and again
      made.set(told, Object.fromEntries(Object.entries(told.patterns).map(([name, text]) =>
        [name, new RegExp(text, every.includes(name) ? "gm" : "")])));
    }
    return made.get(told);
  }

  // --- the user's own line: frames.py

  function userLine(told, matcher, text) {
    const re = patterns(told), said = matcher.plain(text), lines = said.split("\n").map(matcher.bare);
    const isFrame = (line) => [matcher.frame, re.placed, re.unplaced].some((one) => one.test(line));

    // Number and source of the line that is marked below a frame, before the next frame.
    function marked(at) {
      for (const line of lines.slice(at + 1, at + 1 + told.below)) {
        if (isFrame(line)) return null;
        const arrow = re.arrow.exec(line);
        if (arrow) return [Number(arrow[1]), arrow[2]];
      }
      return null;
    }

    // What the frame that begins in a line says, or null where none does.
    function place(at) {
      const found = matcher.frame.exec(lines[at]) || re.placed.exec(lines[at]), below = marked(at);
      if (found) {
        const [, file, line, called = ""] = found, after = /^[ \t]/.test(lines[at + 1] || "") ? lines[at + 1] : "";
        const source = below && below[0] === Number(line) ? below[1] : after;
        return { file, line: Number(line), function: strip(called), source: strip(source) };
      }
      const older = re.unplaced.exec(lines[at]);
      return older && below ? { file: older[1], line: below[0], function: strip(older[2]), source: strip(below[1]) } : null;
    }

    const places = lines.map((line, at) => (isFrame(line) ? [at, place(at)] : null)).filter((one) => one && one[1]);
    const starts = lines.map((line, at) => (re.from_user.test(line) ? at : -1)).filter((at) => at >= 0).reverse();
    // The last place in no such file, with where it stands.
    const last = (foreign) => places.findLast(([, { file }]) => !foreign || !foreign.test(file)) || [-1, null];
    const own = last(re.library), notTorchs = last(re.torch), any = last();
    for (const start of starts) {
      for (const [at, found] of [own, notTorchs]) if (at >= start) return found;
    }
    if (own[1] || (starts.length && any[0] >= starts.at(-1))) return own[1] || any[1];
    const caused = re.caused.exec(said);
    return caused && { file: caused[1], line: Number(caused[2]), function: caused[3], source: "" };
  }

  // --- lines that are like it: likeness.py

  const count = (pieces) => {
    const found = new Map();
    for (const piece of pieces) found.set(piece, (found.get(piece) || 0) + 1);
    return found;
  };

  // A line as a statement: its kind and its pieces.
  function statement(told, line) {
    const re = patterns(told), words = line.match(re.piece) || [], begin = new Set(told.begin), within = new Set(told.within);
    const first = words[0] === "elif" ? "if" : words[0];
    let kind = begin.has(first) ? first : "", depth = 0, before = "";
    const found = [];
    for (const word of words.slice(kind ? 1 : 0)) {
      if ("([{".includes(word)) depth++;
      else if (")]}".includes(word)) depth--;
      if (!depth && !kind && (word === "=" || re.assigns.test(word))) kind = "=";
      const piece = pieceOf(word, before, depth);
      if (piece) found.push(piece);
      before = word;
    }
    return [kind || "call", found];

    function pieceOf(word, before, depth) {
      if (re.literal.test(word)) return "0";
      if (re.name.test(word)) return word[0] === "." || within.has(word) ? word : "";
      if (word === "(" || word === "[") {
        const named = re.name.test(before) && !within.has(before) && !begin.has(before);
        if (named || before === ")" || before === "]") return word === "(" ? "call" : "index";
        return word === "(" ? "" : "list";
      }
      if (")]},".includes(word)) return "";
      if (word === ":" || word === "=") return depth ? (word === ":" ? "slice" : "keyword") : "";
      return word;
    }
  }

  function likeness(told, [kind, pieces], statements) {
    const wanted = count(pieces);
    const alike = ([its, of]) => {
      if (its !== kind) return 0;
      const other = count(of.map((at) => told.pieces[at])), both = pieces.length + of.length;
      const common = [...wanted].reduce((sum, [piece, times]) => sum + Math.min(times, other.get(piece) || 0), 0);
      return both ? 2 * common / both : 1;
    };
    return Math.max(0, ...statements.map(alike));
  }

  // --- the answer: answer.py

  // The cases that show an entry best, the best first, as positions in the index.
  function offered(told, entry, said, place) {
    const line = place && place.source ? statement(told, place.source) : null;
    const worth = (at) => {
      const [words, statements, rewrite] = told.cases[at];
      const alike = line ? likeness(told, line, statements) : 0;
      const shared = words.filter((word) => said.has(told.words[word])).length;
      return [rewrite >= 0 ? 1 : 0, told.alike.filter((share) => alike >= share).length, shared / Math.sqrt(words.length)];
    };
    const listed = told.errors[entry][0].map((at) => [at, worth(at)]);
    listed.sort(([, a], [, b]) => b[0] - a[0] || b[1] - a[1] || b[2] - a[2]);
    return listed.slice(0, told.most).map(([at]) => at);
  }

  // A link that opens an issue with the end of a text; "" where no page for that is known.
  function report(told, read) {
    if (!told.issues) return "";
    const lines = read.lines.filter((line) => line.trim()), body = lastCharacters(lines.slice(-40).join("\n"), told.link);
    const words = { title: `Unexplained: ${characters(lines.at(-1) || "", 80)}`, body: `\`\`\`\n${body}\n\`\`\`` };
    const quoted = (text) => encodeURIComponent(text)
      .replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`).replace(/%20/g, "+");
    return `${told.issues}?${Object.entries(words).map((pair) => pair.map(quoted).join("=")).join("&")}`;
  }

  // What a message names, each once.
  function named(re, read, most) {
    const found = [...read.lines.join("\n").matchAll(re)].flatMap(([whole, ...groups]) =>
      (groups.length ? groups.filter(Boolean) : [whole]).map(strip));
    return [...new Set(found)].slice(0, most);
  }

  // What is known of a text: see Explanation.as_json. Entries and cases are positions in the index, and
  // a change is lines.
  function explained(index, told, text) {
    const matcher = xdbMatching.prepare(index), read = matcher.read(text), re = patterns(told);
    const answers = matcher.rank(read).map(([entry, , , sure]) => ({ entry, sure }));
    const sure = answers.length > 0 && answers[0].sure, best = answers.length ? answers[0].entry : -1;
    const place = userLine(told, matcher, text), cases = best < 0 ? [] : offered(told, best, read.context, place);
    const lines = (at, first) => (sure && !first ? told.cases[at][3] : []);
    const shown = cases.map((at, number) => ({ at, rewrite: told.cases[at][2], lines: lines(at, number) }));
    const [words, beginnings] = told.draft;
    return {
      sure, answers, place, cases: shown,
      symbols: named(re.symbol_named, read, 8),
      expressions: named(re.expression, read, 5),
      operators: named(re.operator, read, 5),
      change: sure && !shown.some((one) => one.lines.length) ? told.errors[best][2] : [],
      draft_export: !sure && best >= 0 && beginnings.some((one) => index.errors[best][0].startsWith(one)) && words.some((word) => read.context.has(word)),
      report: report(told, read),
      cut: text.length > xdbMatching.LONGEST,
    };
  }

  return { explained, statement, userLine };
})();
