// What an error text means: finds the errors in a pasted text, and the entries of the catalogue that
// explain them. Which entries is left to matching.js. Pure: knows the index, see exportdb/site/index.py,
// and no page.
"use strict";

const xdbCatalogue = (() => {
  // What Python's str.split() takes for blank; JavaScript's \s is not quite the same.
  const BLANK = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
  // Colours and cursor movements of terminals; some logs write the escape character as ^[.
  const TERMINAL = /(?:\x1b|\^\[)(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g;
  // What logs put before a line: a time, the rank of a process, pytest's E, the bars of a group.
  const PREFIX = /^(?:\d{4}-\d\d-\d\d[T ][\d:.,]+Z? )?(?:\[[\w-]*rank\d+\]:? ?)?(?:E {3,}| *[|+] )?/;
  // Where the message of an error ends: another traceback begins, or pytest draws a line.
  const END = /^\s*(?:Traceback \(most recent call last\)|During handling of the above|The above exception was|[=_]{5,}|\+[-+]{4,})/;
  const HEAD = /^\s*(?:[A-Za-z_]\w*\.)*([A-Za-z_]\w*)(?::\s(.*)|:?)$/;
  const ERROR = /(?:Error|Exception|Warning|Exit|Interrupt|Violation)$/;
  // A paste may be a whole log: what is beyond these says nothing new and would cost time.
  const LONGEST = 20000, MOST = 20;
  // Least characters that say which error it is, as SHORTEST in Python.
  const SHORTEST = 12;

  const oneLine = (text) => text.replace(BLANK, " ").replace(/^ | $/g, "");

  // The types of errors that the index knows: they need not end in Error.
  const types = (index) =>
    new Set([...index.errors.flatMap((entry) => entry[2]), ...index.messages.map(([type]) => type)]);

  // The errors a text tells of, the last first, as {type, message}. A text that names none is one
  // message of an unknown type "".
  function read(text, known) {
    const lines = text.replace(TERMINAL, "").split(/\r\n|\r|\n/).map((line) => line.replace(PREFIX, ""));
    const found = [];
    let end = lines.length;
    for (let at = lines.length - 1; at >= 0 && found.length < MOST; at--) {
      if (END.test(lines[at])) { end = at; continue; }
      const head = HEAD.exec(lines[at]);
      if (!head || !(known.has(head[1]) || ERROR.test(head[1]))) continue;
      const message = [head[2] || "", ...lines.slice(at + 1, end)].join("\n").slice(0, LONGEST);
      found.push({ type: head[1], message: message.trim() });
    }
    return found.length ? found : [{ type: "", message: lines.join("\n").slice(0, LONGEST).trim() }];
  }

  // The position of the entry that an error of an exporter is surely about, or -1: match in Python.
  function match(index, type, message) {
    const matcher = xdbMatching.prepare(index);
    const [best] = matcher.rank(matcher.read(`${type}: ${message}`), true, 1);
    return best && best[3] ? best[0] : -1;
  }

  // What explains a pasted text, best first, sure ones before similar ones: [{entry, weight, sure}].
  function answers(index, text) {
    const matcher = xdbMatching.prepare(index);
    return matcher.rank(matcher.read(text)).map(([entry, weight, , sure]) => ({ entry, weight, sure }));
  }

  // The position of the entry that a text names by its number alone ("E0101"), or -1.
  function named(index, text) {
    const name = oneLine(text).toUpperCase();
    return /^E\d+$/.test(name) ? index.errors.findIndex(([id]) => id === name) : -1;
  }

  // Only what surely explains a pasted text.
  const explain = (index, text) => answers(index, text).filter(({ sure }) => sure);

  // The error a pasted text is about, on one line: the one that the catalogue knows best, else one
  // that some case raises, else the last.
  function headline(index, text, known = types(index)) {
    const [best] = explain(index, text);
    const errors = read(text, known);
    const { type, message } =
      (best && errors.find((error) => match(index, error.type, error.message) === best.entry)) ??
      errors.find((error) => raised(index, error).some(Boolean)) ?? errors[0];
    return oneLine(type ? `${type}: ${message}` : message);
  }

  // A function that takes what changes from run to run out of a text: steady in Python.
  function steadier(index) {
    const patterns = index.volatile.map(([pattern, instead]) => [new RegExp(pattern, "g"), instead]);
    return (text) => patterns.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text);
  }

  // The error texts of an index without what changes; made when the first error is pasted.
  const steadied = new WeakMap();
  function steadyTexts(index) {
    if (!steadied.has(index)) {
      const steady = steadier(index);
      steadied.set(index, { steady, messages: index.messages.map(([, text]) => steady(text)) });
    }
    return steadied.get(index);
  }

  // For each error text of the index how much an error is the same: 2 if it holds the very text; 1 if
  // it does, or is a long part of it, but for what changes from run to run; 0 if not. A short text has
  // to be the whole message.
  function raised(index, { type, message }) {
    const line = oneLine(message), texts = steadyTexts(index), steady = texts.steady(line);
    return index.messages.map(([other, text], at) => {
      if (type && type !== other) return 0;
      if (text.length < SHORTEST) return line === text && type ? 2 : 0;
      if (line.includes(text)) return 2;
      const whole = texts.messages[at];
      return steady.includes(whole) || (steady.length >= 2 * SHORTEST && whole.includes(steady)) ? 1 : 0;
    });
  }

  return { oneLine, types, read, match, answers, named, explain, headline, steadier, raised, SHORTEST };
})();
