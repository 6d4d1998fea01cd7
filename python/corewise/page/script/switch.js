// One bar for all pictures: which placement they show, what it is compared with, and a search for a rank or a node.

/** @typedef {import("./types").PageData} PageData */
import { choice } from "./controls.js";
import { make } from "./data.js";
import { search } from "./search.js";

/** @param {HTMLElement} host @param {PageData} data @param {import("./linked.js").Linked} linked
 * @param {{open: (node: number) => void}} machine @param {(text: string) => void} say */
export function showSwitch(host, data, linked, machine, say) {
  const names = data.placements.map(({ name }) => name);
  const key = (/** @type {string} */ name) => [make("span", { class: `key series-${name}` }), document.createTextNode(name)];
  const summary = make("p", { class: "summary", "aria-live": "polite" });
  const placement = choice("Placement", names, (name) => linked.set({ placement: names.indexOf(name) }), key);
  const compare = make("input", { type: "checkbox" });
  const others = make("select", { "aria-label": "Compare with", hidden: "" }, ...names.map((name) => make("option", {}, name)));
  const turn = () => {
    others.hidden = !compare.checked;
    if (others.selectedIndex === linked.state.placement) others.selectedIndex = linked.state.placement === 0 ? 1 : 0;
    linked.set({ compared: compare.checked ? others.selectedIndex : -1 });
  };
  others.selectedIndex = Math.min(1, names.length - 1);
  for (const field of [compare, others]) field.addEventListener("change", turn);
  linked.listen((state, before) => {
    if (state.placement !== before.placement || state.compared !== before.compared) tell();
  });
  const tell = () => {
    const { placement: chosen, compared } = linked.state;
    const shown = (compared < 0 ? [chosen] : [chosen, compared]).map((index) => data.placements[index]);
    const texts = shown.map((one) => (one?.gain && compared >= 0 ? `${one.name}, ${one.gain}` : one?.gain));
    summary.textContent = texts.filter((text) => text).join("; ");
  };
  host.append(placement);
  if (names.length > 1) host.append(make("label", { class: "compare" }, compare, "Compare with"), others);
  host.append(search(data, linked, machine, say), summary);
  tell();
  if (names.length > 1) keys(placement);
}

/** The keys 1, 2, 3, ... choose a placement, unless a search is typed. @param {HTMLElement} group */
function keys(group) {
  const fields = group.querySelectorAll("input");
  document.addEventListener("keydown", (event) => {
    const typed = event.target instanceof HTMLInputElement && event.target.type === "search";
    const field = fields[Number(event.key) - 1];
    if (!typed && field && !event.ctrlKey && !event.metaKey && !event.altKey) field.click();
  });
}
