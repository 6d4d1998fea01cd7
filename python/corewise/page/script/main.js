// The page's script: replaces still pictures and tables by interactive ones.

import { watchColours } from "./colours.js";
import { addCopyButtons } from "./copy.js";
import { followScroll } from "./contents.js";
import { make, unpacked } from "./data.js";
import { addSvgButtons, button, save } from "./download.js";
import { Linked } from "./linked.js";
import { showMachine } from "./machine.js";
import { showMatrix } from "./matrix.js";
import { showSwitch } from "./switch.js";
import { addTableButtons, showTable } from "./tables.js";
import { showTimeline } from "./timeline.js";

/** The element that an interactive picture or table replaces. @param {string} name */
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

  const [machine, matrix, bar] = [place("machine"), place("matrix"), place("switch")];
  /** Hides the still picture, which stays for print. @param {HTMLElement} host */
  const upgrade = (host) => {
    const live = make("div", { class: "live" });
    host.after(live);
    host.classList.add("still");
    return live;
  };
  const shown = machine && showMachine(upgrade(machine), data, linked, say);
  if (bar && shown) showSwitch(bar, data, linked, shown, say);
  if (matrix) showMatrix(upgrade(matrix), data, linked, say);
  await new Promise((done) => setTimeout(done)); // the pictures are painted before the tables are filled
  for (const table of data.tables) {
    const host = place(`table-${table.name}`);
    if (host) showTable(host, table, data, linked);
  }
  const timeline = place("timeline");
  if (timeline && data.timeline) showTimeline(upgrade(timeline), data.timeline, linked, say);
  const files = place("files");
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
  const nav = /** @type {HTMLElement | null} */ (document.querySelector("nav"));
  if (nav) followScroll(nav);
  addTableButtons(document);
  addSvgButtons(document);
  addCopyButtons(document);
  focusWide();
  addEventListener("resize", focusWide);
  document.addEventListener("toggle", focusWide, { capture: true });
  document.documentElement.dataset.ready = "true";
  performance.mark("corewise-ready");
}

start().catch((error) => {
  document.documentElement.dataset.failed = "true"; // shows the still pictures
  throw error;
});
