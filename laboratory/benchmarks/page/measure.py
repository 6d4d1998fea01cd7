"""Size and speed of the page: a stencil of 2 to 4,096 ranks and a dense matrix, in headless Chromium.

    python laboratory/benchmarks/page/measure.py [--ranks 2 16 128 1024 4096] [--dense 1024] [--keep DIR]

`corewise report FILE --machine M` makes each page (predicted placements, effort fast). Then a new browser
opens the page from the disk. Columns:

    making      wall time of the command, s
    size        of the page
    picture     time from the start of the navigation to the first paint with content (first-contentful-paint)
                or, if the page has a canvas, to the first drawing on it, whichever is later, s
    reacts      time to the page's mark "corewise-ready" or to the end of the last task longer than 50 ms
                before the page was idle for 1 s, whichever is later, s
    frames/s    frames per second in which a canvas was drawn, while the wheel zooms the matrix for 2 s with
                100 events/s. The browser shows at most 60. Events are sent at fixed times: their answers come
                after the next frame, so waiting for answers would halve the rate
    worst       the longest time between two of these frames, ms
    drawing     median and greatest time that the page itself needs for such a frame, in another 2 s, ms. This
                is script and, because a pixel is read back, rasterization

Goals at 4,096 ranks: less than 2 MB, a picture after 1 s, 50 frames/s. Chromium draws in software here. The
program controls it by the DevTools protocol through pipes, so it needs nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

COREWISE = Path(sys.executable).with_name("corewise")
CORES_A_NODE = 16
ZOOM_S, WHEEL_PER_S = 2.0, 100
WATCH = """
window.longTasks = [];
new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((t) => t.startTime + t.duration)))
  .observe({type: "longtask", buffered: true});
window.firstDrawing = null;
for (const name of ["putImageData", "drawImage", "fillRect"]) {
  const original = CanvasRenderingContext2D.prototype[name];
  CanvasRenderingContext2D.prototype[name] = function (...given) {
    if (this.canvas.isConnected) {
      firstDrawing ??= performance.now();
      window.drawn_ = this;
    }
    return original.apply(this, given);
  };
}
window.drawing_ = [];
window.requestFrame_ = requestAnimationFrame.bind(window);
window.requestAnimationFrame = (callback) => requestFrame_((now) => {
  const before = window.drawn_;
  window.drawn_ = null;
  const begin = performance.now();
  callback(now);
  if (window.drawn_) {
    if (window.readsBack_) window.drawn_.getImageData(0, 0, 1, 1);
    drawing_.push(performance.now() - begin);
  }
  window.drawn_ ??= before;
});
"""
PAINT = """
({drawing: firstDrawing, paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null,
  loaded: Math.max(performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
                   performance.getEntriesByName("corewise-ready")[0]?.startTime ?? 0),
  lastTask: Math.max(0, ...longTasks), now: performance.now()})
"""
CANVAS = """
(() => {
  const area = (canvas) => canvas.width * canvas.height;
  const wanted = [...document.querySelectorAll("canvas")].sort((a, b) => area(b) - area(a))[0];
  if (!wanted) return null;
  wanted.scrollIntoView({block: "center", behavior: "instant"});
  wanted.focus({preventScroll: true});  // the wheel zooms what has the focus, else it scrolls the page
  const box = wanted.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})()
"""
COUNT = """
window.frames_ = [];
window.drawing_ = [];
window.stop_ = false;
window.count_ = (now) => {
  if (window.drawn_) frames_.push(now);
  window.drawn_ = null;
  if (!window.stop_) requestFrame_(count_);
};
requestFrame_(count_);
"""


class Browser:
    """A headless Chromium with one page, controlled through its remote-debugging pipe.

    Messages end with a NUL.
    """

    def __init__(self, profile: Path) -> None:
        program = next(
            filter(None, map(shutil.which, ("chromium", "google-chrome", "chromium-browser"))), None
        )
        if program is None:
            raise SystemExit("found no chromium and no google-chrome; install one of them")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def connect() -> None:  # the browser reads descriptor 3 and writes to 4
            os.dup2(to_browser, 13), os.dup2(from_browser, 14)
            os.dup2(13, 3), os.dup2(14, 4)

        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,1000"]
        self.process = subprocess.Popen(
            [program, *options, "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=connect,
            close_fds=False,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser), os.close(from_browser)
        self.buffer, self.number = b"", 0
        (target,) = [one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page"]
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self.session = attached["sessionId"]

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(20)
        os.close(self.write_end), os.close(self.read_end)

    session: str | None = None

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of one command of the protocol. Events and other answers are dropped."""
        self.send(method, **parameters)
        while True:
            while b"\0" not in self.buffer:
                received = os.read(self.read_end, 1 << 16)
                if not received:
                    raise SystemExit(f"the browser ended during {method}")
                self.buffer += received
            text, _, self.buffer = self.buffer.partition(b"\0")
            answer = json.loads(text)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']['message']}")
                return dict(answer["result"])

    def send(self, method: str, **parameters: Any) -> None:
        """Sends one command and does not wait for its answer."""
        self.number += 1
        message: dict[str, Any] = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")

    def value(self, expression: str) -> Any:
        """The result of a script in the page. The page's policy doesn't apply to scripts of the protocol."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"a script failed: {result['exceptionDetails']['exception']['description']}")
        return result["result"].get("value")


def stencil(n_ranks: int, path: Path) -> None:
    """Writes a list of pairs: each rank sends 64 KiB to its neighbours on a nearly square grid."""
    columns = next(n for n in range(int(n_ranks**0.5), 0, -1) if n_ranks % n == 0)
    lines = ["src,dst,bytes,messages"]
    for rank in range(n_ranks):
        row, column = divmod(rank, columns)
        for step_row, step_column in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            to_row, to_column = row + step_row, column + step_column
            if 0 <= to_row < n_ranks // columns and 0 <= to_column < columns:
                lines.append(f"{rank},{to_row * columns + to_column},65536,100")
    path.write_text("\n".join(lines) + "\n")


def dense(n_ranks: int, path: Path) -> None:
    """Writes a matrix in which every rank sends 1 to 1,000 KB to every other rank (seed 1)."""
    n_bytes = np.random.default_rng(1).integers(1_000, 1_000_000, (n_ranks, n_ranks))
    np.fill_diagonal(n_bytes, 0)
    np.savez(path, bytes=n_bytes, msgs=np.minimum(n_bytes, 10))


def machine_for(n_ranks: int) -> str:
    """The least number of nodes of two packages with 8 cores each; for 2 ranks a node of two cores."""
    if n_ranks < CORES_A_NODE:
        return f"synthetic:1:pack:1 core:{n_ranks} pu:1"
    return f"synthetic:{-(-n_ranks // CORES_A_NODE)}:pack:2 core:8 pu:1"


def page_of(matrix: Path, n_ranks: int, page: Path) -> float:
    """Makes the page; returns the wall time in s."""
    begin = time.perf_counter()
    options = ["--machine", machine_for(n_ranks), "--effort", "fast", "--deadline", "3"]
    subprocess.run([COREWISE, "report", matrix, *options, "-o", page], check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begin


def opened(page: Path, folder: Path) -> dict[str, float | None]:
    """The times of one page in a new browser."""
    with tempfile.TemporaryDirectory(dir=folder) as profile, Browser(Path(profile)) as browser:
        browser.call("Page.enable")
        browser.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        browser.call("Page.navigate", url=page.as_uri())
        while True:
            seen = browser.value(PAINT) if browser.value("document.readyState") == "complete" else None
            if (
                seen
                and seen["paint"] is not None
                and seen["now"] - max(seen["lastTask"], seen["loaded"]) > 1000
            ):
                break
            time.sleep(0.05)
        picture = max(seen["paint"], seen["drawing"] or 0) / 1000
        found = {"picture": picture, "reacts": max(seen["lastTask"], seen["loaded"]) / 1000}
        return found | zoomed(browser)


def zoomed(browser: Browser) -> dict[str, float | None]:
    """Frames per second, and the page's time per frame, while the wheel zooms the largest canvas in and out.

    Empty without a canvas.
    """
    middle = browser.value(CANVAS)
    if middle is None:
        return {}
    times, _ = turned_wheel(browser, middle)
    browser.value("window.readsBack_ = true")
    _, drawing = turned_wheel(browser, middle)
    if len(times) < 2 or not drawing:
        return {"frames": 0.0}
    gaps = [after - before for before, after in zip(times, times[1:], strict=False)]
    return {
        "frames": 1000 * len(gaps) / (times[-1] - times[0]),
        "worst": max(gaps),
        "drawing": statistics.median(drawing),
        "slowest": max(drawing),
    }


def turned_wheel(browser: Browser, middle: list[float]) -> tuple[list[float], list[float]]:
    """Zooms in and out. Returns the times of frames in which a canvas was drawn, and the cost of each, ms."""
    browser.value(COUNT)
    wheel = {"type": "mouseWheel", "x": middle[0], "y": middle[1], "deltaX": 0}
    begin = time.perf_counter()
    for step in range(int(ZOOM_S * WHEEL_PER_S)):
        delta = -60 if step < ZOOM_S * WHEEL_PER_S / 2 else 60
        browser.send("Input.dispatchMouseEvent", **wheel, deltaY=delta)
        time.sleep(max(0.0, begin + (step + 1) / WHEEL_PER_S - time.perf_counter()))
    times, drawing = browser.value("window.stop_ = true, [frames_, drawing_]")
    return times, drawing


def main() -> None:
    parser = argparse.ArgumentParser(description="Size and speed of the page.")
    parser.add_argument("--ranks", type=int, nargs="*", default=[2, 16, 128, 1024, 4096])
    parser.add_argument("--dense", type=int, nargs="*", default=[1024])
    parser.add_argument("--repeats", type=int, default=3, help="openings of each page; medians are printed")
    parser.add_argument("--keep", type=Path, help="leave the pages in this folder")
    asked = parser.parse_args()
    print(
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} hardware threads; {asked.repeats} openings a page"
    )
    print(
        f"{'page':<14}{'making':>9}{'size':>10}{'picture':>9}{'reacts':>9}{'frames/s':>10}{'worst':>8}"
        f"{'drawing':>17}"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cases = [("stencil", stencil, n, "csv") for n in asked.ranks]
        cases += [("dense", dense, n, "npz") for n in asked.dense]
        for kind, write, n_ranks, ending in cases:
            matrix, page = folder / f"{kind}-{n_ranks}.{ending}", folder / f"{kind}-{n_ranks}.html"
            write(n_ranks, matrix)
            making_s = page_of(matrix, n_ranks, page)
            times = [opened(page, folder) for _ in range(asked.repeats)]
            print_row(f"{kind} {n_ranks:,}", making_s, page.stat().st_size, times)
            if asked.keep:
                asked.keep.mkdir(exist_ok=True)
                shutil.copy(page, asked.keep)


def print_row(name: str, making_s: float, size: int, times: list[dict[str, float | None]]) -> None:
    cells = [f"{making_s:>7.1f} s", f"{size / 1e6:>7.2f} MB"]
    for key, unit, width in (
        ("picture", " s", 9),
        ("reacts", " s", 9),
        ("frames", "", 10),
        ("worst", " ms", 8),
        ("drawing", "", 9),
        ("slowest", " ms", 8),
    ):
        values = [one[key] for one in times if one.get(key) is not None]
        digits = {" s": 2, "": 1}.get(unit, 0) if key != "frames" else 0
        cells.append(
            f"{statistics.median(values):.{digits}f}{unit}".rjust(width) if values else "-".rjust(width)
        )
    print(f"{name:<14}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
