// Data for pictures of the machine: its layout, the positions of the ranks, and the bytes over its links.

/** @typedef {import("./types").PageData} PageData */
import { partnersOf } from "./data.js";
import { Layout } from "./layout.js";
import { RankPlaces } from "./ranks.js";

export class Shown {
  /** @type {RankPlaces[]} By placement; computed when it is first shown. */
  #places = [];

  /** @param {PageData} data */
  constructor(data) {
    this.data = data;
    this.layout = new Layout(data.machine);
    this.partners = partnersOf(data.traffic);
    const { levels, node_level: nodeLevel } = data.machine;
    this.hasNetwork = nodeLevel < levels.length && data.machine.shape_of_node.length > 1;
    /** The greatest load of each level over all placements, so that pictures can be compared. */
    this.greatest = levels.map((_, level) =>
      data.placements.reduce((most, { link_bytes }) => (link_bytes[level] ?? []).reduce((a, b) => Math.max(a, b), most), 0),
    );
  }

  /** @param {number} placement */
  places(placement) {
    const of = this.data.placements[placement];
    if (of) this.#places[placement] ??= new RankPlaces(of, this.layout);
    return this.#places[placement];
  }

  /** @param {number} placement @param {number} level @param {number} object */
  load(placement, level, object) {
    return this.data.placements[placement]?.link_bytes[level]?.[object] ?? 0;
  }

  /** Bytes over the node's link to the network. @param {number} placement @param {number} node */
  nodeLoad(placement, node) {
    return this.load(placement, this.data.machine.node_level, this.layout.nodes[node]?.object ?? 0);
  }
}
