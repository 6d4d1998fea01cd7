// One bar for all pictures: which placement they show, what it is compared with, and a search for a rank or a node.

/** @typedef {import("./types").PageData} PageData */
/** @typedef {import("./types").Gain} Gain */
import { choice } from "./controls.js";
import { make } from "./data.js";
import { percentText } from "./format.js";
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
    if (state.placement !== before.placement) tell();
  });
  const tell = () => {
    const shown = data.placements[linked.state.placement];
    summary.textContent = shown?.gain ? gainText(shown.gain) : shown?.name === "default" ? "the placement that others are compared with" : "";
  };
  host.append(placement);
  if (names.length > 1) host.append(make("label", { class: "compare" }, compare, "Compare with"), others);
  host.append(search(data, linked, machine, say), summary);
  tell();
  if (names.length > 1) keys(placement);
}

/** "measured: 10.9 % faster than the default (10.1 % to 11.7 %)" @param {Gain} gain */
function gainText(gain) {
  const how = `${percentText(Math.abs(gain.expected))} ${gain.expected < 0 ? "slower" : "faster"} than the default`;
  const spread = gain.low === null || gain.high === null ? "one run" : `gain ${percentText(gain.low)} to ${percentText(gain.high)}`;
  return `${gain.source}: ${how} (${spread})`;
}

/** The keys 1, 2, 3, ... choose a placement wherever nothing is typed. @param {HTMLElement} group */
function keys(group) {
  const fields = group.querySelectorAll("input");
  document.addEventListener("keydown", (event) => {
    const typed = event.target instanceof HTMLInputElement && event.target.type === "search";
    const field = fields[Number(event.key) - 1];
    if (!typed && field && !event.ctrlKey && !event.metaKey && !event.altKey) field.click();
  });
}
