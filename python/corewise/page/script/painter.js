// Painters for pictures: one draws on a canvas, one writes an SVG file.

/** @typedef {import("./types").Painter} Painter */
/** @typedef {import("./types").Rect} Rect */
/** @typedef {import("./types").Paint} Paint */
/** @typedef {import("./types").Lettering} Lettering */
/** @typedef {import("./types").Picture} Picture */

export const FONT = 'system-ui, "Liberation Sans", sans-serif';

/** @implements {Painter} */
export class CanvasPainter {
  /** @param {CanvasRenderingContext2D} context In CSS pixels. */
  constructor(context) {
    this.context = context;
    context.imageSmoothingEnabled = false;
  }

  /** @param {Rect} at @param {Paint} paint */
  rect(at, paint) {
    const { context } = this;
    context.globalAlpha = paint.alpha ?? 1;
    if (paint.radius) {
      context.beginPath();
      context.roundRect(at.x, at.y, at.width, at.height, paint.radius);
      this.#finish(paint);
    } else {
      if (paint.fill) {
        context.fillStyle = paint.fill;
        context.fillRect(at.x, at.y, at.width, at.height);
      }
      if (paint.stroke) {
        this.#pen(paint);
        context.strokeRect(at.x, at.y, at.width, at.height);
      }
    }
    context.globalAlpha = 1;
  }

  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {Paint} paint */
  line(x1, y1, x2, y2, paint) {
    const { context } = this;
    context.globalAlpha = paint.alpha ?? 1;
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    this.#finish(paint);
    context.globalAlpha = 1;
  }

  /** @param {number} x @param {number} y @param {string} letters @param {Lettering} paint */
  text(x, y, letters, paint) {
    const { context } = this;
    context.font = `${paint.bold ? "600 " : ""}${paint.size}px ${FONT}`;
    context.fillStyle = paint.fill;
    context.textAlign = paint.anchor === "middle" ? "center" : paint.anchor === "end" ? "right" : "left";
    if (!paint.turned) {
      context.fillText(letters, x, y);
      return;
    }
    context.save();
    context.translate(x, y);
    context.rotate(-Math.PI / 2);
    context.fillText(letters, 0, 0);
    context.restore();
  }

  /** @param {HTMLCanvasElement} picture @param {Rect} at */
  image(picture, at) {
    this.context.drawImage(picture, at.x, at.y, at.width, at.height);
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

  /** @param {number} x @param {number} y @param {() => void} draw */
  shift(x, y, draw) {
    this.context.save();
    this.context.translate(x, y);
    draw();
    this.context.restore();
  }

  /** @param {Paint} paint */
  #finish(paint) {
    if (paint.fill) {
      this.context.fillStyle = paint.fill;
      this.context.fill();
    }
    if (paint.stroke) {
      this.#pen(paint);
      this.context.stroke();
    }
  }

  /** @param {Paint} paint */
  #pen(paint) {
    this.context.strokeStyle = paint.stroke ?? "";
    this.context.lineWidth = paint.line ?? 1;
    this.context.setLineDash(paint.dash ?? []);
  }
}

/** @implements {Painter} */
export class SvgPainter {
  /** @type {string[]} */
  #parts = [];
  #clips = 0;

  /** @param {Rect} at @param {Paint} paint */
  rect(at, paint) {
    const corner = paint.radius ? ` rx="${short(paint.radius)}"` : "";
    const place = `x="${short(at.x)}" y="${short(at.y)}" width="${short(at.width)}" height="${short(at.height)}"`;
    this.#parts.push(`<rect ${place}${corner}${pen(paint)}/>`);
  }

  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {Paint} paint */
  line(x1, y1, x2, y2, paint) {
    this.#parts.push(`<line x1="${short(x1)}" y1="${short(y1)}" x2="${short(x2)}" y2="${short(y2)}"${pen(paint)}/>`);
  }

  /** @param {number} x @param {number} y @param {string} letters @param {Lettering} paint */
  text(x, y, letters, paint) {
    const turn = paint.turned ? ` transform="rotate(-90 ${short(x)} ${short(y)})"` : "";
    const weight = paint.bold ? ' font-weight="600"' : "";
    const place = `x="${short(x)}" y="${short(y)}" font-size="${paint.size}" text-anchor="${paint.anchor ?? "start"}"`;
    this.#parts.push(`<text ${place} fill="${paint.fill}"${weight}${turn}>${escaped(letters)}</text>`);
  }

  /** @param {HTMLCanvasElement} picture @param {Rect} at */
  image(picture, at) {
    const place = `x="${short(at.x)}" y="${short(at.y)}" width="${short(at.width)}" height="${short(at.height)}"`;
    const look = 'preserveAspectRatio="none" style="image-rendering:pixelated"';
    this.#parts.push(`<image ${place} ${look} href="${picture.toDataURL()}"/>`);
  }

  /** @param {Rect} at @param {() => void} draw */
  clip(at, draw) {
    const name = `clip-${(this.#clips += 1)}`;
    const place = `x="${short(at.x)}" y="${short(at.y)}" width="${short(at.width)}" height="${short(at.height)}"`;
    this.#parts.push(`<clipPath id="${name}"><rect ${place}/></clipPath><g clip-path="url(#${name})">`);
    draw();
    this.#parts.push("</g>");
  }

  /** @param {number} x @param {number} y @param {() => void} draw */
  shift(x, y, draw) {
    this.#parts.push(`<g transform="translate(${short(x)} ${short(y)})">`);
    draw();
    this.#parts.push("</g>");
  }

  /** @param {number} width @param {number} height */
  document(width, height) {
    const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
    const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${escaped(FONT)}">`;
    return `${head}\n${this.#parts.join("\n")}\n</svg>\n`;
  }
}

/** @param {number} value */
function short(value) {
  return String(Math.round(value * 100) / 100);
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
}

/** @param {Paint} paint */
function pen(paint) {
  const stroke = paint.stroke ? ` stroke="${paint.stroke}" stroke-width="${paint.line ?? 1}"` : "";
  const dash = paint.dash ? ` stroke-dasharray="${paint.dash.join(" ")}"` : "";
  const alpha = paint.alpha === undefined ? "" : ` opacity="${short(paint.alpha)}"`;
  return ` fill="${paint.fill ?? "none"}"${stroke}${dash}${alpha}`;
}

/** The picture as the text of an SVG file. @param {Picture} picture */
export function svgText(picture) {
  const painter = new SvgPainter();
  picture.draw(painter);
  return painter.document(picture.width(), picture.height());
}

/** The picture with `scale` pixels per CSS pixel. @param {Picture} picture @param {number} scale */
export function drawnOnCanvas(picture, scale) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width() * scale);
  canvas.height = Math.round(picture.height() * scale);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(scale, scale);
  picture.draw(new CanvasPainter(context));
  return canvas;
}
