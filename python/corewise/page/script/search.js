// The search of the page: a rank, a node by number or host, or a core of a node.

/** @typedef {import("./types").PageData} PageData */
import { make, nodeText, placeText } from "./data.js";

/** The rank or node that a text names. @param {PageData} data @param {string} text @param {number} placement
 * @returns {{rank: number, node: number, text: string}} -1 if it names none. */
export function named(data, text, placement) {
  const wanted = text.trim().toLowerCase();
  const shown = data.placements[placement];
  const none = { rank: -1, node: -1, text: "" };
  if (wanted === "" || !shown) return none;
  const host = data.machine.hosts.findIndex((name) => name.toLowerCase() === wanted);
  const nNodes = data.machine.shape_of_node.length;
  const place = /^(?:node\s*(\d+))?[\s,]*(?:core\s*(\d+))?$/.exec(wanted);
  if (host >= 0 || place) {
    const node = host >= 0 ? host : Number(place?.[1] ?? 0);
    if (node >= nNodes) return { ...none, text: `there is no node ${node}: nodes 0-${nNodes - 1}` };
    if (host >= 0 || place?.[2] === undefined) return { ...none, node, text: nodeText(data, node) };
    const core = Number(place[2]);
    const rank = shown.node.findIndex((of, i) => of === node && shown.cores[i]?.includes(core));
    const where = `${nodeText(data, node)}, core ${core}`;
    return { rank, node, text: rank < 0 ? `${where}: no rank` : `${where}: rank ${rank}` };
  }
  const number = /^(?:rank\s*)?(\d+)$/.exec(wanted);
  if (!number) return { ...none, text: 'found no such host; expected a rank ("17"), "node 3", "core 5" or a host' };
  const rank = Number(number[1]);
  const nRanks = data.traffic.n_ranks;
  if (rank >= nRanks) return { ...none, text: `there is no rank ${rank}: ranks 0-${nRanks - 1}` };
  return { rank, node: shown.node[rank] ?? -1, text: `rank ${rank}: ${placeText(data, placement, rank)}` };
}

/** @param {PageData} data @param {import("./linked.js").Linked} linked @param {{open: (node: number) => void}} machine
 * @param {(text: string) => void} say */
export function search(data, linked, machine, say) {
  const field = make("input", { type: "search", placeholder: "rank 17, node 3, host", "aria-label": "Find a rank, node, host or core" });
  const told = make("output");
  const look = () => {
    const found = named(data, field.value, linked.state.placement);
    told.textContent = found.text;
    linked.set({ rank: found.rank });
    return found;
  };
  field.addEventListener("input", look);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const found = look();
    if (found.node >= 0) machine.open(found.node);
    say(found.text);
  });
  linked.listen((state, before) => {
    if (state.rank === before.rank && state.placement === before.placement) return;
    if (state.rank !== before.rank && document.activeElement !== field) field.value = state.rank < 0 ? "" : `rank ${state.rank}`;
    told.textContent = named(data, field.value, state.placement).text;
  });
  return make("div", { class: "find" }, field, told);
}
