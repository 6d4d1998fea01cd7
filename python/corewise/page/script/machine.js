// The section of the machine: one or two panes, links to the most loaded nodes, and a legend.

/** @typedef {import("./types").PageData} PageData */
import { Pane } from "./boxes.js";
import { pictureBar } from "./controls.js";
import { onColours, rampBar } from "./colours.js";
import { make, nodeText } from "./data.js";
import { bytesText } from "./format.js";
import { Shown } from "./shown.js";

const MOST_LISTED_NODES = 8;

/** @param {HTMLElement} host @param {PageData} data
 * @param {import("./linked.js").Linked} linked @param {(text: string) => void} say */
export function showMachine(host, data, linked, say) {
  const shown = new Shown(data);
  const first = new Pane(shown, linked, "placement", say);
  const panes = [first];
  const row = make("div", { class: "panes" }, first.element);
  const busiest = make("div", { class: "busiest" });
  const legend = make("p", { class: "scale" });
  const list = () => {
    if (!shown.hasNetwork) return;
    const nodes = shown.layout.nodes.map((_, node) => ({ node, load: shown.nodeLoad(first.placement, node) }));
    nodes.sort((a, b) => b.load - a.load || a.node - b.node);
    const buttons = nodes.slice(0, MOST_LISTED_NODES).map(({ node, load }) => {
      const made = make("button", { type: "button" }, `${nodeText(data, node)}: ${bytesText(load)}`);
      made.addEventListener("click", () => first.open(node));
      return made;
    });
    busiest.replaceChildren(make("span", {}, "Most loaded nodes:"), ...buttons);
    const most = shown.greatest[data.machine.node_level] ?? 0;
    legend.replaceChildren("Small nodes are shaded by the bytes over their link: 0 ", rampBar(make("span")), ` ${bytesText(most)}`);
  };
  const redraw = () => {
    for (const pane of panes) pane.view.redraw();
  };
  const repaint = () => {
    list();
    redraw();
  };
  linked.listen((state, before) => {
    if (state.compared >= 0 && panes.length === 1) {
      const second = new Pane(shown, linked, "compared", say);
      panes.push(second);
      row.append(second.element);
      first.view.pair(second.view);
    } else if (state.compared < 0 && panes.length === 2) {
      first.view.unpair();
      panes.pop()?.element.remove();
    }
    row.classList.toggle("two", panes.length === 2);
    for (const pane of panes) pane.name();
    if (state.placement !== before.placement) list();
    redraw();
  });
  onColours(repaint);
  host.append(busiest, row, legend, pictureBar("machine", first.view));
  if (!shown.hasNetwork) for (const unused of [busiest, legend]) unused.remove();
  repaint();
  return { open: (/** @type {number} */ node) => first.open(node) };
}
