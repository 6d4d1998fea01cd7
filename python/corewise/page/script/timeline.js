// The timeline: calls, waiting and messages of each rank, on a canvas whose time axis zooms.

/** @typedef {import("./types").Timeline} Timeline */
import { pictureBar, tooltip } from "./controls.js";
import { colour, onColours } from "./colours.js";
import { make } from "./data.js";
import { bytesText, counted, secondsText } from "./format.js";
import { Painter } from "./painter.js";

const LEFT = 46;
const FOOT = 22;
const KINDS = ["send", "receive", "wait", "collective", "other"]; // as in python/corewise/nouns/timeline.py
const MOST_MESSAGES = 2000; // drawn at a time; more would be a grey area

class Chart {
  /** @param {Timeline} events @param {import("./linked.js").Linked} linked @param {(text: string) => void} say */
  constructor(events, linked, say) {
    this.events = events;
    this.linked = linked;
    this.say = say;
    this.nRanks = events.rank.reduce((most, rank) => Math.max(most, rank + 1), 1);
    this.begin = 0;
    this.end = events.end_s;
    const label = `Timeline of ${this.nRanks} ranks. Left and right move in time, plus and minus zoom, up and down choose a rank.`;
    this.canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": label, class: "timeline" });
    this.canvas.style.height = `${Math.min(620, Math.max(140, this.nRanks * 18 + FOOT + 14))}px`;
    this.tip = tooltip();
    this.element = make("div", { class: "stage" }, this.canvas, this.tip.element);
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.width = 0;
    this.height = 0;
    this.waiting = false;
    this.drag = NaN;
    new ResizeObserver(() => this.#resize()).observe(this.canvas);
    this.canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== this.canvas) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * 0.002), this.#time(event.offsetX));
    }, { passive: false });
    this.canvas.addEventListener("pointerdown", (event) => (this.drag = event.offsetX));
    this.canvas.addEventListener("pointerup", () => (this.drag = NaN));
    this.canvas.addEventListener("pointermove", (event) => this.#point(event));
    this.canvas.addEventListener("pointerleave", () => this.#leave());
    this.canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  redraw() {
    if (this.waiting || this.width === 0) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      const ratio = this.canvas.width / this.width;
      this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.context.clearRect(0, 0, this.width, this.height);
      this.draw(new Painter(this.context));
    });
  }

  /** @param {number} factor Above 1 shows less. @param {number} about Seconds. */
  zoom(factor, about = (this.begin + this.end) / 2) {
    const { end_s: last } = this.events;
    const span = Math.min(last, Math.max(last / 1e6, (this.end - this.begin) / factor));
    const from = about - ((about - this.begin) / (this.end - this.begin)) * span;
    this.#show(from, span);
  }

  fit() {
    this.#show(0, this.events.end_s);
  }

  /** @param {number} from @param {number} span */
  #show(from, span) {
    this.begin = Math.min(this.events.end_s - span, Math.max(0, from));
    this.end = this.begin + span;
    this.redraw();
  }

  get row() {
    return (this.height - FOOT - 8) / this.nRanks;
  }

  /** @param {number} time */
  #x(time) {
    return LEFT + ((time - this.begin) / (this.end - this.begin)) * (this.width - LEFT);
  }

  /** @param {number} x */
  #time(x) {
    return this.begin + ((x - LEFT) / (this.width - LEFT)) * (this.end - this.begin);
  }

  /** @param {Painter} painter */
  draw(painter) {
    const { events, row, width, height } = this;
    const plot = { x: LEFT, y: 8, width: width - LEFT, height: height - FOOT - 8 };
    painter.rect(plot, { fill: colour("raised") });
    painter.clip(plot, () => {
      events.phases.forEach((phase) => {
        painter.line(this.#x(phase.begin_s), 8, this.#x(phase.begin_s), height - FOOT, { stroke: colour("quiet"), dash: [3, 3] });
      });
      events.rank.forEach((rank, i) => {
        const [from, to] = [this.#x(events.begins_s[i] ?? 0), this.#x(events.ends_s[i] ?? 0)];
        if (to < LEFT || from > width) return;
        const at = { x: from, y: 8 + rank * row + row * 0.12, width: Math.max(0.6, to - from), height: row * 0.76 };
        painter.rect(at, { fill: colour(`kind-${KINDS[events.kind[i] ?? 0]}`) });
      });
      this.#messages(painter);
    });
    const quiet = { fill: colour("quiet"), size: 11 };
    const step = Math.ceil(14 / row);
    for (let rank = 0; rank < this.nRanks; rank += step) {
      const isLit = rank === this.linked.lit;
      painter.text(LEFT - 6, 8 + (rank + 0.5) * row + 4, String(rank), { ...quiet, anchor: "end", bold: isLit });
    }
    for (let i = 0; i <= 4; i += 1) {
      const time = this.begin + ((this.end - this.begin) * i) / 4;
      const anchor = i === 0 ? "start" : i === 4 ? "end" : "middle";
      painter.text(this.#x(time), height - 6, secondsText(time), { ...quiet, anchor });
    }
  }

  /** @param {Painter} painter */
  #messages(painter) {
    const { events, row } = this;
    let drawn = 0;
    for (let i = 0; i < events.src.length && drawn < MOST_MESSAGES; i += 1) {
      const [sent, received] = [events.sent_s[i] ?? 0, events.received_s[i] ?? 0];
      if (received < this.begin || sent > this.end) continue;
      const lit = this.linked.lit;
      if (lit >= 0 && events.src[i] !== lit && events.dst[i] !== lit) continue;
      drawn += 1;
      const y = (/** @type {number} */ rank) => 8 + (rank + 0.5) * row;
      painter.line(this.#x(sent), y(events.src[i] ?? 0), this.#x(received), y(events.dst[i] ?? 0), { stroke: colour("text"), alpha: 0.5 });
    }
  }

  #resize() {
    if (this.canvas.clientWidth === 0) return;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    const ratio = Math.min(3, devicePixelRatio || 1);
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.redraw();
  }

  /** @param {PointerEvent} event */
  #point(event) {
    if (!Number.isNaN(this.drag)) {
      const moved = ((event.offsetX - this.drag) / (this.width - LEFT)) * (this.end - this.begin);
      this.drag = event.offsetX;
      this.#show(this.begin - moved, this.end - this.begin);
      return;
    }
    const rank = Math.floor((event.offsetY - 8) / this.row);
    if (rank < 0 || rank >= this.nRanks) return;
    const lines = this.describe(rank, this.#time(event.offsetX));
    this.tip.show(event.offsetX, event.offsetY, lines);
    this.linked.set({ pointed: rank });
  }

  /** @param {number} rank @param {number} time */
  describe(rank, time) {
    const { events } = this;
    const i = events.rank.findIndex((one, k) => one === rank && (events.begins_s[k] ?? 0) <= time && time < (events.ends_s[k] ?? 0));
    const sent = events.src.reduce((sum, src, k) => sum + (src === rank ? (events.message_bytes[k] ?? 0) : 0), 0);
    const what = i < 0 ? "outside MPI" : `${events.calls[events.call[i] ?? 0]}, ${secondsText((events.ends_s[i] ?? 0) - (events.begins_s[i] ?? 0))}`;
    return [`rank ${rank} at ${secondsText(time)}`, what, `sends ${bytesText(sent)} in all`];
  }

  #leave() {
    this.drag = NaN;
    this.tip.hide();
    this.linked.set({ pointed: -1 });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const span = this.end - this.begin;
    if (event.key === "ArrowLeft") this.#show(this.begin - span / 8, span);
    else if (event.key === "ArrowRight") this.#show(this.begin + span / 8, span);
    else if (event.key === "+" || event.key === "=") this.zoom(1.6);
    else if (event.key === "-") this.zoom(1 / 1.6);
    else if (event.key === "Home") this.fit();
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      const rank = Math.min(this.nRanks - 1, Math.max(0, this.linked.state.rank + (event.key === "ArrowUp" ? -1 : 1)));
      this.linked.set({ rank });
      this.say(this.describe(rank, (this.begin + this.end) / 2).join(": "));
    } else return;
    event.preventDefault();
  }
}

/** @param {HTMLElement} host @param {Timeline} events @param {import("./linked.js").Linked} linked @param {(text: string) => void} say */
export function showTimeline(host, events, linked, say) {
  const chart = new Chart(events, linked, say);
  const left = events.left_out ? ` ${counted(events.left_out, "event")} left out.` : "";
  const keys = KINDS.map((kind) => make("span", {}, make("span", { class: "key", style: `color: var(--kind-${kind})` }), kind, " "));
  const legend = make("p", { class: "scale" }, ...keys, `Lines: messages. Dashed: a phase begins.${left}`);
  host.append(chart.element, legend, pictureBar("timeline", chart));
  linked.listen(() => chart.redraw());
  onColours(() => chart.redraw());
}
