import type { View } from "./view.js";

// The document inside the page, as python/corewise/nouns/page_data.py writes it; see there what the fields mean.
export type Source = "measured" | "emulated" | "simulated" | "estimated" | "predicted";
export interface Level { name: string; link: string; latency_s: number | null; bandwidth_bytes_per_s: number | null; source: string }
export interface Device { kind: string; name: string; cores: number[] }
export interface Shape { groups: number[][]; pus: (number | null)[][]; devices: Device[] }
export interface MachineData {
  name: string; levels: Level[]; node_level: number; shapes: Shape[]; shape_of_node: number[]; node_order: number[];
  network: number[][]; hosts: string[];
}
export interface Gain {
  source: Source; expected: number; low: number | null; high: number | null; confidence: number | null; n_repeats: number | null;
}
export interface Placement { name: string; node: number[]; cores: number[][]; link_bytes: number[][]; gain: Gain | null; traffic?: Traffic }
export interface Traffic {
  n_ranks: number; block: number; n_pairs: number; total_bytes: number; total_messages: number;
  src: number[]; dst: number[]; bytes: number[]; messages: number[];
}
export interface Partners { most: number; rank: number[]; partner: number[]; bytes: number[] }
export type Kind = "rank" | "partner" | "place" | "text" | "count" | "bytes" | "seconds" | "share";
export interface Column { name: string; kind: Kind; values: (string | number)[] }
export interface Table { name: string; title: string; columns: Column[] }
export interface Phase { begin_s: number; end_s: number; pattern: number }
export interface Timeline {
  begin_s: number; end_s: number; phases: Phase[]; calls: string[]; rank: number[]; call: number[]; begins_s: number[];
  ends_s: number[]; waits: boolean[]; src: number[]; dst: number[]; sent_s: number[]; received_s: number[];
  message_bytes: number[]; left_out: number;
}
export interface PageData {
  title: string; date: string; machine: MachineData; placements: Placement[]; traffic: Traffic; partners?: Partners; tables: Table[]; files: Record<string, string>; timeline?: Timeline;
}
/** Ranks that each rank exchanges bytes with: row r is start[r] to start[r + 1]. */
export interface Rows { start: Uint32Array; column: Uint32Array; bytes: Float64Array; messages: Float64Array }
export interface Rect { x: number; y: number; width: number; height: number }
export interface Paint { fill?: string; stroke?: string; line?: number; radius?: number; alpha?: number; dash?: number[] }
export interface Lettering { fill: string; size: number; anchor?: "start" | "middle" | "end"; bold?: boolean; turned?: boolean }
/** What pictures are drawn with: a canvas on the screen, or an SVG file. */
export interface Painter {
  rect(at: Rect, paint: Paint): void;
  line(x1: number, y1: number, x2: number, y2: number, paint: Paint): void;
  text(x: number, y: number, letters: string, paint: Lettering): void;
  image(picture: HTMLCanvasElement, at: Rect): void;
  clip(at: Rect, draw: () => void): void;
  shift(x: number, y: number, draw: () => void): void;
}
/** A part of a picture, next to others if placements are compared. */
export interface PicturePane { view: View; title: string; draw(painter: Painter): void }
/** A picture that can be saved: its size in CSS pixels and how it is drawn. */
export interface Picture { name: string; width(): number; height(): number; draw(painter: Painter): void }
