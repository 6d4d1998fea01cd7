// Colours for canvases: read from the page's style, and again when it changes between light and dark.

/** @typedef {"page" | "text" | "quiet" | "line" | "raised" | "marked" | "worst" | "best" | "default"} Name */

/** @type {Record<string, string>} */
let named = {};
/** @type {Uint32Array} */
let ramp = new Uint32Array(256);
/** @type {(() => void)[]} */
const listeners = [];

/** @param {Name} name */
export function colour(name) {
  return named[name] ?? "#888888";
}

/** The 256 shades, light to dark, as pixels of image data; shade 0 is empty. */
export function shades() {
  return ramp;
}

/** @param {number} share 0 to 1. */
export function shade(share) {
  const pixel = ramp[1 + Math.round(254 * Math.min(1, Math.max(0, share)))] ?? 0;
  return `rgb(${pixel & 255} ${(pixel >> 8) & 255} ${(pixel >> 16) & 255})`;
}

/** Black or white, whichever is readable on the shade. @param {number} share */
export function onShade(share) {
  const pixel = ramp[1 + Math.round(254 * Math.min(1, Math.max(0, share)))] ?? 0;
  return luminance(pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255) > 0.18 ? "#000000" : "#ffffff";
}

/** Relative luminance (WCAG 2). @param {number[]} rgb */
function luminance(...rgb) {
  const [r = 0, g = 0, b = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {() => void} listener Called when the colours changed. */
export function onColours(listener) {
  listeners.push(listener);
}

function read() {
  const style = getComputedStyle(document.documentElement);
  const names = ["page", "text", "quiet", "line", "raised", "marked", "worst", "best", "default"];
  named = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  const stops = [1, 2, 3, 4, 5, 6, 7, 8].map((step) => rgb(style.getPropertyValue(`--shade-${step}`).trim()));
  ramp = new Uint32Array(256);
  for (let step = 1; step < 256; step += 1) {
    const place = ((step - 1) / 254) * (stops.length - 1);
    const below = Math.min(stops.length - 2, Math.floor(place));
    const [from, to] = [stops[below] ?? [0, 0, 0], stops[below + 1] ?? [0, 0, 0]];
    const [r = 0, g = 0, b = 0] = from.map((value, i) => Math.round(value + ((to[i] ?? 0) - value) * (place - below)));
    ramp[step] = (255 << 24) | (b << 16) | (g << 8) | r;
  }
}

/** @param {string} hex "#rrggbb" */
function rgb(hex) {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function watchColours() {
  read();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    read();
    for (const listener of listeners) listener();
  });
}
