// Draws on a canvas in CSS pixels.

/** @typedef {import("./types").Rect} Rect */
/** @typedef {import("./types").Paint} Paint */
/** @typedef {import("./types").Lettering} Lettering */

const FONT = 'system-ui, "Liberation Sans", sans-serif';

export class Painter {
  /** @param {CanvasRenderingContext2D} context In CSS pixels. */
  constructor(context) {
    this.context = context;
  }

  /** @param {Rect} at @param {Paint} paint */
  rect(at, paint) {
    this.context.beginPath();
    if (paint.radius) this.context.roundRect(at.x, at.y, at.width, at.height, paint.radius);
    else this.context.rect(at.x, at.y, at.width, at.height);
    this.#finish(paint);
  }

  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {Paint} paint */
  line(x1, y1, x2, y2, paint) {
    this.context.beginPath();
    this.context.moveTo(x1, y1);
    this.context.lineTo(x2, y2);
    this.#finish(paint);
  }

  /** @param {number} x @param {number} y @param {string} letters @param {Lettering} paint */
  text(x, y, letters, paint) {
    const { context } = this;
    context.font = `${paint.bold ? "600 " : ""}${paint.size}px ${FONT}`;
    context.fillStyle = paint.fill;
    context.textAlign = paint.anchor === "middle" ? "center" : paint.anchor === "end" ? "right" : "left";
    context.save();
    context.translate(x, y);
    if (paint.turned) context.rotate(-Math.PI / 2);
    context.fillText(letters, 0, 0);
    context.restore();
  }

  /** @param {Rect} at @param {() => void} draw */
  clip(at, draw) {
    this.context.save();
    this.context.beginPath();
    this.context.rect(at.x, at.y, at.width, at.height);
    this.context.clip();
    draw();
    this.context.restore();
  }

  /** @param {Paint} paint */
  #finish(paint) {
    const { context } = this;
    context.globalAlpha = paint.alpha ?? 1;
    if (paint.fill) {
      context.fillStyle = paint.fill;
      context.fill();
    }
    if (paint.stroke) {
      context.strokeStyle = paint.stroke;
      context.lineWidth = paint.line ?? 1;
      context.setLineDash(paint.dash ?? []);
      context.stroke();
    }
    context.globalAlpha = 1;
  }
}
