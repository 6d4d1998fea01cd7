// The page's script: draws pictures and tables of the page's documents.

import { watchColours } from "./colours.js";
import { addCopyButtons } from "./copy.js";
import { make, unpacked } from "./data.js";
import { button, save } from "./download.js";
import { Linked } from "./linked.js";
import { tablesOf } from "./lists.js";
import { showMachine } from "./machine.js";
import { showMatrix } from "./matrix.js";
import { showSwitch } from "./switch.js";
import { addTableButtons, showTable } from "./tables.js";
import { showTimeline } from "./timeline.js";

/** The element of a picture or of tables. @param {string} name */
function place(name) {
  return /** @type {HTMLElement | null} */ (document.querySelector(`[data-live="${name}"]`));
}

/** @param {HTMLElement} packed */
async function explore(packed) {
  const data = await unpacked(packed);
  const linked = new Linked();
  const voice = make("div", { class: "unseen", "aria-live": "polite" });
  document.body.append(voice);
  const say = (/** @type {string} */ text) => void (voice.textContent = text);

  const [machine, matrix, bar, tables, timeline, files] = ["machine", "matrix", "switch", "tables", "timeline", "files"].map(place);
  const shown = machine && showMachine(machine, data, linked, say);
  if (bar && shown) showSwitch(bar, data, linked, shown, say);
  if (matrix) showMatrix(matrix, data, linked, say);
  await new Promise((done) => setTimeout(done)); // the pictures are painted before the tables are filled
  if (tables) for (const table of tablesOf(data)) showTable(tables, table, data, linked);
  if (timeline && data.timeline) showTimeline(timeline, data.timeline, linked, say);
  if (files) {
    const buttons = Object.entries(data.files).map(([name, text]) => button(name, `Save ${name}`, () => save(name, text, "text/plain")));
    files.append(make("p", { class: "downloads" }, "Save: ", ...buttons));
  }
}

/** Makes boxes with wide contents scrollable by keys. */
function focusWide() {
  for (const box of document.querySelectorAll(".scroll:not([role])")) {
    if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  }
}

async function start() {
  watchColours();
  const packed = document.getElementById("page-data");
  if (packed) await explore(packed);
  addTableButtons(document);
  addCopyButtons(document);
  focusWide();
  addEventListener("resize", focusWide);
  document.addEventListener("toggle", focusWide, { capture: true });
  document.documentElement.dataset.ready = "true";
  performance.mark("corewise-ready");
}

start();
