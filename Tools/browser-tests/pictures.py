#!/usr/bin/env python3
"""Compares the timeline's main views with committed pictures, coarsely, so that fonts do not matter.

Usage: pictures.py TIMELINE.html [--update]

TIMELINE.html is the page of traces/1.1/news-service-before. The pictures are in Tools/browser-tests/pictures. Each is
the canvas in 144 by 90 pixels, compared in blocks. Text becomes a shade, while a missing row, colour or interval is
a difference. `--update` writes the current pictures; look at them before committing. Prints one line per check and
`N passed, N failed`.
"""

import argparse
import base64
import pathlib
import sys

from page_drive import PageDrive

PICTURES = pathlib.Path(__file__).parent / "pictures"
# The canvas, scaled down by the browser.
SMALL = """
const done = arguments[0], canvas = document.getElementById('timeline');
let from = canvas, width = canvas.width, height = canvas.height;
const shrink = (w, h) => {
  const to = document.createElement('canvas');
  to.width = w;
  to.height = h;
  const pen = to.getContext('2d');
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(from, 0, 0, w, h);
  from = to;
};
shrink(576, 360);
shrink(288, 180);
shrink(144, 90);
done(from.toDataURL('image/png'));
"""
# The share of blocks of 6 by 6 pixels whose average differs by more than 24, and the mean difference of the blocks.
DIFFERENCE = """
const [one, other, done] = arguments;
const pixels = (address) => new Promise((resolve, reject) => {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement('canvas');
    canvas.width = 144;
    canvas.height = 90;
    const pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    resolve(pen.getImageData(0, 0, 144, 90).data);
  };
  image.onerror = reject;
  image.src = address;
});
Promise.all([pixels(one), pixels(other)]).then(([a, b]) => {
  let blocks = 0, different = 0, total = 0;
  for (let y = 0; y < 90; y += 6) for (let x = 0; x < 144; x += 6) {
    const sums = [0, 0, 0];
    for (let dy = 0; dy < 6; dy++) for (let dx = 0; dx < 6; dx++) for (let c = 0; c < 3; c++) {
      const at = ((y + dy) * 144 + x + dx) * 4 + c;
      sums[c] += (a[at] - b[at]) / 36;
    }
    const most = Math.max(...sums.map(Math.abs));
    blocks++;
    total += most;
    if (most > 24) different++;
  }
  done({ share: different / blocks, average: total / blocks });
}, () => done(null));
"""
# The largest accepted share of different blocks. A row that moves by its height changes far more blocks.
MOST_DIFFERENT = 0.02
PREFIX = "data:image/png;base64,"


def views(drive):
    """Shows the main views one after the other, and yields the name of each."""
    yield "opened"
    drive.press("n")
    drive.press("n")
    yield "second-finding"
    drive.press("0")
    yield "whole"
    drive.browser.execute_script("location.hash = '#60000000-90000000/F1/range=70000000-80000000'")
    drive.settled()
    yield "range"
    drive.browser.execute_script(
        "const { begin, enqueued, queue, count } = queuescope.trace.items; let row = 0;"
        "for (let i = 0; i < count; i++) if (begin[i] - enqueued[i] > begin[row] - enqueued[row]) row = i;"
        "location.hash = `#70000000-70400000//item=${row}/only=queue%20${queue[row]}`")
    drive.settled()
    drive.press("f")
    yield "item"
    drive.prefer("dark")
    drive.browser.execute_script("location.hash = ''")
    drive.settled()
    yield "opened-dark"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("timeline")
    parser.add_argument("--update", action="store_true", help="write the pictures instead of comparing")
    arguments = parser.parse_args()
    PICTURES.mkdir(exist_ok=True)
    drive = PageDrive(arguments.timeline, None, dark=False)
    try:
        drive.wait_until_ready()
        for name in views(drive):
            drive.settled()
            seen, path = drive.browser.execute_async_script(SMALL), PICTURES / f"{name}.png"
            if arguments.update:
                path.write_bytes(base64.b64decode(seen[len(PREFIX):]))
                drive.check(f"wrote {path.name}", True)
                continue
            expected = PREFIX + base64.b64encode(path.read_bytes()).decode() if path.exists() else ""
            found = drive.browser.execute_async_script(DIFFERENCE, expected, seen)
            drive.check(f"{name} looks as before", found and found["share"] <= MOST_DIFFERENT, str(found))
    finally:
        drive.browser.quit()
    print(f"{drive.passed} passed, {len(drive.failures)} failed")
    return 1 if drive.failures else 0


if __name__ == "__main__":
    sys.exit(main())
