// The machine as boxes on a canvas, from the network down to a hardware thread, with its ranks and link loads.

/** @typedef {import("./painter.js").Painter} Painter */
/** @typedef {import("./types").Rect} Rect */
/** @typedef {import("./layout.js").NodeBox} NodeBox */
/** @typedef {import("./ranks.js").RankPlaces} RankPlaces */
/** @typedef {{kind: "node" | "box" | "core", node: number, level: number, index: number}} Found */
import { tooltip } from "./controls.js";
import { colour, onShade, shade } from "./colours.js";
import { make, nodeText, placeText, ranges } from "./data.js";
import { bytesText, counted } from "./format.js";
import { HEAD } from "./layout.js";
import { View } from "./view.js";

const LEAST_CORE = 5; // CSS pixels; if cores are smaller, only their node is drawn, shaded by its load
const LEAST_MARK = 5; // least size of a highlighted rank, CSS pixels

export class Pane {
  /** @type {Found | null} */
  cursor = null;

  /** @param {import("./shown.js").Shown} shown @param {import("./linked.js").Linked} linked @param {"placement" | "compared"} side
   * @param {(text: string) => void} say */
  constructor(shown, linked, side, say) {
    this.shown = shown;
    this.linked = linked;
    this.side = side;
    this.say = say;
    const { machine } = shown.data;
    const label = `Machine ${machine.name} with its ranks. Arrow keys move from box to box, Enter goes in or selects a rank, Escape goes out, plus and minus zoom.`;
    this.canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": label, class: "machine" });
    this.tip = tooltip();
    this.caption = make("figcaption");
    this.element = make("figure", { class: "pane" }, this.caption, make("div", { class: "stage" }, this.canvas, this.tip.element));
    const world = { width: shown.layout.width, height: shown.layout.height };
    this.canvas.style.aspectRatio = String(Math.min(2.2, Math.max(0.9, world.width / world.height)));
    this.view = new View(this.canvas, world, { left: 0, top: 0 }, (painter) => this.draw(painter), (x, y, event) => this.#point(x, y, event));
    this.canvas.addEventListener("pointerleave", () => this.#leave());
    this.canvas.addEventListener("blur", () => this.#leave());
    this.canvas.addEventListener("keydown", (event) => this.#key(event));
    this.name();
  }

  get placement() {
    return Math.max(0, this.linked.state[this.side]);
  }

  get title() {
    return this.shown.data.placements[this.placement]?.name ?? "";
  }

  name() {
    this.caption.replaceChildren(make("span", { class: `key series-${this.title}` }), make("strong", {}, this.title));
  }

  /** @param {Painter} painter */
  draw(painter) {
    const { layout, data } = this.shown;
    for (const box of [...layout.switches].reverse()) this.#switch(painter, box);
    for (const box of layout.nodes) if (box && this.#isSeen(box)) this.#node(painter, box);
    this.#ranks(painter);
    const at = this.cursor && this.#rect(this.cursor);
    if (at) painter.rect(this.#onScreen(at), { stroke: colour("text"), line: 2.5, radius: 3 });
    if (data.placements.length === 0) painter.text(12, 24, "no placement", { fill: colour("quiet"), size: 12 });
  }

  /** @param {Painter} painter @param {import("./layout.js").SwitchBox} box */
  #switch(painter, box) {
    const { levels, node_level: nodeLevel, shape_of_node: shapes } = this.shown.data.machine;
    painter.rect(this.#onScreen(box), { fill: colour("raised"), stroke: colour("line"), radius: 4 });
    const name = levels[box.level - 1] ?? "network";
    const isRoot = box.level === levels.length;
    const text = isRoot ? `${name}: ${counted(shapes.length, "node")}` : `${name} ${box.object}`;
    const head = Math.max(HEAD, 0.045 * box.width);
    this.#head(painter, box, head, text, isRoot ? -1 : box.level, box.object, nodeLevel);
  }

  /** @param {Painter} painter @param {NodeBox} box */
  #node(painter, box) {
    const { view, shown } = this;
    const { machine } = shown.data;
    const at = this.#onScreen(box);
    const level = machine.node_level;
    const share = shown.hasNetwork ? shown.nodeLoad(this.placement, box.node) / (shown.greatest[level] || 1) : 0;
    if (view.scale < LEAST_CORE) {
      painter.rect(at, { fill: share > 0 ? shade(share) : colour("page"), stroke: at.width > 6 ? colour("line") : undefined });
      if (at.width > 30) {
        const fill = share > 0 ? onShade(share) : colour("quiet");
        painter.text(at.x + at.width / 2, at.y + at.height / 2 + 4, String(box.node), { fill, size: 11, anchor: "middle" });
      }
      return;
    }
    painter.rect(at, { fill: colour("page"), stroke: colour("line"), radius: Math.min(4, view.scale / 4) });
    this.#head(painter, box, HEAD, nodeText(shown.data, box.node), shown.hasNetwork ? level : -1, box.object, level, this.#devices(box.node));
    for (const inner of box.shape.boxes) {
      const place = { x: box.x + inner.x, y: box.y + inner.y, width: inner.width, height: inner.height };
      if (!this.#isSeen(place)) continue;
      painter.rect(this.#onScreen(place), { fill: colour("raised"), stroke: colour("line"), radius: Math.min(4, view.scale / 5) });
      const name = `${machine.levels[inner.level - 1] ?? ""} ${inner.index}`;
      this.#head(painter, place, HEAD, name, inner.level, (box.firsts[inner.level] ?? 0) + inner.index, level);
    }
    for (const core of box.shape.cores) {
      const place = { x: box.x + core.x, y: box.y + core.y, width: 1, height: 1 };
      if (this.#isSeen(place)) this.#core(painter, place, box.node, core.index);
    }
  }

  /** @param {number} node */
  #devices(node) {
    const { machine } = this.shown.data;
    return (machine.shapes[machine.shape_of_node[node] ?? 0]?.devices ?? []).map((device) => device.name).join(", ");
  }

  /** Draws name, load and load bar at the top of a box. @param {Painter} painter @param {Rect} box @param {number} head
   * @param {string} name @param {number} level Of the box; -1: no link is shown. @param {number} object
   * @param {number} nodeLevel @param {string} more */
  #head(painter, box, head, name, level, object, nodeLevel, more = "") {
    const at = this.#onScreen(box);
    const height = head * this.view.scale;
    const load = level < 0 ? 0 : this.shown.load(this.placement, level, object);
    const share = level < 0 ? 0 : load / (this.shown.greatest[level] || 1);
    const track = Math.max(1.5, height * 0.16);
    if (level >= 0 && at.width > 14 && height >= (level < nodeLevel ? 6 : 2)) {
      const width = at.width - 8;
      painter.rect({ x: at.x + 4, y: at.y + height - track, width, height: track }, { fill: colour("line") });
      painter.rect({ x: at.x + 4, y: at.y + height - track, width: width * share, height: track }, { fill: colour("worst") });
    }
    if (height < 13) return;
    const size = Math.min(13, height * 0.52);
    const room = at.width / (size * 0.56);
    const loadText = level < 0 ? "" : `\u2191 ${bytesText(load)}`;
    const y = at.y + (height - track) / 2 + size * 0.36;
    const named = more && name.length + more.length + loadText.length + 6 < room ? `${name}, ${more}` : name;
    if (named.length + 2 < room) painter.text(at.x + 5, y, named, { fill: colour("text"), size, bold: level < 0 || level >= nodeLevel });
    if (loadText && named.length + loadText.length + 4 < room) {
      painter.text(at.x + at.width - 5, y, loadText, { fill: colour("quiet"), size, anchor: "end" });
    }
  }

  /** @param {Painter} painter @param {Rect} place @param {number} node @param {number} core */
  #core(painter, place, node, core) {
    const { machine } = this.shown.data;
    const at = this.#onScreen(place);
    painter.rect(at, { fill: colour("page"), stroke: colour("line"), radius: at.width > 14 ? Math.min(4, at.width / 8) : 0 });
    if (at.width < 44) return;
    painter.text(at.x + 5, at.y + at.width * 0.15 + 2, `core ${core}`, { fill: colour("quiet"), size: Math.min(12, at.width * 0.15) });
    const pus = machine.shapes[machine.shape_of_node[node] ?? 0]?.pus[core] ?? [];
    const known = pus.filter((os) => os !== null);
    if (known.length === 0) return;
    const text = known.length * 6 * 6 < at.width ? known.map((os) => `OS ${os}`).join("  ") : `OS ${known.join(" ")}`;
    painter.text(at.x + 5, at.y + at.height - 5, text, { fill: colour("quiet"), size: Math.min(11, at.width * 0.13) });
  }

  /** @param {Painter} painter */
  #ranks(painter) {
    const { view, shown, linked } = this;
    const to = shown.places(this.placement);
    if (!to) return;
    const lit = linked.lit;
    const partners = lit >= 0 ? shown.partners[lit] : undefined;
    let most = 0;
    for (const bytes of partners?.values() ?? []) most = Math.max(most, bytes);
    if (lit >= 0 && partners?.size) this.#threads(painter, to, lit, partners, most);
    const scale = view.scale;
    for (let i = 0; i < to.count; i += 1) {
      const rank = to.rank(i);
      const at = to.rect(i);
      if (!this.#isSeen(at)) continue;
      const share = partners?.get(rank);
      const isLit = rank === lit || rank === linked.state.rank;
      const strength = share === undefined ? 0.3 : 0.35 + (0.65 * share) / (most || 1);
      const isMarked = isLit || share !== undefined;
      if (scale < LEAST_CORE && !isMarked) continue; // nodes are shaded instead
      const faded = lit >= 0 && partners?.size && !isMarked;
      const box = isMarked ? atLeast(this.#onScreen(at), LEAST_MARK) : this.#onScreen(at);
      const paint = { fill: isLit ? colour("marked") : shade(strength), alpha: faded ? 0.35 : 1, radius: box.width > 10 ? Math.min(3, box.width / 6) : 0 };
      painter.rect(box, isMarked ? { ...paint, stroke: colour("text"), line: isLit ? 2 : 1 } : paint);
      const size = Math.min(16, box.height * 0.62, (box.width * 1.5) / String(rank).length);
      if (size >= 7 && scale >= 9) {
        const fill = isLit ? "#000000" : faded ? colour("text") : onShade(strength);
        painter.text(box.x + box.width / 2, box.y + box.height / 2 + size * 0.36, String(rank), { fill, size, anchor: "middle", bold: isLit });
      }
    }
  }

  /** Lines from the highlighted rank to its partners; their width shows the bytes.
   * @param {Painter} painter @param {RankPlaces} places @param {number} lit @param {Map<number, number>} partners @param {number} most */
  #threads(painter, places, lit, partners, most) {
    if (partners.size > 200) return;
    const start = places.middle(lit);
    for (const [partner, bytes] of partners) {
      const end = places.middle(partner);
      const paint = { stroke: colour("marked"), line: 1 + (3 * bytes) / (most || 1), alpha: 0.8 };
      painter.line(this.view.toX(start.x), this.view.toY(start.y), this.view.toX(end.x), this.view.toY(end.y), paint);
    }
  }

  /** @param {Rect} box */
  #isSeen(box) {
    const { view } = this;
    return (
      box.x < view.left + view.plotWidth / view.scale &&
      box.x + box.width > view.left &&
      box.y < view.top + view.plotHeight / view.scale &&
      box.y + box.height > view.top
    );
  }

  /** @param {Rect} box @returns {Rect} */
  #onScreen(box) {
    const { view } = this;
    return { x: view.toX(box.x), y: view.toY(box.y), width: box.width * view.scale, height: box.height * view.scale };
  }

  /** @param {Found} found @returns {Rect | null} */
  #rect(found) {
    const node = this.shown.layout.nodes[found.node];
    if (!node || found.kind === "node") return node ?? null;
    const inside = (found.kind === "core" ? node.shape.cores : node.shape.boxes).find(
      (one) => one.level === found.level && one.index === found.index,
    );
    return inside ? { x: node.x + inside.x, y: node.y + inside.y, width: inside.width, height: inside.height } : null;
  }

  /** The smallest box at a place. @param {number} x @param {number} y @returns {Found | null} */
  #found(x, y) {
    const holds = (/** @type {Rect} */ box, /** @type {number} */ px, /** @type {number} */ py) =>
      px >= box.x && px < box.x + box.width && py >= box.y && py < box.y + box.height;
    const node = this.shown.layout.nodes.find((box) => box && holds(box, x, y));
    if (!node) return null;
    if (this.view.scale >= LEAST_CORE) {
      const [px, py] = [x - node.x, y - node.y];
      const core = node.shape.cores.find((one) => holds(one, px, py));
      if (core) return { kind: "core", node: node.node, level: 0, index: core.index };
      const boxes = node.shape.boxes.filter((one) => holds(one, px, py)).sort((a, b) => a.width - b.width);
      if (boxes[0]) return { kind: "box", node: node.node, level: boxes[0].level, index: boxes[0].index };
    }
    return { kind: "node", node: node.node, level: this.shown.data.machine.node_level, index: 0 };
  }

  /** @param {Found} found */
  #ranksIn(found) {
    return found.kind === "core" ? (this.shown.places(this.placement)?.onCore(found.node, found.index) ?? []) : [];
  }

  /** @param {Found} found */
  describe(found) {
    const { shown } = this;
    const { data } = shown;
    const { machine } = data;
    if (found.kind === "core") {
      const ranks = this.#ranksIn(found);
      const pus = machine.shapes[machine.shape_of_node[found.node] ?? 0]?.pus[found.index]?.filter((os) => os !== null) ?? [];
      const core = `${nodeText(data, found.node)}, core ${found.index}${pus.length ? ` (OS ${pus.join(", ")})` : ""}`;
      const [rank] = ranks;
      if (rank === undefined) return [core, "no rank"];
      const partners = shown.partners[rank];
      const bytes = [...(partners?.values() ?? [])].reduce((sum, one) => sum + one, 0);
      const talk = partners?.size ? [`${bytesText(bytes)} with ${counted(partners.size, "rank")}`] : [];
      const others = data.placements.flatMap((one, i) => (i === this.placement ? [] : [`${one.name}: ${placeText(data, i, rank)}`]));
      return [`${ranks.length > 1 ? "ranks" : "rank"} ${ranges(ranks)}`, core, ...talk, ...others];
    }
    const node = shown.layout.nodes[found.node];
    const name = found.kind === "node" ? nodeText(data, found.node) : `${nodeText(data, found.node)}, ${machine.levels[found.level - 1]} ${found.index}`;
    const object = found.kind === "node" ? (node?.object ?? 0) : (node?.firsts[found.level] ?? 0) + found.index;
    const link = machine.levels[found.level];
    const load = link ? [`${bytesText(shown.load(this.placement, found.level, object))} over its link to the ${link}`] : [];
    const devices = found.kind === "node" ? this.#devices(found.node) : "";
    return [name, ...load, ...(devices ? [devices] : [])];
  }

  /** @param {number} x @param {number} y @param {PointerEvent} event */
  #point(x, y, event) {
    const found = this.#found(x, y);
    if (!found) {
      this.#leave();
      return;
    }
    this.tip.show(event.offsetX, event.offsetY, this.describe(found));
    const [rank = -1] = this.#ranksIn(found);
    this.linked.set(event.type === "pointerup" ? { rank, pointed: rank } : { pointed: rank });
  }

  #leave() {
    this.cursor = null;
    this.tip.hide();
    this.linked.set({ pointed: -1 });
    this.view.redraw();
  }

  /** @param {Found} found */
  focus(found) {
    this.cursor = found;
    const at = this.#rect(found);
    if (!at) return;
    this.view.reveal(at);
    const lines = this.describe(found);
    this.tip.show(this.view.toX(at.x + at.width / 2), this.view.toY(at.y + at.height), lines);
    this.say(lines.join(": "));
    this.linked.set({ pointed: this.#ranksIn(found)[0] ?? -1 });
    this.view.redraw();
  }

  /** Zooms to a node. @param {number} node */
  open(node) {
    const box = this.shown.layout.nodes[node];
    if (box) this.view.show(box);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { nodes } = this.shown.layout;
    const several = nodes.length > 1;
    const first = several ? /** @type {Found} */ ({ kind: "node", node: 0, level: this.shown.data.machine.node_level, index: 0 }) : coreOf(0, 0);
    const { cursor } = this;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way) {
      this.focus(cursor ? this.#next(cursor, way[0] ?? 0, way[1] ?? 0) : first);
    } else if (event.key === "Enter" && cursor?.kind === "node") {
      this.open(cursor.node);
      this.focus(coreOf(cursor.node, 0));
    } else if (event.key === "Enter" && cursor) {
      this.linked.set({ rank: this.#ranksIn(cursor)[0] ?? -1 });
    } else if (event.key === "Escape") {
      this.linked.set({ rank: -1 });
      if (cursor?.kind === "core" && several) this.focus({ ...first, node: cursor.node });
      this.view.fit();
    } else if (event.key === "+" || event.key === "=") {
      this.view.zoom(1.6);
    } else if (event.key === "-") {
      this.view.zoom(1 / 1.6);
    } else if (event.key === "Home") {
      this.view.fit();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The nearest node or core in that direction. @param {Found} from @param {number} dx @param {number} dy @returns {Found} */
  #next(from, dx, dy) {
    const at = this.#rect(from);
    if (!at) return from;
    const { nodes } = this.shown.layout;
    const node = nodes[from.node];
    const all = from.kind === "core" ? (node?.shape.cores ?? []).map((core) => coreOf(from.node, core.index)) : nodes.map((box) => ({ ...from, node: box.node }));
    let best = from;
    let least = Infinity;
    for (const one of all) {
      const to = this.#rect(one);
      if (!to) continue;
      const [x, y] = [to.x - at.x, to.y - at.y];
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (ahead > 1e-6 && ahead + 4 * aside < least) [best, least] = [one, ahead + 4 * aside];
    }
    return best;
  }
}

/** The box, or if it is smaller, a square of this size around its centre. @param {Rect} box @param {number} size @returns {Rect} */
function atLeast(box, size) {
  if (box.width >= size) return box;
  return { x: box.x + (box.width - size) / 2, y: box.y + (box.height - size) / 2, width: size, height: size };
}

/** @param {number} node @param {number} index @returns {Found} */
function coreOf(node, index) {
  return { kind: "core", node, level: 0, index };
}
