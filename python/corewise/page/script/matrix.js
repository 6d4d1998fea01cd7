// The traffic as a matrix on a canvas: source ranks down, destination ranks across, zooms to a single pair.

/** @typedef {import("./types").PageData} PageData */
/** @typedef {import("./types").Painter} Painter */
import { colour, onColours, shade, shades } from "./colours.js";
import { make, placeText } from "./data.js";
import { bytesText, counted, countText } from "./format.js";
import { Pyramid } from "./pyramid.js";
import { choice, pictureBar, tooltip } from "./controls.js";
import { View } from "./view.js";

const MARGIN = { left: 46, top: 24 };

/** Options of the matrix, shared by both panes of a comparison. */
class Choices {
  metric = /** @type {"bytes" | "messages"} */ ("bytes");
  scale = /** @type {"logarithmic" | "linear"} */ ("logarithmic");
  order = /** @type {"rank" | "placement"} */ ("rank");
}

/** One canvas. Its cells are pairs of ranks, or of blocks of ranks if the page has only these. */
class Pane {
  /** Pairs, or blocks of `block` ranks that are neighbours in the order of the picture. */
  traffic;
  block = 1;
  /** The number of rows and columns. */
  n = 1;
  /** @type {Int32Array} Position -> rank. */
  ranks;
  /** @type {Int32Array} Rank -> position. */
  positions;
  cursor = { row: -1, column: -1 };
  /** @type {number[]} First position of each node, if ranks are ordered by placement. */
  borders = [];
  greatest = 0;
  least = 0;

  /** @param {PageData} data @param {import("./linked.js").Linked} linked @param {Choices} choices
   * @param {"placement" | "compared"} side @param {(text: string) => void} say */
  constructor(data, linked, choices, side, say) {
    this.data = data;
    this.linked = linked;
    this.choices = choices;
    this.side = side;
    this.say = say;
    this.traffic = data.traffic;
    this.ranks = this.positions = new Int32Array();
    this.pyramid = this.#arranged();
    const label = `Traffic of ${data.traffic.n_ranks} ranks. Arrow keys move from pair to pair, plus and minus zoom, Enter selects the source rank.`;
    this.canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": label, class: "square" });
    this.tip = tooltip();
    this.caption = make("figcaption", { hidden: "" });
    this.element = make("figure", { class: "pane" }, this.caption, make("div", { class: "stage" }, this.canvas, this.tip.element));
    this.view = new View(this.canvas, { width: this.n, height: this.n }, MARGIN, (painter) => this.draw(painter), (x, y, event) => this.#point(x, y, event));
    this.canvas.addEventListener("pointerleave", () => this.#leave());
    this.canvas.addEventListener("blur", () => this.#leave());
    this.canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  get placement() {
    return Math.max(0, this.linked.state[this.side]);
  }

  get title() {
    return this.data.placements[this.placement]?.name ?? "";
  }

  /** Updates after a change of order or placement. */
  arrange() {
    this.caption.replaceChildren(make("span", { class: `key series-${this.title}` }), make("strong", {}, this.title));
    this.caption.hidden = this.choices.order !== "placement";
    const { n } = this;
    this.pyramid = this.#arranged();
    if (this.n !== n) {
      this.cursor = { row: -1, column: -1 };
      this.view.replace({ width: this.n, height: this.n });
    }
    this.paint();
  }

  /** Updates after a change of scale or colours. */
  paint() {
    const { least, greatest } = this;
    const step =
      this.choices.scale === "linear"
        ? (/** @type {number} */ value) => 1 + Math.round((254 * value) / greatest)
        : (/** @type {number} */ value) => 1 + Math.round((254 * Math.log(value / least)) / Math.log(greatest / least));
    this.pyramid.paint((value) => (value > 0 ? step(value) : 0), shades());
    this.view.redraw();
  }

  #arranged() {
    const { placements, machine } = this.data;
    const placed = this.choices.order === "placement" ? placements[this.placement] : undefined;
    const traffic = placed?.traffic ?? this.data.traffic;
    this.traffic = traffic;
    this.block = traffic.block;
    this.n = Math.ceil(traffic.n_ranks / this.block);
    this.borders = [];
    this.ranks = Int32Array.from({ length: traffic.n_ranks }, (_, i) => i);
    if (placed) {
      const { node: nodes, cores } = placed;
      const turn = machine.node_order.length ? invert(machine.node_order) : null;
      const at = (/** @type {number} */ rank) => (turn ? (turn[nodes[rank] ?? 0] ?? 0) : (nodes[rank] ?? 0));
      this.ranks.sort((a, b) => at(a) - at(b) || (cores[a]?.[0] ?? 0) - (cores[b]?.[0] ?? 0) || a - b);
      this.ranks.forEach((rank, i) => {
        if (i > 0 && nodes[rank] !== nodes[this.ranks[i - 1] ?? 0]) this.borders.push(i);
      });
    }
    this.positions = invert(this.ranks);
    const values = traffic[this.choices.metric];
    const positions = this.positions;
    this.greatest = 0;
    let least = Infinity;
    for (const value of values) {
      if (value > this.greatest) this.greatest = value;
      if (value > 0 && value < least) least = value;
    }
    // At least a factor of ten, so that small differences look small.
    this.least = Math.min(least, this.greatest / 10);
    if (this.block > 1 || !placed) return new Pyramid(this.n, traffic.src, traffic.dst, values);
    const place = (/** @type {number} */ rank) => positions[rank] ?? 0;
    return new Pyramid(this.n, traffic.src.map(place), traffic.dst.map(place), values);
  }

  /** @param {Painter} painter */
  draw(painter) {
    const { view, n } = this;
    const plot = { x: MARGIN.left, y: MARGIN.top, width: view.plotWidth, height: view.plotHeight };
    painter.clip(plot, () => {
      painter.rect(plot, { fill: colour("raised") });
      painter.rect({ x: view.toX(0), y: view.toY(0), width: n * view.scale, height: n * view.scale }, { fill: colour("page") });
      this.pyramid.draw(painter, view, this.canvas.width / Math.max(1, view.width));
      this.#lines(painter);
      this.#boxes(painter);
      this.#values(painter);
      this.#lit(painter);
    });
    this.#axes(painter);
  }

  /** @param {Painter} painter */
  #lines(painter) {
    const { view, n } = this;
    if (view.scale < 10) return;
    const paint = { stroke: colour("line") };
    for (let i = Math.ceil(view.left); i <= Math.min(n, view.left + view.plotWidth / view.scale); i += 1) {
      painter.line(view.toX(i), view.toY(Math.max(0, view.top)), view.toX(i), view.toY(Math.min(n, view.top + view.plotHeight / view.scale)), paint);
    }
    for (let i = Math.ceil(view.top); i <= Math.min(n, view.top + view.plotHeight / view.scale); i += 1) {
      painter.line(view.toX(Math.max(0, view.left)), view.toY(i), view.toX(Math.min(n, view.left + view.plotWidth / view.scale)), view.toY(i), paint);
    }
  }

  /** The pairs within each node. @param {Painter} painter */
  #boxes(painter) {
    const { view } = this;
    if (this.choices.order !== "placement") return;
    [0, ...this.borders].forEach((first, i) => {
      const from = first / this.block;
      const size = (this.borders[i] ?? this.ranks.length) / this.block - from;
      if (size * view.scale < 5) return;
      painter.rect(
        { x: view.toX(from), y: view.toY(from), width: size * view.scale, height: size * view.scale },
        { stroke: colour("text"), line: 1.5, alpha: 0.6 },
      );
    });
  }

  /** @param {Painter} painter */
  #values(painter) {
    const { view } = this;
    if (view.scale < 58) return;
    for (let row = Math.floor(view.top); row < Math.min(this.n, view.top + view.plotHeight / view.scale); row += 1) {
      for (let column = Math.floor(view.left); column < Math.min(this.n, view.left + view.plotWidth / view.scale); column += 1) {
        const value = this.pyramid.at(row, column);
        if (row < 0 || column < 0 || value === 0) continue;
        const text = this.choices.metric === "bytes" ? bytesText(value) : countText(value);
        const letters = { fill: this.#inkOn(value), size: 11, anchor: /** @type {const} */ ("middle") };
        painter.text(view.toX(column + 0.5), view.toY(row + 0.5) + 4, text, letters);
      }
    }
  }

  /** @param {number} value */
  #inkOn(value) {
    const share = this.choices.scale === "linear" ? value / this.greatest : Math.log(value / this.least) / Math.log(this.greatest / this.least);
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    return share > 0.45 !== dark ? "#ffffff" : "#000000";
  }

  /** Row and column of the highlighted rank, and the cursor. @param {Painter} painter */
  #lit(painter) {
    const { view, n } = this;
    const paint = { stroke: colour("marked"), line: 2 };
    for (const rank of new Set([this.linked.state.rank, this.linked.lit])) {
      if (rank < 0) continue;
      const at = this.#cell(rank);
      const wide = Math.max(1, view.scale);
      painter.rect({ x: view.toX(0), y: view.toY(at), width: n * view.scale, height: wide }, { ...paint, line: 1 });
      painter.rect({ x: view.toX(at), y: view.toY(0), width: wide, height: n * view.scale }, { ...paint, line: 1 });
    }
    const { row, column } = this.cursor;
    if (row >= 0) {
      const size = Math.max(5, view.scale);
      painter.rect({ x: view.toX(column), y: view.toY(row), width: size, height: size }, { stroke: colour("text"), line: 2 });
    }
  }

  /** @param {Painter} painter */
  #axes(painter) {
    const { view, n } = this;
    const step = niceStep((view.plotWidth / view.scale / view.plotWidth) * 56);
    const quiet = { fill: colour("quiet"), size: 11 };
    const middle = /** @type {const} */ ("middle");
    const name = (/** @type {number} */ position) => String(this.ranks[position * this.block] ?? 0);
    const [right, bottom] = [view.left + view.plotWidth / view.scale, view.top + view.plotHeight / view.scale];
    for (let i = Math.ceil(Math.max(0, view.left) / step) * step; i < Math.min(n, right); i += step) {
      const x = view.toX(i + 0.5);
      if (x > MARGIN.left + 6 && x < view.width - 8) painter.text(x, MARGIN.top - 7, name(i), { ...quiet, anchor: middle });
    }
    for (let i = Math.ceil(Math.max(0, view.top) / step) * step; i < Math.min(n, bottom); i += step) {
      const y = view.toY(i + 0.5) + 4;
      if (y > MARGIN.top + 8) painter.text(MARGIN.left - 6, y, name(i), { ...quiet, anchor: "end" });
    }
    painter.text(12, MARGIN.top + view.plotHeight / 2, "source rank", { ...quiet, anchor: middle, turned: true });
    painter.text(MARGIN.left - 6, 10, "to rank", { ...quiet, anchor: "end" });
    painter.rect({ x: MARGIN.left, y: MARGIN.top, width: view.plotWidth - 0.5, height: view.plotHeight - 0.5 }, { stroke: colour("line") });
  }

  /** The contents of a cell in words. @param {number} row @param {number} column */
  describe(row, column) {
    const { traffic } = this;
    const [src, dst] = this.block > 1 ? [row, column] : [this.ranks[row] ?? 0, this.ranks[column] ?? 0];
    const i = pairIndex(traffic, src, dst);
    const sent = i < 0 ? "nothing" : `${bytesText(traffic.bytes[i] ?? 0)} in ${counted(traffic.messages[i] ?? 0, "message")}`;
    if (this.block > 1) return [`${this.#blockText(row)} to ${this.#blockText(column)}`, i < 0 ? "nothing" : `at most ${sent} a pair`];
    const places = [src, dst].map((rank) => placeText(this.data, this.placement, rank));
    return [`rank ${src} to rank ${dst}`, src === dst ? "the rank itself" : sent, `${places[0]} to ${places[1]}`];
  }

  /** The ranks of a block; by their places if they are neighbours on the machine. @param {number} block */
  #blockText(block) {
    const ranks = this.ranks.slice(block * this.block, (block + 1) * this.block);
    const [first = 0, last = 0] = [ranks[0], ranks.at(-1)];
    if (this.choices.order === "rank") return `ranks ${first}-${last}`;
    const [from, to] = [first, last].map((rank) => placeText(this.data, this.placement, rank));
    return `the ${counted(ranks.length, "rank")} from ${from} to ${to}`;
  }

  /** The position of a rank's row and column. @param {number} rank */
  #cell(rank) {
    return Math.floor((this.positions[rank] ?? 0) / this.block);
  }

  /** @param {number} x @param {number} y @param {PointerEvent} event */
  #point(x, y, event) {
    const [row, column] = [Math.floor(y), Math.floor(x)];
    if (row < 0 || column < 0 || row >= this.n || column >= this.n) {
      this.#leave();
      return;
    }
    this.cursor = { row, column };
    this.tip.show(event.offsetX, event.offsetY, this.describe(row, column));
    const rank = this.block === 1 ? (this.ranks[row] ?? -1) : -1;
    this.linked.set(event.type === "pointerup" ? { rank, pointed: rank } : { pointed: rank });
    this.view.redraw();
  }

  #leave() {
    this.cursor = { row: -1, column: -1 };
    this.tip.hide();
    this.linked.set({ pointed: -1 });
    this.view.redraw();
  }

  /** Zooms around the cursor, else the selected rank, else the centre. @param {number} factor */
  #zoom(factor) {
    const { view } = this;
    const rank = this.linked.state.rank >= 0 ? this.#cell(this.linked.state.rank) : this.n / 2;
    const { row, column } = this.cursor.row < 0 ? { row: rank, column: rank } : this.cursor;
    view.reveal({ x: column, y: row, width: 1, height: 1 });
    view.zoomAt(view.toX(column + 0.5), view.toY(row + 0.5), factor);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const far = event.shiftKey ? 10 : 1;
    const steps = { ArrowUp: [-far, 0], ArrowDown: [far, 0], ArrowLeft: [0, -far], ArrowRight: [0, far] };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step) {
      const inside = (/** @type {number} */ value) => Math.min(this.n - 1, Math.max(0, value));
      const row = inside(Math.max(0, this.cursor.row) + (step[0] ?? 0));
      const column = inside(Math.max(0, this.cursor.column) + (step[1] ?? 0));
      this.cursor = { row, column };
      this.view.reveal({ x: column, y: row, width: 1, height: 1 });
      const lines = this.describe(row, column);
      this.tip.show(this.view.toX(column + 1), this.view.toY(row + 1), lines);
      this.say(lines.join(": "));
      if (this.block === 1) this.linked.set({ pointed: this.ranks[row] ?? -1 });
    } else if (event.key === "+" || event.key === "=" || event.key === "-") {
      this.#zoom(event.key === "-" ? 1 / 1.6 : 1.6);
    } else if (event.key === "Enter" && this.block === 1 && this.cursor.row >= 0) {
      this.linked.set({ rank: this.ranks[this.cursor.row] ?? -1 });
    } else if (event.key === "Escape") {
      this.linked.set({ rank: -1, pointed: -1 });
    } else if (event.key === "Home") {
      this.view.fit();
    } else {
      return;
    }
    event.preventDefault();
    this.view.redraw();
  }
}

/** Replaces the still picture of the matrix. @param {HTMLElement} host @param {PageData} data
 * @param {import("./linked.js").Linked} linked @param {(text: string) => void} say */
export function showMatrix(host, data, linked, say) {
  const choices = new Choices();
  const panes = [new Pane(data, linked, choices, "placement", say)];
  const [first] = /** @type {[Pane]} */ (panes);
  const row = make("div", { class: "panes" }, first.element);
  const legend = make("p", { class: "scale" });

  const refresh = () => {
    for (const pane of panes) pane.paint();
    const text = choices.metric === "bytes" ? bytesText : (/** @type {number} */ value) => counted(Math.round(value), "message");
    const bar = make("span", { class: "ramp" });
    bar.style.background = `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map(shade).join(", ")})`;
    const least = choices.scale === "linear" ? 0 : first.least;
    legend.replaceChildren(`${text(least)} `, bar, ` ${text(first.greatest)} a pair, ${choices.scale}; empty: nothing sent`);
  };
  const rearrange = () => {
    for (const pane of panes) pane.arrange();
    refresh();
  };
  const compare = () => {
    const wanted = linked.state.compared >= 0 && choices.order === "placement";
    if (wanted && panes.length === 1) {
      const other = new Pane(data, linked, choices, "compared", say);
      row.append(other.element);
      first.view.pair(other.view);
      panes.push(other);
    } else if (!wanted && panes.length === 2) {
      first.view.unpair();
      panes.pop()?.element.remove();
    }
    row.classList.toggle("two", panes.length === 2);
    rearrange();
  };
  linked.listen((state, before) => {
    if (state.compared !== before.compared) compare();
    else if (state.placement !== before.placement && choices.order === "placement") rearrange();
    else for (const pane of panes) pane.view.redraw();
  });
  onColours(refresh);

  const bar = make(
    "div",
    { class: "controls" },
    choice("Show", ["bytes", "messages"], (value) => {
      choices.metric = /** @type {"bytes" | "messages"} */ (value);
      rearrange();
    }),
    choice("Scale", ["logarithmic", "linear"], (value) => {
      choices.scale = /** @type {"logarithmic" | "linear"} */ (value);
      refresh();
    }),
  );
  bar.append(
    choice("Order", ["rank", "placement"], (value) => {
      choices.order = /** @type {"rank" | "placement"} */ (value);
      compare();
    }),
  );
  const { block, n_pairs: nPairs } = data.traffic;
  if (block > 1) {
    const byPlace = data.placements[0]?.traffic?.block ?? block;
    const kept = `Of ${countText(nPairs)} pairs, the page keeps the greatest in each block of ${block} x ${block} ranks`;
    bar.append(make("span", { class: "scale" }, `${kept}, by placement of ${byPlace} x ${byPlace}.`));
  }
  host.append(bar, row, legend, pictureBar("traffic", panes));
  refresh();
}

/** @param {import("./types").Traffic} traffic @param {number} src @param {number} dst @returns {number} -1 without an entry. */
function pairIndex(traffic, src, dst) {
  let [from, to] = [0, traffic.src.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const order = (traffic.src[middle] ?? 0) - src || (traffic.dst[middle] ?? 0) - dst;
    if (order === 0) return middle;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return -1;
}

/** @param {ArrayLike<number>} order */
function invert(order) {
  const inverse = new Int32Array(order.length);
  for (let i = 0; i < order.length; i += 1) inverse[order[i] ?? 0] = i;
  return inverse;
}

/** 1, 2 or 5 times a power of ten, at least `least`. @param {number} least */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
}
