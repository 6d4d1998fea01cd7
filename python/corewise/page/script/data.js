// Unpacks the documents inside the page, and derives what several pictures need.

/** @typedef {import("./types").PageData} PageData */
/** @typedef {import("./types").Documents} Documents */
/** @typedef {import("./types").Traffic} Traffic */

/** @param {HTMLElement} element Its text is the document, gzip in base64. @returns {Promise<PageData>} */
export async function unpacked(element) {
  const packed = Uint8Array.from(atob((element.textContent ?? "").trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  /** @type {Documents} */
  const found = JSON.parse(await new Response(stream).text());
  const { tune, machine, timeline } = found;
  const files = Object.fromEntries(tune.candidates.map(({ label, placement }) => [`${label}.json`, `${JSON.stringify(placement)}\n`]));
  return {
    machine,
    timeline,
    summary: tune.summary,
    placements: tune.candidates.map(({ label, placement, link_bytes }) => ({ name: label, ...placement, link_bytes, gain: found.gains[label] ?? "" })),
    traffic: folded(found),
    files: { ...files, ...tune.plan?.files, ...found.files },
  };
}

/** The phases together, without messages of a rank to itself. @param {Documents} found @returns {Traffic} */
function folded({ tune, block, n_pairs }) {
  const n_ranks = tune.phases[0]?.n_ranks ?? 1;
  const n = Math.ceil(n_ranks / block);
  /** @type {Traffic} */
  const all = { n_ranks, block, n_pairs, n, src: [], dst: [], bytes: [], messages: [], index: new Map() };
  for (const { repeat, src, dst, bytes, messages } of tune.phases) {
    src.forEach((from, i) => {
      const to = dst[i] ?? 0;
      if (from === to && block === 1) return;
      let at = all.index.get(from * n + to);
      if (at === undefined) {
        at = all.src.length;
        all.index.set(from * n + to, at);
        all.src.push(from);
        all.dst.push(to);
        all.bytes.push(0);
        all.messages.push(0);
      }
      all.bytes[at] = (all.bytes[at] ?? 0) + repeat * (bytes[i] ?? 0);
      all.messages[at] = (all.messages[at] ?? 0) + repeat * (messages[i] ?? 0);
    });
  }
  return all;
}

/** Bytes of each rank with its partners, both directions together; unknown if the traffic is of blocks. @param {Traffic} traffic */
export function partnersOf({ n_ranks: n, block, src, dst, bytes }) {
  /** @type {Map<number, number>[]} */
  const partners = Array.from({ length: n }, () => new Map());
  if (block > 1) return partners;
  src.forEach((from, i) => {
    const to = dst[i] ?? 0;
    for (const [a, b] of /** @type {[number, number][]} */ ([[from, to], [to, from]])) {
      const of = partners[a];
      of?.set(b, (of.get(b) ?? 0) + (bytes[i] ?? 0));
    }
  });
  return partners;
}

/** "node 3, core 5" of a rank, without the node if there is only one. @param {PageData} data @param {number} placement @param {number} rank */
export function placeText(data, placement, rank) {
  const of = data.placements[placement];
  const cores = of?.cores[rank] ?? [];
  const core = `core ${ranges(cores)}`;
  return data.machine.shape_of_node.length > 1 ? `${nodeText(data, of?.node[rank] ?? 0)}, ${core}` : core;
}

/** @param {PageData} data @param {number} node */
export function nodeText(data, node) {
  const host = data.machine.hosts[node];
  return host ? `node ${node} (${host})` : `node ${node}`;
}

/** "0-2,5" @param {number[]} indices */
export function ranges(indices) {
  /** @type {[number, number][]} */
  const found = [];
  for (const index of [...indices].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else found.push([index, index]);
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}

/** Makes an element. @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Record<string, string>} attributes
 * @param {...(Node | string)} children @returns {HTMLElementTagNameMap[T]} */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
