#!/usr/bin/env python3
"""Measures the time to open a timeline in headless Chromium with software rendering, and its frame rate.

Usage: frames.py TIMELINE.html [--check] [--screenshot FILE.png]

Prints the time from opening the file to the first usable frame, and the frames per second while panning and zooming
over the whole trace. With --check the exit code is 1 when opening takes more than 2 s, or when a movement has fewer
than 30 frames per second.
"""

import argparse
import json
import os
import pathlib
import sys

from selenium.webdriver.support.ui import WebDriverWait

from browser import headless_chromium

MOST_SECONDS, LEAST_FRAMES, RUNS = 2.0, 30, 3

# Turns the wheel in every frame, and counts the frames and the longest gap between two of them.
MOVE = """
const [name, done] = arguments, canvas = document.getElementById('timeline'), length = 2500;
const { width, height, left, top } = canvas.getBoundingClientRect();
const wheel = (options) => canvas.dispatchEvent(new WheelEvent('wheel', Object.assign({ bubbles: true, cancelable: true,
  clientX: left + width * 0.6, clientY: top + height / 2 }, options)));
const turns = {
  // In and out again: from the whole trace to single items.
  zoom: (share) => wheel({ deltaY: share < 0.5 ? -60 : 60 }),
  pan: (share) => wheel({ deltaY: share < 0.5 ? 40 : -40, shiftKey: true }),
  scroll: (share) => wheel({ deltaY: share < 0.5 ? 40 : -40, altKey: true }),
};
document.getElementById('whole').click();
// Pan at a zoom of an eighth of the trace, because the whole trace cannot be panned.
if (name === 'pan') for (let i = 0; i < 16; i++) wheel({ deltaY: -60 });
requestAnimationFrame((begin) => {
  let frames = 0, last = begin, longest = 0;
  const frame = (now) => {
    frames++;
    longest = Math.max(longest, now - last);
    last = now;
    if (now - begin >= length) { done({ fps: frames / (now - begin) * 1000, longest }); return; }
    turns[name]((now - begin) / length);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
});
"""


def thread_time(browser):
    metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(entry["value"] for entry in metrics if entry["name"] == "ThreadTime")


def opened(path):
    """Opens the page in a new browser.

    Returns the browser, the seconds from opening to the first frame after the page was ready, and the CPU seconds of
    the page's thread in this time, which is the duration on an idle processor.
    """
    browser = headless_chromium()
    browser.set_script_timeout(120)
    # The thread's clock starts here. Another file keeps the thread; an empty page would replace it.
    browser.get(pathlib.Path(__file__).resolve().as_uri())
    browser.execute_cdp_cmd("Performance.enable", {})
    before = thread_time(browser)
    browser.get(pathlib.Path(path).resolve().as_uri())
    WebDriverWait(browser, 120).until(lambda b: b.execute_script("return performance.getEntriesByName('ready').length"))
    milliseconds = browser.execute_script("return performance.getEntriesByName('ready')[0].startTime")
    return browser, milliseconds / 1000, thread_time(browser) - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("timeline")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a limit is missed")
    parser.add_argument("--screenshot", metavar="FILE", help="save a picture of the whole trace as FILE")
    arguments = parser.parse_args()
    opening, computing, movements = [], [], {}
    for run in range(RUNS):
        browser, seconds, computed = opened(arguments.timeline)
        opening.append(seconds)
        computing.append(computed)
        try:
            if run == RUNS - 1:
                facts = browser.execute_script("return document.getElementById('facts').textContent")
                marks = browser.execute_script(
                    "return performance.getEntriesByType('mark').map((mark) => [mark.name, mark.startTime])")
                movements = {name: browser.execute_async_script(MOVE, name) for name in ("pan", "zoom", "scroll")}
                if arguments.screenshot:
                    browser.save_screenshot(arguments.screenshot)
        finally:
            browser.quit()
    # The best run shows the cost of the page. The other runs include other load of the machine.
    best = min(opening)
    print(f"file       {os.path.getsize(arguments.timeline) / 1e6:.1f} MB, {facts}")
    print(f"opening    {best:.2f} s (runs: {', '.join(f'{seconds:.2f}' for seconds in opening)}), "
          f"of which the page's thread computed {min(computing):.2f} s")
    for name, milliseconds in marks:
        print(f"           {milliseconds:6.0f} ms {name}")
    for name, found in movements.items():
        print(f"{name:<10} {found['fps']:.0f} frames per second, longest gap {found['longest']:.0f} ms")
    holds = best <= MOST_SECONDS and all(found["fps"] >= LEAST_FRAMES for found in movements.values())
    print(json.dumps({"opening": best, "computing": min(computing),
                      "frames": {name: found["fps"] for name, found in movements.items()}}))
    return 0 if holds or not arguments.check else 1


if __name__ == "__main__":
    sys.exit(main())
