// A sparse matrix at several resolutions (an image pyramid): each level halves the one below, and has cached tiles of pixels.

/** @typedef {{n: number, start: Uint32Array, column: Uint32Array, value: Float64Array}} Level */

const TILE = 256;
const MOST_TILES = 128; // in the cache, most recently used; 256 kB each

export class Pyramid {
  /** @type {Level[]} */
  #levels = [];
  /** @type {Map<string, HTMLCanvasElement>} */
  #tiles = new Map();
  /** @type {(value: number) => number} */
  #step = () => 0;
  /** @type {Uint32Array} */
  #shades = new Uint32Array(256);

  /** Entries may be in any order; each position occurs once.
   * @param {number} n @param {ArrayLike<number>} row @param {ArrayLike<number>} column @param {ArrayLike<number>} value */
  constructor(n, row, column, value) {
    this.#levels.push(sorted(n, row, column, value));
  }

  /** @param {(value: number) => number} step 1 to 255 for a value above 0. @param {Uint32Array} shades Pixels by step. */
  paint(step, shades) {
    this.#step = step;
    this.#shades = shades;
    this.#tiles.clear();
  }

  /** The value at a position; 0 without an entry. @param {number} row @param {number} column */
  at(row, column) {
    const level = /** @type {Level} */ (this.#levels[0]);
    const i = lowerBound(level.column, column, level.start[row] ?? 0, level.start[row + 1] ?? 0);
    return i < (level.start[row + 1] ?? 0) && level.column[i] === column ? (level.value[i] ?? 0) : 0;
  }

  /**
   * Draws rows and columns `top`, `left`, ... `bottom`, `right` with `scale` CSS pixels per cell.
   * @param {import("./types").Painter} painter @param {import("./view.js").View} view @param {number} density Pixels per CSS pixel.
   */
  draw(painter, view, density) {
    const n = /** @type {Level} */ (this.#levels[0]).n;
    const wanted = Math.max(0, Math.ceil(-Math.log2(view.scale * density)));
    const k = Math.min(wanted, Math.max(0, Math.ceil(Math.log2(n / TILE))) + 2);
    const level = this.#level(k);
    const cell = 2 ** k; // ranks a side
    const span = TILE * cell;
    const [right, bottom] = [view.left + view.plotWidth / view.scale, view.top + view.plotHeight / view.scale];
    for (let i = Math.max(0, Math.floor(view.top / span)); i * span < Math.min(n, bottom); i += 1) {
      for (let j = Math.max(0, Math.floor(view.left / span)); j * span < Math.min(n, right); j += 1) {
        const size = span * view.scale;
        const at = { x: view.toX(j * span), y: view.toY(i * span), width: size, height: size };
        painter.image(this.#tile(level, k, i, j), at);
      }
    }
  }

  /** @param {number} k */
  #level(k) {
    while (this.#levels.length <= k) this.#levels.push(halved(/** @type {Level} */ (this.#levels.at(-1))));
    return /** @type {Level} */ (this.#levels[k]);
  }

  /** @param {Level} level @param {number} k @param {number} i @param {number} j */
  #tile(level, k, i, j) {
    const name = `${k} ${i} ${j}`;
    const kept = this.#tiles.get(name);
    if (kept) {
      this.#tiles.delete(name);
      this.#tiles.set(name, kept);
      return kept;
    }
    const tile = document.createElement("canvas");
    tile.width = tile.height = TILE;
    const context = /** @type {CanvasRenderingContext2D} */ (tile.getContext("2d"));
    const image = context.createImageData(TILE, TILE);
    const pixels = new Uint32Array(image.data.buffer);
    for (let row = i * TILE; row < Math.min(level.n, (i + 1) * TILE); row += 1) {
      const end = level.start[row + 1] ?? 0;
      let at = lowerBound(level.column, j * TILE, level.start[row] ?? 0, end);
      for (; at < end && (level.column[at] ?? 0) < (j + 1) * TILE; at += 1) {
        const pixel = (row - i * TILE) * TILE + (level.column[at] ?? 0) - j * TILE;
        pixels[pixel] = this.#shades[this.#step(level.value[at] ?? 0)] ?? 0;
      }
    }
    context.putImageData(image, 0, 0);
    this.#tiles.set(name, tile);
    if (this.#tiles.size > MOST_TILES) this.#tiles.delete(/** @type {string} */ (this.#tiles.keys().next().value));
    return tile;
  }
}

/** @param {number} n @param {ArrayLike<number>} row @param {ArrayLike<number>} column @param {ArrayLike<number>} value @returns {Level} */
function sorted(n, row, column, value) {
  const key = new Float64Array(row.length);
  const order = new Uint32Array(row.length);
  let isSorted = true; // the page's entries are sorted by rank
  for (let i = 0; i < row.length; i += 1) {
    key[i] = (row[i] ?? 0) * n + (column[i] ?? 0);
    order[i] = i;
    if (i > 0 && (key[i - 1] ?? 0) >= (key[i] ?? 0)) isSorted = false;
  }
  if (!isSorted) order.sort((a, b) => (key[a] ?? 0) - (key[b] ?? 0));
  const start = new Uint32Array(n + 1);
  for (let i = 0; i < row.length; i += 1) start[(row[i] ?? 0) + 1] = (start[(row[i] ?? 0) + 1] ?? 0) + 1;
  for (let r = 0; r < n; r += 1) start[r + 1] = (start[r + 1] ?? 0) + (start[r] ?? 0);
  return {
    n,
    start,
    column: isSorted ? Uint32Array.from(column) : Uint32Array.from(order, (i) => column[i] ?? 0),
    value: isSorted ? Float64Array.from(value) : Float64Array.from(order, (i) => value[i] ?? 0),
  };
}

/** The next level: two rows and two columns become one, with the greatest of their values. @param {Level} level @returns {Level} */
function halved(level) {
  const n = Math.ceil(level.n / 2);
  const start = new Uint32Array(n + 1);
  /** @type {number[]} */
  const columns = [];
  /** @type {number[]} */
  const values = [];
  const greatest = new Float64Array(n);
  for (let row = 0; row < n; row += 1) {
    /** @type {number[]} */
    const touched = [];
    for (let i = level.start[2 * row] ?? 0; i < (level.start[Math.min(level.n, 2 * row + 2)] ?? 0); i += 1) {
      const column = (level.column[i] ?? 0) >> 1;
      const value = level.value[i] ?? 0;
      if (value > 0 && greatest[column] === 0) touched.push(column);
      if (value > (greatest[column] ?? 0)) greatest[column] = value;
    }
    touched.sort((a, b) => a - b);
    for (const column of touched) {
      columns.push(column);
      values.push(greatest[column] ?? 0);
      greatest[column] = 0;
    }
    start[row + 1] = columns.length;
  }
  return { n, start, column: Uint32Array.from(columns), value: Float64Array.from(values) };
}

/** The first index in [from, to) whose value is not below `wanted`. @param {Uint32Array} values @param {number} wanted
 * @param {number} from @param {number} to */
function lowerBound(values, wanted, from, to) {
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((values[middle] ?? 0) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}
