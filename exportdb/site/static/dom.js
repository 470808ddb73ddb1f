// Elements from data. Whatever a case or a record says becomes a text node, never markup.
"use strict";

// An element with attributes and children; a child that is a string becomes text, null is left out.
function xdbElement(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

// The address of a page of the site from a page at its top, such as xdbPage("cases", "loops/scan").
function xdbPage(kind, name) {
  return `${kind}/${name.split("/").map(encodeURIComponent).join("/")}.html`;
}

// An outcome of the index, as glyph and name; colour only repeats it.
function xdbOutcome([name, glyph, meaning, tone]) {
  return xdbElement("span", { class: `xdb-o xdb-${name} xdb-${tone}`, title: `${name}: ${meaning}` },
    xdbElement("span", { "aria-hidden": "true" }, glyph), ` ${name}`);
}
