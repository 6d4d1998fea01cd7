// What python/corewise/page/data.py puts into the page, and what the script derives from it.

export interface Device { kind: string; name: string; cores: number[] }
export interface Shape { groups: number[][]; pus: (number | null)[][]; devices: Device[] }
/** Levels are the lowest first, `node_level` counts those within a node. `groups[k][core]` is the object of level k + 1, numbered
 * on the node. `node_order` is empty if it is 0, 1, 2, ... `network[k][i]` is the object of level node_level + k + 1 that object i
 * of the level below is in. */
export interface MachineData {
  name: string; levels: string[]; node_level: number; shapes: Shape[]; shape_of_node: number[]; node_order: number[];
  network: number[][]; hosts: string[];
}
/** Of tune.json; see formats/FORMATS.md. */
export interface Tune {
  phases: { repeat: number; n_ranks: number; src: number[]; dst: number[]; bytes: number[]; messages: number[] }[];
  candidates: { label: string; placement: { node: number[]; cores: number[][] }; link_bytes: number[][] }[];
  plan: { files: Record<string, string> } | null;
  summary: Summary | null;
}
export interface Summary {
  calls: { call: string; layer: string; count: number; bytes: number; time_s: number }[];
  ranks: { rank: number; host: string; app_s: number; mpi_s: number }[];
  waits: { waiter: number; awaited: number; time_s: number; count: number }[];
}
/** The document in the page. If `block` is above 1, the traffic is the maxima of pairs of blocks of this number of ranks. */
export interface Documents {
  tune: Tune; timeline: Timeline | null; machine: MachineData; block: number; n_pairs: number; gains: Record<string, string>;
  files: Record<string, string>;
}
export interface Timeline {
  end_s: number; phases: { begin_s: number; end_s: number; pattern: number }[]; calls: string[]; rank: number[]; call: number[];
  kind: number[]; begins_s: number[]; ends_s: number[]; src: number[]; dst: number[]; sent_s: number[]; received_s: number[];
  message_bytes: number[]; left_out: number;
}
/** All phases together; `index` maps src * n + dst to an entry. */
export interface Traffic {
  n_ranks: number; block: number; n_pairs: number; n: number; src: number[]; dst: number[]; bytes: number[]; messages: number[];
  index: Map<number, number>;
}
export interface Placement { name: string; node: number[]; cores: number[][]; link_bytes: number[][]; gain: string }
export interface PageData {
  machine: MachineData; placements: Placement[]; traffic: Traffic; summary: Summary | null; timeline: Timeline | null;
  files: Record<string, string>;
}
/** "rank" and "partner" are ranks, "place" is "node 3, core 5". */
export type Kind = "rank" | "partner" | "place" | "text" | "count" | "bytes" | "seconds" | "share";
export interface Column { name: string; kind: Kind; values: (string | number)[] }
export interface Table { name: string; title: string; columns: Column[] }
export interface Rect { x: number; y: number; width: number; height: number }
export interface Paint { fill?: string; stroke?: string; line?: number; radius?: number; alpha?: number; dash?: number[] }
export interface Lettering { fill: string; size: number; anchor?: "start" | "middle" | "end"; bold?: boolean; turned?: boolean }
