// A canvas that moves and zooms by wheel, pinch, drag and keys; its owner draws the contents.

/** @typedef {import("./types").Rect} Rect */
import { Painter } from "./painter.js";

const MOST_SCALE = 96; // greatest number of CSS pixels per unit of the world (a cell of the matrix, or a core)
export class View {
  /** CSS pixels of one unit of the world. */
  scale = 1;
  /** The world's point at the upper left corner of the plot. */
  left = 0;
  top = 0;
  width = 0;
  height = 0;
  #waiting = false;
  #isMoved = false;
  /** @type {Map<number, {x: number, y: number}>} */
  #pointers = new Map();
  /** @type {View[]} */
  #twins = [];

  /**
   * @param {HTMLCanvasElement} canvas @param {{width: number, height: number}} world
   * @param {{left: number, top: number}} margin CSS pixels next to the plot, for axes
   * @param {(painter: Painter) => void} draw @param {(x: number, y: number, event: PointerEvent) => void} point
   * Called with the place in the world under the pointer when it moves, and when it is pressed and let go.
   */
  constructor(canvas, world, margin, draw, point) {
    this.canvas = canvas;
    this.world = world;
    this.margin = margin;
    this.drawing = draw;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    new ResizeObserver(() => this.#resize()).observe(canvas);
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.#press(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event, point));
    for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) {
      canvas.addEventListener(kind, (event) => this.#release(event, point));
    }
    canvas.addEventListener("dblclick", (event) => this.zoomAt(event.offsetX, event.offsetY, 2.5));
  }

  /** The twin is another view that always shows the same part of the world. @param {View} twin */
  pair(twin) {
    this.#twins.push(twin);
    twin.#twins.push(this);
  }

  unpair() {
    for (const twin of this.#twins) twin.#twins = twin.#twins.filter((one) => one !== this);
    this.#twins = [];
  }

  get plotWidth() {
    return Math.max(1, this.width - this.margin.left);
  }

  get plotHeight() {
    return Math.max(1, this.height - this.margin.top);
  }

  /** The scale at which the whole world fits. */
  get fitting() {
    return Math.min(this.plotWidth / this.world.width, this.plotHeight / this.world.height);
  }

  get isFitted() {
    return this.scale <= this.fitting * 1.001;
  }

  /** @param {number} x In the world. */
  toX(x) {
    return this.margin.left + (x - this.left) * this.scale;
  }

  /** @param {number} y In the world. */
  toY(y) {
    return this.margin.top + (y - this.top) * this.scale;
  }

  /** Draws in the next frame. */
  redraw() {
    if (this.#waiting || this.width === 0) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      const ratio = this.canvas.width / this.width;
      this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.context.clearRect(0, 0, this.width, this.height);
      this.drawing(new Painter(this.context));
    });
  }

  /** @param {number} scale @param {number} left @param {number} top @param {boolean} [isTwin] Called by the twin. */
  place(scale, left, top, isTwin = false) {
    const most = Math.max(MOST_SCALE, this.fitting * 4);
    this.scale = Math.min(most, Math.max(this.fitting, scale));
    const [shownX, shownY] = [this.plotWidth / this.scale, this.plotHeight / this.scale];
    this.left = clamped(left, this.world.width, shownX);
    this.top = clamped(top, this.world.height, shownY);
    this.canvas.style.touchAction = this.isFitted ? "pan-y" : "none";
    this.redraw();
    if (isTwin) return;
    for (const twin of this.#twins) if (twin.width > 0) twin.place(this.scale, this.left, this.top, true);
  }

  fit() {
    this.place(this.fitting, 0, 0);
  }

  /** @param {number} x CSS pixels in the canvas. @param {number} y @param {number} factor */
  zoomAt(x, y, factor) {
    const most = Math.max(MOST_SCALE, this.fitting * 4);
    const scale = Math.min(most, Math.max(this.fitting, this.scale * factor));
    const [dx, dy] = [x - this.margin.left, y - this.margin.top];
    this.place(scale, this.left + dx / this.scale - dx / scale, this.top + dy / this.scale - dy / scale);
  }

  /** @param {number} factor Zooms around the centre. */
  zoom(factor) {
    this.zoomAt(this.margin.left + this.plotWidth / 2, this.margin.top + this.plotHeight / 2, factor);
  }

  /** Zooms until a part of the world fills the plot. @param {Rect} part */
  show(part) {
    const scale = Math.min(this.plotWidth / part.width, this.plotHeight / part.height) * 0.94;
    const left = part.x + part.width / 2 - this.plotWidth / scale / 2;
    this.place(scale, left, part.y + part.height / 2 - this.plotHeight / scale / 2);
  }

  /** Moves as little as necessary to make a part of the world visible. @param {Rect} part */
  reveal(part) {
    const [shownX, shownY] = [this.plotWidth / this.scale, this.plotHeight / this.scale];
    const left = Math.min(part.x, Math.max(this.left, part.x + part.width - shownX));
    const top = Math.min(part.y, Math.max(this.top, part.y + part.height - shownY));
    if (left !== this.left || top !== this.top) this.place(this.scale, left, top);
  }

  #resize() {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0) return;
    const wasFitted = this.width === 0 || this.isFitted;
    this.width = clientWidth;
    this.height = clientHeight;
    const ratio = Math.min(3, devicePixelRatio || 1);
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    if (wasFitted) this.place(this.fitting, 0, 0);
    else this.place(this.scale, this.left, this.top);
  }

  /** Zooms only after a click on the picture or with Ctrl; otherwise the page scrolls. @param {WheelEvent} event */
  #wheel(event) {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.canvas) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
    this.zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.008 : 0.0025)));
  }

  /** @param {PointerEvent} event */
  #press(event) {
    this.#isMoved = false;
    this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  }

  /** @param {PointerEvent} event @param {(x: number, y: number, event: PointerEvent) => void} point */
  #move(event, point) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) {
      this.#tell(event, point);
      return;
    }
    const now = { x: event.offsetX, y: event.offsetY };
    if (!this.#isMoved && Math.hypot(now.x - before.x, now.y - before.y) < 4) return;
    this.#isMoved = true;
    if (!this.canvas.hasPointerCapture(event.pointerId)) this.canvas.setPointerCapture(event.pointerId);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, now);
    if (other) {
      const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.hypot(before.x - other.x, before.y - other.y);
      this.zoomAt((now.x + other.x) / 2, (now.y + other.y) / 2, factor);
    } else {
      this.place(this.scale, this.left - (now.x - before.x) / this.scale, this.top - (now.y - before.y) / this.scale);
    }
  }

  /** @param {PointerEvent} event @param {(x: number, y: number, event: PointerEvent) => void} point */
  #release(event, point) {
    const wasPressed = this.#pointers.delete(event.pointerId);
    if (wasPressed && !this.#isMoved && event.type === "pointerup") this.#tell(event, point);
  }

  /** @param {PointerEvent} event @param {(x: number, y: number, event: PointerEvent) => void} point */
  #tell(event, point) {
    const x = this.left + (event.offsetX - this.margin.left) / this.scale;
    point(x, this.top + (event.offsetY - this.margin.top) / this.scale, event);
  }
}

/** @param {number} from @param {number} size Of the world. @param {number} shown */
function clamped(from, size, shown) {
  return shown >= size ? (size - shown) / 2 : Math.min(size - shown, Math.max(0, from));
}
