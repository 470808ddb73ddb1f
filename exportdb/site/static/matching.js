// Which entries of the catalogue an error text is about: exportdb.explain.reading, .alike and
// .matching once more, with the same whole numbers; a test holds the two together. Pure: knows no page.
"use strict";

const xdbMatching = (() => {
  // As in exportdb/explain/matching.py, alike.py and reading.py.
  const STOP = new Set(("a an and are as at be been but by can cannot could did do does for from had has have if in is " +
    "it its may must no not of on or please should so such than that the then there these this to " +
    "up use used using was we were when which while will with would you your # error expected got " +
    "given found type types tensor tensors torch function").split(" "));
  const DENIALS = new Set(["no", "without"]);
  const NEAR = 8, FAR = 140, CLOSE = 12, LIGHT = 40, WHOLE = 900, LEAST = 24, PIECES = [[400, 500], [520, 280], [900, 0]], COMMON = 200, SLIGHT = 120, RIVAL = 400, OWN = 3, FEW = 60, MOST = 5, CUT = 2, BRIEF = 24;
  const LONGEST = 1050000, HEAD = 300000, FIRST = 10000, LAST = 30000, AGAIN = 2;
  const ALONE = ".", IN_TYPES = 40, IN_TITLE = 40, IN_ALSO = 80, IN_TEXT = 40, IN_MESSAGES = 30, CHAIN = 9, SAID = 40, MISSING = 600, IN_SAID = 60, HALF = 5,
    LONG = 40, GAIN = 400,
    STEM = 6, SHORT = 3, PLACES = 4, PREFIXES = 6, WIDEST = 400, SHOWN = 8;
  // Half of a character, which no address and no other encoding can hold.
  const ALONE_HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
  const ENTITIES = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&nbsp;": " " };

  // Python counts characters, JavaScript halves of some of them.
  const length = (line) => (/[\ud800-\udfff]/.test(line) ? [...line].length : line.length);
  const getOr = (map, key, make) => {
    if (!map.has(key)) map.set(key, make());
    return map.get(key);
  };

  function reader(patterns) {
    const re = Object.fromEntries(Object.entries(patterns).map(([name, text]) =>
      [name, new RegExp(text, ["terminal", "control", "blank", "wide", "tag", "entity", "escaped", "installed", "assertion", "quoted", "token", "word", "part"].includes(name) ? "g" : "")]));

    const words = (text) => text.toLowerCase().match(re.token) || [];
    const tokens = (text) => words(text).map((word) =>
      /^[0-9]/.test(word) ? "#" : word[0] === "'" ? "'$" : re.symbol.test(word) ? "$" : word);
    function terms(text) {
      const found = new Set();
      for (const word of new Set(text.match(re.word))) {
        const parts = word.match(re.part) || [];
        for (const part of parts) if (part.length >= SHORT) found.add(part.slice(0, STEM).toLowerCase());
        if (parts.length > 1) found.add(word.toLowerCase());
      }
      return found;
    }
    function placeTerms(text) {
      const found = new Set();
      for (const [, module, called] of text.split("\n").map((line) => re.place.exec(line)).filter(Boolean).slice(-PLACES)) {
        let [name, ...parts] = module.replace(/\.py$/, "").split(/[/\\.]/);
        found.add(`${name}.`);
        for (const part of parts) {
          name += `.${part}`;
          found.add(name);
        }
        if (called) found.add(`${name}:${called}`);
      }
      found.delete("torch.");
      return found;
    }
    // Of a text that is too long the beginning and the end, where what ended a program stands.
    const ends = (text) => (text.length > LONGEST ? `${text.slice(0, HEAD)}\n${text.slice(HEAD + 1 - LONGEST)}` : text);
    // Without what a box would take seconds to draw, and nothing is read from: colours, blank lines.
    const tidied = (text) => text.replace(re.terminal, "").replace(/\r\n?/g, "\n").replace(re.blank, "\n".repeat(17));
    const clean = (text) => ends(text).replace(ALONE_HALF, "?").replace(re.terminal, "").replace(/\r\n?/g, "\n").replace(re.control, " ").replace(re.blank, "\n".repeat(17))
      .replace(re.wide, (run) => [...run].filter((_, at) => at % 2 === 0).join(""));

    // A page of the web, a line of JSON or what is in a box as Python printed it.
    function plain(text) {
      let said = clean(text);
      if (re.traceback.test(said) && (said.match(re.escaped) || []).length > 2 * (said.split("\n").length - 1)) {
        said = said.replace(re.escaped, "\n").replaceAll('\\"', '"');
      }
      const bare = said.replace(re.tag, "");
      if (bare !== said) said = bare.replace(re.entity, (name) => ENTITIES[name] || "'");
      const lines = unquoted(said.split("\n"));
      return (re.box.test(said) ? unboxed(lines).map((line) => (length(line) <= WIDEST ? line.replace(re.edge, "") : line)) : lines).join("\n");
    }

    // Lines without the marks of a quotation, where all of them have one.
    function unquoted(lines) {
      for (let times = 0; times < PREFIXES; times++) {
        const filled = lines.filter((line) => line.trim());
        if (filled.length < 2 || !filled.every((line) => re.quote.test(line))) break;
        lines = lines.map((line) => line.replace(re.quote, ""));
      }
      return lines;
    }

    // Lines of a box that were broken at its edge, made whole.
    function unboxed(lines) {
      const whole = [];
      let isFull = false;
      for (const line of lines) {
        const on = isFull ? re.goes_on.exec(line) : null;
        if (on) whole[whole.length - 1] = whole[whole.length - 1].replace(re.edge, "") + line.slice(on[0].length);
        else whole.push(line);
        isFull = length(line) <= WIDEST && re.full.test(line);
      }
      return whole;
    }

    function unwrapped(lines) {
      const width = lines.reduce((most, line) => Math.max(most, length(line)), 0);
      if (width < 60 || width > 240 || lines.filter((line) => length(line) === width).length < 2) return lines;
      const whole = [""];
      for (const line of lines) {
        if (whole[whole.length - 1] && re.begins.test(line)) whole.push("");
        whole[whole.length - 1] += line;
        if (length(line) < width) whole.push("");
      }
      return whole;
    }

    function bare(line) {
      for (let times = 0; times < PREFIXES; times++) {
        const found = re.prefix.exec(line);
        if (!found || !found[0]) break;
        line = line.slice(found[0].length);
      }
      return line;
    }

    function withoutFrames(lines) {
      const kept = [];
      let after = false;
      for (const line of lines) {
        if (re.frame.test(line) || re.cell.test(line)) after = true;
        else if (re.marks.test(line) || re.between.test(line) || (after && re.source.test(line))) continue;
        else {
          after = false;
          kept.push(line);
        }
      }
      return kept;
    }

    // What the source line that raises quotes, where a traceback ends before it says its error.
    function quotedAtTheEnd(lines) {
      const last = lines.findLastIndex((line) => re.frame.test(line) || re.cell.test(line));
      const below = last < 0 ? [] : lines.slice(last + 1), marked = below.some((line) => re.marked.test(line));
      const at = below.findLastIndex((line) => re.raises.test(line) && (!marked || re.marked.test(line)));
      if (at < 0 || withoutFrames(lines.slice(last)).some((line) => words(line).length)) return [];
      const statement = below.slice(at), end = statement.findIndex((line) => line.trimEnd().endsWith(")"));
      const found = statement.slice(0, Math.min(end < 0 ? SHOWN : end + 1, SHOWN)).join("\n").match(re.quoted);
      return found ? [`${re.raises.exec(statement[0])[1]}: ${found.map((quoted) => quoted.slice(1, -1)).join(" ")}`] : [];
    }

    // The source of the last frame, where a text ends in a frame.
    function shownAtTheEnd(lines) {
      const last = lines.findLastIndex((line) => re.frame.test(line) || re.cell.test(line));
      if (last < 0 || withoutFrames(lines.slice(last)).some((line) => words(line).length)) return [];
      const below = lines.slice(last + 1), marked = below.filter((line) => re.marked.test(line));
      return marked.length ? marked : below.slice(0, SHOWN);
    }

    function withoutWarnings(lines) {
      let after = false;
      return lines.filter((line) => {
        const shown = after && re.warned.test(line);
        after = re.warning.test(line);
        return !(after || shown);
      });
    }

    function read(text) {
      const raw = plain(text), lines = unwrapped(raw.split("\n")).map((line) => line.replace(re.installed, "$1/"));
      const marked = lines.map((line, at) => (re.pytest.test(line) ? at : -1)).filter((at) => at >= 0);
      if (marked[0] > 0 && re.exception.test(lines[marked[0] - 1])) marked.unshift(marked[0] - 1);
      const told = (marked.length ? marked.map((at) => lines[at]) : lines).map(bare), kept = withoutFrames(told);
      const ended = re.traceback.test(raw) || lines.some((line) => re.ended.test(line));
      const messages = (ended ? withoutWarnings(kept) : kept).filter((line) => !re.footer.test(line)), said = [...(words(messages.join("\n")).length ? messages : kept), ...quotedAtTheEnd(told)];
      const seen = new Map();
      let all = [], begins = 0;
      for (const line of said) {
        const here = tokens(line), key = here.join(" ");
        seen.set(key, (seen.get(key) || 0) + 1);
        if (seen.get(key) > AGAIN) continue;
        if (re.exception.test(line)) begins = all.length;
        for (const word of here) all.push(word);
      }
      const last = all.slice(begins).slice(-LAST);
      if (all.length > FIRST + LAST) all = [...all.slice(0, FIRST), ...all.slice(-LAST)];
      const ends = said.some((line) => re.exception.test(line)), heads = ends ? [] : lines.map((line) => re.head.exec(line));
      const raised = [...[...lines.map((line) => re.raises.exec(bare(line))), ...heads].filter(Boolean).map((found) => found[1]),
        ...(ends || !ended ? [] : shownAtTheEnd(told))];
      const about = terms([...said, ...raised].join("\n").replace(re.assertion, " "));
      const named = new Set([...(about.size ? about : terms(lines.join("\n"))), ...placeTerms(lines.filter((line) => !re.footer.test(line)).join("\n"))]);
      return { lines: said, tokens: all, terms: named, context: new Set(words(raw)), last };
    }
    return { read, terms, tokens, plain, tidied, bare, frame: re.frame };
  }

  // The errors of an index made ready; done once for each.
  const ready = new WeakMap();
  function prepare(index) {
    if (!ready.has(index)) ready.set(index, matcher(index.errors, index.texts, reader(index.reading)));
    return ready.get(index);
  }

  function wording(pieces, tokens) {
    const pairs = [];
    pieces.forEach((piece, number) => {
      const words = tokens(piece);
      for (let at = 0; at + 1 < words.length; at++) pairs.push([words[at], words[at + 1], number]);
      if (words.length === 1 && !STOP.has(words[0])) pairs.push([words[0], ALONE, number]);
    });
    return pairs;
  }

  // Texts that were judged: the entries of each, and which of them say what.
  function judged([owned, said]) {
    const owners = owned.flatMap(([times, entries]) => Array(times).fill(entries));
    const numbers = new Map(Object.entries(said).map(([one, gaps]) => {
      let number = 0;
      return [one, gaps.map((gap) => (number += gap))];
    }));
    return { owners, numbers };
  }

  // How often, in tenths of a text, texts about each entry have a term.
  function wordsOf(errors, { owners, numbers }) {
    const parts = errors.map(() => new Map());
    for (const [term, at] of numbers) {
      if (/[ .]/.test(term)) continue;
      for (const number of at) {
        for (const entry of owners[number]) {
          parts[entry].set(term, (parts[entry].get(term) || 0) + Math.floor(60 / owners[number].length));
        }
      }
    }
    return parts.map((of) => [...of].filter(([, sum]) => sum >= 6).map(([term, sum]) => [term, Math.floor(sum / 6)]));
  }

  // How much each term weighs in which entries.
  function weighed(errors, words, terms) {
    const bags = new Map(), people = new Map(), weighed = new Map();
    const add = (of, term, at, weight) => {
      const entries = getOr(of, term, () => new Map());
      entries.set(at, (entries.get(at) || 0) + weight);
    };
    const messages = errors.map(([, , , templates]) => {
      const times = new Map();
      for (const pieces of templates) for (const term of terms(pieces.join(" "))) times.set(term, (times.get(term) || 0) + 1);
      return times;
    });
    const totals = messages.map((times) => [...times.values()].reduce((sum, one) => sum + one, 0));
    const mean = Math.floor(totals.reduce((sum, one) => sum + one, 0) / Math.max(1, errors.length));
    errors.forEach(([, title, types, , meaning, remedy, , , , , also, said], at) => {
      for (const [weight, texts] of [[IN_TYPES, types], [IN_TITLE, [title]], [IN_ALSO, [also]], [IN_TEXT, [meaning, remedy]]]) {
        for (const term of terms(texts.join(" "))) add(bags, term, at, weight);
      }
      for (const [term, times] of messages[at]) {
        add(bags, term, at, Math.floor(2 * IN_MESSAGES * times * mean / (times * mean + mean + totals[at])));
      }
      for (const [term, tenths] of new Map([...words[at], ...Object.entries(said)])) {
        add(people, term, at, Math.floor(IN_SAID * tenths / (tenths + HALF)));
      }
    });
    for (const [term, entries] of [...bags, ...people]) {
      const rare = Math.floor(Math.sqrt(Math.floor(10000 * errors.length / entries.size)));
      if (!STOP.has(term)) for (const [at, weight] of entries) add(weighed, term, at, Math.floor(weight * rare / 100));
    }
    return weighed;
  }

  // What a text is compared by with texts that were judged: its terms and its pairs of words.
  function features(text) {
    const found = new Set([...text.terms].filter((term) => !STOP.has(term)));
    if ([...found].filter((term) => !term.includes(".")).length > LONG) return new Set();
    for (let at = 0; at + 1 < text.tokens.length; at++) {
      const [word, next] = [text.tokens[at], text.tokens[at + 1]];
      if (!STOP.has(word) || !STOP.has(next)) found.add(`${word.slice(0, STEM)} ${next.slice(0, STEM)}`);
    }
    return found;
  }

  // How much a text is like those about each entry, in thousandths: of each, the cosine.
  function comparer({ owners, numbers }) {
    const squares = owners.map(() => 0), weights = new Map();
    for (const [one, at] of numbers) {
      const weight = Math.floor(Math.sqrt(Math.floor(Math.sqrt(Math.floor(10000 * owners.length / at.length)))));
      weights.set(one, weight);
      for (const number of at) squares[number] += weight * weight;
    }
    return (text) => {
      const common = new Map(), powers = new Map();
      let square = 0;
      for (const one of features(text)) {
        const weight = weights.get(one) || 0;
        square += weight * weight;
        for (const number of numbers.get(one) || []) common.set(number, (common.get(number) || 0) + weight * weight);
      }
      for (const [number, product] of common) {
        const cosine = Math.floor(1000 * product / Math.floor(Math.sqrt(square * squares[number])));
        for (const entry of owners[number]) {
          powers.set(entry, (powers.get(entry) || 0) + Math.floor(cosine * cosine * cosine * cosine / owners[number].length));
        }
      }
      return new Map([...powers].map(([entry, power]) => [entry, Math.floor(Math.sqrt(Math.floor(Math.sqrt(power))))]));
    };
  }

  function matcher(errors, texts, { read, terms: termsOf, tokens, plain, tidied, bare, frame }) {
    const wordings = errors.flatMap((entry, at) => entry[3].map((pieces) => ({ entry: at, pairs: wording(pieces, tokens) })))
      .filter(({ pairs }) => pairs.length);
    const places = new Map(), spread = new Map();
    wordings.forEach(({ entry, pairs }, number) => pairs.forEach(([word, next], at) => {
      getOr(getOr(places, `${word} ${next}`, () => new Map()), number, () => []).push(at);
      for (const each of [word, next]) getOr(spread, each, () => new Set()).add(entry);
    }));
    const weigh = (word) => {
      if (word === ALONE) return 0;
      const entries = spread.get(word).size;
      return STOP.has(word) ? 1 : entries <= 2 ? 4 : entries <= 8 ? 3 : 2;
    };
    const follows = new Map(), weights = new Map();
    for (const [pair, at] of places) {
      if (at.size > COMMON) continue;
      const [word, next] = pair.split(" ");
      const entries = new Set([...at.keys()].map((number) => wordings[number].entry)).size;
      weights.set(pair, Math.floor(12 * (weigh(word) + weigh(next)) / Math.min(entries, 4)));
      getOr(follows, word, () => new Map()).set(next, [weights.get(pair), [...at]]);
    }
    const totals = wordings.map(({ pairs }) =>
      pairs.reduce((sum, [word, next]) => sum + (weights.get(`${word} ${next}`) || 0), 0));
    const known = judged(texts), bags = weighed(errors, wordsOf(errors, known), termsOf), alike = comparer(known);

    const better = ([score, share], [oldScore, oldShare]) =>
      (share >= WHOLE) !== (oldShare >= WHOLE) ? share >= WHOLE
        : score * (1000 + share) > oldScore * (1000 + oldShare);

    function chains(said) {
      const state = new Map(), best = new Map();
      for (let position = 0; position < said.length; position++) {
        const follow = follows.get(said[position]);
        if (!follow) continue;
        for (const key of [said[position + 1] || "", ALONE]) {
          const [weight, at] = follow.get(key) || [0, []];
          for (const [number, every] of at) {
            const { entry, pairs } = wordings[number];
            const [last, pair, sum] = state.get(number) || [-FAR, -1, 0];
            const later = every.find((one) => one > pair) ?? -1;
            const same = Math.min(pair, later) >= 0 && pairs[pair][2] === pairs[later][2];
            const broken = later < 0 || position - last > (same ? NEAR : totals[number] < LIGHT ? CLOSE : FAR);
            if (broken && !every[0] && DENIALS.has(said[position - 1])) continue;
            const score = weight + (broken ? 0 : sum);
            state.set(number, [position, broken ? every[0] : later, score]);
            const share = Math.floor(1000 * score / totals[number]), old = best.get(entry);
            if (!old || better([score, share], old)) best.set(entry, [score, share]);
          }
        }
      }
      return best;
    }

    // The last word of a text that was cut within it, if just one word goes on so; else "".
    function completed(said) {
      const word = said.at(-1) || "", after = follows.get(said.at(-2)) || new Map();
      if (said.length < 2 || word.length < CUT || follows.has(word) || after.has(word)) return "";
      const found = [...after.keys()].filter((other) => other.startsWith(word));
      return found.length === 1 ? found[0] : "";
    }

    const enough = (score, share) =>
      (share >= WHOLE && score >= LEAST) || PIECES.some(([least, of]) => score >= least && share >= of);

    function isSure(entry, score, share, text, exporting) {
      const context = errors[entry][6];
      if (context.length && !exporting && !context.some((word) => text.context.has(word))) return false;
      return enough(score, share);
    }

    function byTerms(said) {
      const scores = new Map();
      for (const term of said) {
        for (const [entry, weight] of bags.get(term) || []) scores.set(entry, (scores.get(entry) || 0) + weight);
      }
      return scores;
    }

    // Whether a short text was cut within a word by which wordings go on here. An error's number (x:1)
    // is whole: it is no part of x:14.
    function endsInAWord(said) {
      const after = follows.get(said.at(-2)), word = said.at(-1);
      if (said.length < 2 || said.length > BRIEF || word.includes(":") || !after || after.has(word)) return false;
      return [...after.keys()].some((other) => other.startsWith(word));
    }

    // Whether the first of the entries that would be sure is not so after all.
    function isDoubted(sure, first, text, terms) {
      const most = Math.max(0, ...terms.values());
      const slight = sure.get(first)[0] < SLIGHT;
      if (slight && (1000 * (terms.get(first) || 0) < RIVAL * most || endsInAWord(text.tokens))) return true;
      if (!errors[first][7]) return false;
      return !endsIn(text, sure).size;
    }

    // Which of the entries that would be sure only say that something else failed.
    function wrapping(sure) {
      const cause = Math.max(0, ...[...sure].filter(([entry]) => !errors[entry][7]).map(([, [score]]) => score));
      return new Set([...sure].filter(([entry, [score, share]]) =>
        errors[entry][7] && !(cause < FEW && share >= WHOLE && score >= OWN * cause)).map(([entry]) => entry));
    }

    // Which of the entries that would be sure the last exception is about.
    function endsIn(text, sure) {
      return new Set([...chains(text.last)].filter(([entry, how]) => sure.has(entry) && enough(...how)).map(([entry]) => entry));
    }

    function similar(terms, near, like) {
      const scores = new Map(terms);
      for (const [entry, [score, share]] of near) {
        const told = enough(score, share) ? SAID * score : Math.floor(CHAIN * score * Math.min(1000, 1000 - MISSING + share) / 1000);
        scores.set(entry, (scores.get(entry) || 0) + told);
      }
      const most = Math.max(0, ...scores.values());
      for (const [entry, thousandths] of like) {
        const more = Math.floor(most * GAIN * thousandths / 1000000);
        if (more) scores.set(entry, (scores.get(entry) || 0) + more);
      }
      return [...scores].sort(([a, x], [b, y]) => y - x || a - b).slice(0, 2 * MOST);
    }

    // The best answers of a text that was read, as [position, score, share, sure], sure ones first.
    function rank(text, exporting = false, most = MOST) {
      const sure = new Map(), near = new Map(), terms = byTerms(text.terms);
      for (const [entry, [score, share]] of chains(text.tokens)) {
        (isSure(entry, score, share, text, exporting) ? sure : near).set(entry, [score, share]);
      }
      const ends = endsIn(text, sure), wraps = wrapping(sure), worse = (a, b) => (better(a, b) ? -1 : better(b, a) ? 1 : 0);
      const ordered = [...sure.keys()].sort((a, b) =>
        wraps.has(a) - wraps.has(b) || ends.has(b) - ends.has(a) || worse(sure.get(a), sure.get(b)) || a - b);
      if (ordered.length && !exporting && isDoubted(sure, ordered[0], text, terms)) {
        for (const [entry, how] of sure) near.set(entry, how);
        ordered.length = 0;
      }
      const whole = ordered.length ? "" : completed(text.tokens);
      if (whole) {
        for (const [entry, chain] of chains([...text.tokens.slice(0, -1), whole])) {
          if (!sure.has(entry) && better(chain, near.get(entry) || [0, 0])) near.set(entry, chain);
        }
        for (const [entry, weight] of byTerms([...termsOf(whole)].filter((term) => !text.terms.has(term)))) {
          terms.set(entry, (terms.get(entry) || 0) + weight);
        }
      }
      const caused = ordered.some((entry) => !errors[entry][7]);
      return [
        ...ordered.map((entry) => [entry, ...sure.get(entry), true]),
        ...(caused ? [] : similar(terms, near, alike(text))).filter(([entry]) => !ordered.includes(entry))
          .map(([entry, score]) => [entry, score, (near.get(entry) || [0, 0])[1], false]),
      ].slice(0, most);
    }
    return { read, rank, plain, tidied, bare, frame };
  }

  return { prepare, MOST, LONGEST };
})();
