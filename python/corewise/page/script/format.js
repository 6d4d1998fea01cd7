// Numbers for people, as python/corewise/text/quantities.py writes them.

/** @param {number} value */
function threeDigits(value) {
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(size >= 10 ? 1 : 2);
}

/** @param {number} bytes */
export function bytesText(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  while (Math.abs(bytes) >= 1024 && unit < units.length - 1) {
    bytes /= 1024;
    unit += 1;
  }
  return unit === 0 ? `${Math.round(bytes)} B` : `${threeDigits(bytes)} ${units[unit]}`;
}

/** @param {number} time Seconds. */
export function secondsText(time) {
  if (time === 0) return "0 s";
  for (const [size, unit] of /** @type {[number, string][]} */ ([[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]])) {
    if (Math.abs(time) >= size) return `${threeDigits(time / size)} ${unit}`;
  }
  return `${(time * 1e9).toPrecision(2)} ns`;
}

/** @param {number} count */
export function countText(count) {
  return count.toLocaleString("en-US");
}

/** @param {number} fraction */
export function percentText(fraction) {
  const text = (fraction * 100).toFixed(1).replace("-", "\u2212");
  return text === "0.0" || text === "\u22120.0" ? "0 %" : `${text} %`;
}

/** @param {number} count @param {string} noun */
export function counted(count, noun) {
  return `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** @param {import("./types").Kind} kind @param {string | number} value */
export function valueText(kind, value) {
  if (typeof value === "string") return value;
  if (kind === "bytes") return bytesText(value);
  if (kind === "seconds") return secondsText(value);
  if (kind === "share") return percentText(value);
  return kind === "count" ? countText(value) : String(value);
}
