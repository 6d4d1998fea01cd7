// The traffic as a matrix on a canvas: source ranks down, destination ranks across, zooms to a single pair.

/** @typedef {import("./types").PageData} PageData */
/** @typedef {import("./painter.js").Painter} Painter */
import { colour, onColours, onShade, rampBar, shade } from "./colours.js";
import { make, placeText } from "./data.js";
import { bytesText, counted, countText } from "./format.js";
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
  /** @type {number[]} Position -> rank, or block. */
  ranks = [];
  /** @type {number[]} Rank, or block -> position. */
  positions = [];
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
    const { n } = this.traffic;
    this.n = n;
    /** @type {number[]} Entries of the traffic, fewest bytes first, so that the greatest is drawn on top. */
    this.entries = [];
    this.#arrange();
    const label = `Traffic of ${data.traffic.n_ranks} ranks. Arrow keys move from pair to pair, plus and minus zoom, Enter selects the source rank.`;
    this.canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": label, class: "square" });
    this.tip = tooltip();
    this.caption = make("figcaption", { hidden: "" });
    this.element = make("figure", { class: "pane" }, this.caption, make("div", { class: "stage" }, this.canvas, this.tip.element));
    this.view = new View(this.canvas, { width: n, height: n }, MARGIN, (painter) => this.draw(painter), (x, y, event) => this.#point(x, y, event));
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
    this.#arrange();
    this.view.redraw();
  }

  #arrange() {
    const { placements, machine } = this.data;
    this.borders = [];
    this.ranks = Array.from({ length: this.n }, (_, i) => i);
    const placed = this.choices.order === "placement" ? placements[this.placement] : undefined;
    if (placed) {
      const { node: nodes, cores } = placed;
      const turn = machine.node_order.length ? inverse(machine.node_order) : null;
      const at = (/** @type {number} */ rank) => (turn ? (turn[nodes[rank] ?? 0] ?? 0) : (nodes[rank] ?? 0));
      this.ranks.sort((a, b) => at(a) - at(b) || (cores[a]?.[0] ?? 0) - (cores[b]?.[0] ?? 0) || a - b);
      this.ranks.forEach((rank, i) => {
        if (i > 0 && nodes[rank] !== nodes[this.ranks[i - 1] ?? 0]) this.borders.push(i);
      });
    }
    this.positions = inverse(this.ranks);
    const values = this.traffic[this.choices.metric];
    this.entries = values.map((_, i) => i).filter((i) => (values[i] ?? 0) > 0);
    this.entries.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
    this.greatest = values[this.entries.at(-1) ?? -1] ?? 1;
    // At least a factor of ten, so that small differences look small.
    this.least = Math.min(values[this.entries[0] ?? -1] ?? 1, this.greatest / 10);
  }

  /** 0 to 1, by the chosen scale. @param {number} value */
  #share(value) {
    const { least, greatest } = this;
    return this.choices.scale === "linear" ? value / greatest : Math.log(value / least) / Math.log(greatest / least);
  }

  /** @param {Painter} painter */
  draw(painter) {
    const { view, n } = this;
    const plot = { x: MARGIN.left, y: MARGIN.top, width: view.plotWidth, height: view.plotHeight };
    painter.clip(plot, () => {
      painter.rect(plot, { fill: colour("raised") });
      painter.rect({ x: view.toX(0), y: view.toY(0), width: n * view.scale, height: n * view.scale }, { fill: colour("page") });
      this.#cells(painter);
      this.#lines(painter);
      this.#boxes(painter);
      this.#lit(painter);
    });
    this.#axes(painter);
  }

  /** Squares of at least a pixel, with their value if there is room. @param {Painter} painter */
  #cells(painter) {
    const { view, traffic, positions } = this;
    const values = traffic[this.choices.metric];
    for (const i of this.entries) {
      const [x, y] = [view.toX(positions[traffic.dst[i] ?? 0] ?? 0), view.toY(positions[traffic.src[i] ?? 0] ?? 0)];
      if (x + view.scale < MARGIN.left || y + view.scale < MARGIN.top || x > view.width || y > view.height) continue;
      const value = values[i] ?? 0;
      const [left, top] = [Math.floor(x), Math.floor(y)];
      const at = { x: left, y: top, width: Math.ceil(x + view.scale) - left, height: Math.ceil(y + view.scale) - top };
      painter.rect(at, { fill: shade(this.#share(value)) });
      if (view.scale < 58) continue;
      const text = this.choices.metric === "bytes" ? bytesText(value) : countText(value);
      painter.text(x + view.scale / 2, y + view.scale / 2 + 4, text, { fill: onShade(this.#share(value)), size: 11, anchor: "middle" });
    }
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
      const size = (this.borders[i] ?? this.n) - first;
      if (size * view.scale < 5) return;
      painter.rect(
        { x: view.toX(first), y: view.toY(first), width: size * view.scale, height: size * view.scale },
        { stroke: colour("text"), line: 1.5, alpha: 0.6 },
      );
    });
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
    const name = (/** @type {number} */ position) => String((this.ranks[position] ?? 0) * this.traffic.block);
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
    const { block } = traffic;
    const [src = 0, dst = 0] = [this.ranks[row], this.ranks[column]];
    const i = traffic.index.get(src * this.n + dst);
    const sent = i === undefined ? "nothing" : `${bytesText(traffic.bytes[i] ?? 0)} in ${counted(traffic.messages[i] ?? 0, "message")}`;
    if (block > 1) {
      const [from, to] = [src, dst].map((one) => `ranks ${one * block}-${Math.min(traffic.n_ranks, (one + 1) * block) - 1}`);
      return [`${from} to ${to}`, i === undefined ? sent : `at most ${sent} a pair`];
    }
    const places = [src, dst].map((rank) => placeText(this.data, this.placement, rank));
    return [`rank ${src} to rank ${dst}`, src === dst ? "the rank itself" : sent, `${places[0]} to ${places[1]}`];
  }

  /** The position of a rank's row and column. @param {number} rank */
  #cell(rank) {
    return this.positions[Math.floor(rank / this.traffic.block)] ?? 0;
  }

  /** The rank of a row; -1 for a block. @param {number} row */
  #rankAt(row) {
    return this.traffic.block === 1 ? (this.ranks[row] ?? -1) : -1;
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
    const rank = this.#rankAt(row);
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
      this.linked.set({ pointed: this.#rankAt(row) });
    } else if (event.key === "+" || event.key === "=" || event.key === "-") {
      this.#zoom(event.key === "-" ? 1 / 1.6 : 1.6);
    } else if (event.key === "Enter" && this.cursor.row >= 0) {
      this.linked.set({ rank: this.#rankAt(this.cursor.row) });
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

/** @param {HTMLElement} host @param {PageData} data
 * @param {import("./linked.js").Linked} linked @param {(text: string) => void} say */
export function showMatrix(host, data, linked, say) {
  const choices = new Choices();
  const panes = [new Pane(data, linked, choices, "placement", say)];
  const [first] = /** @type {[Pane]} */ (panes);
  const row = make("div", { class: "panes" }, first.element);
  const legend = make("p", { class: "scale" });

  const refresh = () => {
    for (const pane of panes) pane.view.redraw();
    const text = choices.metric === "bytes" ? bytesText : (/** @type {number} */ value) => counted(Math.round(value), "message");
    const least = choices.scale === "linear" ? 0 : first.least;
    legend.replaceChildren(`${text(least)} `, rampBar(make("span")), ` ${text(first.greatest)} a pair, ${choices.scale}; empty: nothing sent`);
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
  const { block, n_pairs: nPairs } = data.traffic;
  if (block > 1) {
    const kept = `Of ${countText(nPairs)} pairs, the page keeps the greatest in each block of ${block} x ${block} ranks`;
    bar.append(make("span", { class: "scale" }, `${kept}, in the order of ranks.`));
  } else {
    bar.append(
      choice("Order", ["rank", "placement"], (value) => {
        choices.order = /** @type {"rank" | "placement"} */ (value);
        compare();
      }),
    );
  }
  host.append(bar, row, legend, pictureBar("traffic", first.view));
  refresh();
}

/** @param {number[]} order */
function inverse(order) {
  /** @type {number[]} */
  const places = [];
  order.forEach((value, i) => (places[value] = i));
  return places;
}

/** 1, 2 or 5 times a power of ten, at least `least`. @param {number} least */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
}
