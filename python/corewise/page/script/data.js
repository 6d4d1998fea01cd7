// Unpacks the data inside the page, and derives what several pictures need.

/** @typedef {import("./types").PageData} PageData */

/** @param {HTMLElement} element Its text is the document, gzip in base64. @returns {Promise<PageData>} */
export async function unpacked(element) {
  const packed = Uint8Array.from(atob((element.textContent ?? "").trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** Bytes of each rank with its partners, both directions together; if the page has blocks, only partners with most bytes. @param {PageData} data */
export function partnersOf(data) {
  const { n_ranks: n, src, dst, bytes } = data.traffic;
  /** @type {Map<number, number>[]} */
  const partners = Array.from({ length: n }, () => new Map());
  const kept = data.partners;
  if (kept) {
    kept.rank.forEach((rank, i) => partners[rank]?.set(kept.partner[i] ?? 0, kept.bytes[i] ?? 0));
    return partners;
  }
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
