// Positions of a placement's ranks on the machine: a square on each core of a rank.

/** @typedef {import("./types").Rect} Rect */

export class RankPlaces {
  /** @type {Map<number, number[]>} */
  #onCore = new Map();
  /** @type {number[]} The first square of each rank. */
  #first = [];
  /** @type {number[]} */
  #ranks = [];
  /** @type {Rect[]} */
  #rects = [];

  /** @param {import("./types").Placement} placement @param {import("./layout.js").Layout} layout */
  constructor(placement, layout) {
    placement.node.forEach((node, rank) => {
      for (const core of placement.cores[rank] ?? []) {
        const key = keyOf(node, core);
        const ranks = this.#onCore.get(key);
        if (ranks) ranks.push(rank);
        else this.#onCore.set(key, [rank]);
      }
    });
    placement.node.forEach((node, rank) => {
      this.#first[rank] = this.#ranks.length;
      for (const core of placement.cores[rank] ?? []) {
        const box = layout.nodes[node];
        const place = box?.shape.cores[core];
        if (!box || !place) continue;
        const sharing = this.onCore(node, core);
        const side = Math.ceil(Math.sqrt(sharing.length));
        const i = sharing.indexOf(rank);
        this.#ranks.push(rank);
        this.#rects.push({
          x: box.x + place.x + 0.14 + ((i % side) * 0.72) / side,
          y: box.y + place.y + 0.22 + (Math.floor(i / side) * 0.56) / side,
          width: 0.7 / side,
          height: 0.54 / side,
        });
      }
    });
  }

  /** The number of squares. */
  get count() {
    return this.#ranks.length;
  }

  /** @param {number} square */
  rank(square) {
    return this.#ranks[square] ?? -1;
  }

  /** @param {number} node @param {number} core @returns {number[]} */
  onCore(node, core) {
    return this.#onCore.get(keyOf(node, core)) ?? [];
  }

  /** The centre of a rank's first square. @param {number} rank */
  middle(rank) {
    const at = this.#rects[this.#first[rank] ?? 0];
    return at ? { x: at.x + at.width / 2, y: at.y + at.height / 2 } : { x: 0, y: 0 };
  }

  /** @param {number} square @returns {Rect} */
  rect(square) {
    return /** @type {Rect} */ (this.#rects[square]);
  }
}

/** @param {number} node @param {number} core */
function keyOf(node, core) {
  return node * 2 ** 20 + core;
}
