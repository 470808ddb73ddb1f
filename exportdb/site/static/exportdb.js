// What every page does with scripts: copying, showing which line made what, and printing.
// Without scripts the same is reached by selecting, downloading and following links.
"use strict";

document.documentElement.classList.add("xdb-scripted");

function xdbText(kind) {
  const program = document.querySelector(".xdb-numbered").textContent;
  return kind === "repro" ? program + document.querySelector("[data-repro]").textContent : program;
}

// A page that was opened from a folder may have no clipboard; then the old way still works.
async function xdbCopy(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const label = button.textContent;
  button.addEventListener("click", async () => {
    await xdbCopy(xdbText(button.dataset.copy));
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  });
}

for (const line of document.querySelectorAll("[data-line]")) {
  const made = document.getElementById(`L${line.dataset.line}`);
  const light = (on) => () => made && made.classList.toggle("xdb-lit", on);
  for (const event of ["mouseenter", "focus"]) line.addEventListener(event, light(true));
  for (const event of ["mouseleave", "blur"]) line.addEventListener(event, light(false));
}

// Paper is white, whatever the screen is.
{
  const shown = document.documentElement.dataset;
  let screen = "";
  window.addEventListener("beforeprint", () => { [screen, shown.theme] = [shown.theme, "light"]; });
  window.addEventListener("afterprint", () => { shown.theme = screen; });
}
