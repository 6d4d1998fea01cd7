// The layout of the machine's boxes; nodes of one shape share the layout of their cores.

/** @typedef {import("./types").MachineData} MachineData */
/** @typedef {import("./types").Rect} Rect */

const PAD = 0.12; // of a core's side
export const HEAD = 0.5; // above the children of a box, for its name and load

/**
 * A box inside a node: an object of `level` (0: a core) with its number on the node; `parent` is the index of the
 * box around it, -1 for the node.
 * @typedef {Rect & {level: number, index: number, parent: number}} Inner
 * @typedef {{width: number, height: number, cores: Inner[], boxes: Inner[], counts: number[]}} ShapeLayout
 * @typedef {Rect & {node: number, shape: ShapeLayout, object: number, firsts: number[]}} NodeBox
 * @typedef {Rect & {level: number, object: number}} SwitchBox
 */

/** All boxes of a machine in common coordinates; the side of a core is 1. */
export class Layout {
  /** @type {NodeBox[]} By node. */
  nodes = [];
  /** @type {SwitchBox[]} Switches, the outermost last. */
  switches = [];
  width = 1;
  height = 1;

  /** @param {MachineData} machine */
  constructor(machine) {
    const shapes = machine.shapes.map((shape) => shapeLayout(shape.groups, shape.pus.length));
    const order = machine.node_order.length ? machine.node_order : machine.shape_of_node.map((_, node) => node);
    const next = new Array(machine.node_level + 1).fill(0);
    /** @type {(Rect & {place: (x: number, y: number) => void})[]} */
    let row = order.map((node, object) => {
      const shape = /** @type {ShapeLayout} */ (shapes[machine.shape_of_node[node] ?? 0]);
      const firsts = [...next];
      shape.counts.forEach((count, level) => (next[level] += count));
      const box = { x: 0, y: 0, width: shape.width, height: shape.height, node, shape, object, firsts };
      this.nodes[node] = box;
      return { ...box, place: (x, y) => Object.assign(box, { x, y }) };
    });
    machine.network.forEach((parents, k) => {
      const groups = /** @type {typeof row[]} */ (Array.from({ length: Math.max(...parents) + 1 }, () => []));
      row.forEach((box, i) => groups[parents[i] ?? 0]?.push(box));
      row = groups.map((children, object) => this.#switch(children, machine.node_level + k + 1, object));
    });
    const [all] = row;
    if (!all) return;
    all.place(0, 0);
    this.width = all.width;
    this.height = all.height;
  }

  /** @param {(Rect & {place: (x: number, y: number) => void})[]} children @param {number} level @param {number} object */
  #switch(children, level, object) {
    const gap = 0.03 * Math.max(...children.map((child) => child.width)) + PAD;
    const { places, width, height } = arranged(children, gap, 1.15);
    const head = Math.max(HEAD, 0.045 * width);
    const box = { x: 0, y: 0, width: width + 2 * gap, height: height + head + 2 * gap, level, object };
    this.switches.push(box);
    const place = (/** @type {number} */ x, /** @type {number} */ y) => {
      Object.assign(box, { x, y });
      children.forEach((child, i) => child.place(x + gap + (places[i]?.x ?? 0), y + gap + head + (places[i]?.y ?? 0)));
    };
    return { ...box, place };
  }
}

/** @param {number[][]} groups As in Shape. @param {number} nCores @returns {ShapeLayout} */
function shapeLayout(groups, nCores) {
  /** @type {{rect: Rect, inner: {box: Inner, x: number, y: number}[], core: number}[]} */
  let row = Array.from({ length: nCores }, (_, core) => ({
    rect: { x: 0, y: 0, width: 1, height: 1 },
    inner: [{ box: { x: 0, y: 0, width: 1, height: 1, level: 0, index: core, parent: -1 }, x: 0, y: 0 }],
    core,
  }));
  groups.forEach((group, k) => {
    const count = Math.max(...group) + 1;
    if (count === row.length) return; // each has one child: not drawn separately
    const members = Array.from({ length: count }, () => /** @type {typeof row} */ ([]));
    for (const part of row) members[group[part.core] ?? 0]?.push(part);
    row = members.map((parts, index) => joined(parts, k + 1, index));
  });
  const whole = joined(row, groups.length + 1, 0);
  const found = whole.inner.map(({ box, x, y }) => Object.assign(box, { x, y }));
  const cores = found.filter((box) => box.level === 0).sort((a, b) => a.index - b.index);
  const boxes = found.filter((box) => box.level > 0 && box.level <= groups.length);
  const counts = [nCores, ...groups.map((group) => Math.max(...group) + 1)];
  return { width: whole.rect.width, height: whole.rect.height, cores, boxes, counts };
}

/** @param {{rect: Rect, inner: {box: Inner, x: number, y: number}[], core: number}[]} parts @param {number} level @param {number} index */
function joined(parts, level, index) {
  const { places, width, height } = arranged(parts.map((part) => part.rect), PAD, 1.15);
  const rect = { x: 0, y: 0, width: width + 2 * PAD, height: height + HEAD + 2 * PAD };
  const inner = parts.flatMap((part, i) =>
    part.inner.map(({ box, x, y }) => ({ box, x: x + PAD + (places[i]?.x ?? 0), y: y + PAD + HEAD + (places[i]?.y ?? 0) })),
  );
  inner.unshift({ box: { ...rect, level, index, parent: -1 }, x: 0, y: 0 });
  return { rect, inner, core: parts[0]?.core ?? 0 };
}

/** Boxes in rows, in the shape nearest to `aspect`. @param {Rect[]} boxes @param {number} gap @param {number} aspect */
function arranged(boxes, gap, aspect) {
  const [width, height] = [Math.max(...boxes.map((box) => box.width)), Math.max(...boxes.map((box) => box.height))];
  let columns = 1;
  let least = Infinity;
  for (let n = 1; n <= boxes.length; n += 1) {
    const rows = Math.ceil(boxes.length / n);
    const misfit = Math.abs(Math.log((n * (width + gap)) / (rows * (height + gap)) / aspect)) + 1.5 * (1 - boxes.length / (n * rows));
    if (misfit < least) [columns, least] = [n, misfit];
  }
  const places = boxes.map((_, i) => ({ x: (i % columns) * (width + gap), y: Math.floor(i / columns) * (height + gap) }));
  const rows = Math.ceil(boxes.length / columns);
  return { places, width: columns * (width + gap) - gap, height: rows * (height + gap) - gap };
}
