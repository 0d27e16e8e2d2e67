#!/usr/bin/env python3
"""Opens a timeline in headless Chromium and uses it like a person: zooms, pans, chooses findings, searches.

Usage: drive.py TIMELINE.html [--screenshots DIR] [--dark]

Needs the Python package `selenium`, Chromium and its driver. Prints one line per check and
`N passed, N failed`; the exit code is 0 only when nothing failed.
"""

import argparse
import os
import pathlib
import sys

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.support.ui import WebDriverWait

from browser import headless_chromium


class Drive:
    """One browser with one timeline, and the checks made on it."""

    def __init__(self, path, screenshots, dark):
        self.screenshots = screenshots
        self.passed = 0
        self.failures = []
        self.browser = headless_chromium()
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}]})
        self.browser.get(pathlib.Path(path).resolve().as_uri())
        # The window's frame takes a part of its size; the page itself is to be 1440 by 900.
        inner = self.script("[innerWidth, innerHeight]")
        self.browser.set_window_size(1440 + 1440 - inner[0], 900 + 900 - inner[1])

    def check(self, name, holds, detail=""):
        """Notes one expectation."""
        if holds:
            self.passed += 1
            print(f"ok    {name}")
        else:
            self.failures.append(name)
            print(f"FAIL  {name} {detail}")

    def script(self, text, *arguments):
        return self.browser.execute_script("return " + text, *arguments)

    def view(self):
        found = self.script("queuescope.view()")
        return found["from"], found["to"]

    def settled(self):
        """Waits for the frame after the next, in which every pending change has been drawn."""
        self.browser.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));")

    def find(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def press(self, key):
        # Keys go to the page: the timeline listens everywhere but in the search field.
        ActionChains(self.browser).send_keys(key).perform()
        self.settled()

    def shot(self, name):
        if self.screenshots:
            self.settled()
            self.browser.save_screenshot(os.path.join(self.screenshots, name + ".png"))

    def colours(self):
        """How many different colours the timeline's canvas shows: one means that it is blank."""
        return self.script(
            "(() => { const c = document.getElementById('timeline');"
            " const k = document.createElement('canvas'); k.width = c.width; k.height = c.height;"
            " const g = k.getContext('2d', { willReadFrequently: true }); g.drawImage(c, 0, 0);"
            " const d = g.getImageData(0, 0, c.width, c.height).data, s = new Set();"
            " for (let i = 0; i < d.length; i += 4 * 7) s.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);"
            " return s.size; })()")

    def rows(self, pattern):
        """How many rows have a key that matches a regular expression."""
        return self.script("queuescope.rows().filter((r) => new RegExp(arguments[0]).test(r.key)).length", pattern)


def opens(drive):
    WebDriverWait(drive.browser, 30).until(
        lambda browser: "ready" in browser.find_element(By.TAG_NAME, "body").get_attribute("class")
        or browser.find_element(By.ID, "failure").is_displayed())
    drive.settled()
    drive.check("the page opens", not drive.find("#failure")[0].is_displayed(), drive.find("#failure")[0].text)
    drive.check("the canvas is not blank", drive.colours() > 8, f"{drive.colours()} colours")
    drive.check("queues have rows", drive.rows("queue|group|domain") > 0)
    drive.check("threads have rows", drive.rows("thread[0-9]") > 0)
    drive.shot("1-opened")


def zooms_and_pans(drive):
    canvas = drive.find("#timeline")[0]
    before = drive.view()
    origin = ScrollOrigin.from_element(canvas, 150, 0)
    ActionChains(drive.browser).scroll_from_origin(origin, 0, -240).perform()
    drive.settled()
    after = drive.view()
    drive.check("the wheel zooms in", after[1] - after[0] < (before[1] - before[0]) * 0.9, f"{before} {after}")
    for key, name, test in [
            ("w", "W zooms in", lambda a, b: b[1] - b[0] < a[1] - a[0]),
            ("s", "S zooms out", lambda a, b: b[1] - b[0] > a[1] - a[0]),
            ("d", "D moves right", lambda a, b: b[0] > a[0]),
            ("a", "A moves left", lambda a, b: b[0] < a[0]),
            (Keys.ARROW_RIGHT, "→ moves right", lambda a, b: b[0] > a[0]),
            ("+", "+ zooms in", lambda a, b: b[1] - b[0] < a[1] - a[0]),
            ("-", "- zooms out", lambda a, b: b[1] - b[0] > a[1] - a[0])]:
        before = drive.view()
        drive.press(key)
        drive.check(name, test(before, drive.view()), f"{before} {drive.view()}")
    before = drive.view()
    ActionChains(drive.browser).move_to_element_with_offset(canvas, 200, 100).click_and_hold().move_by_offset(-90, 0) \
        .release().perform()
    drive.settled()
    drive.check("dragging pans", drive.view()[0] > before[0], f"{before} {drive.view()}")
    drive.press("0")
    whole = drive.view()
    duration = drive.script("queuescope.trace.duration")
    drive.check("0 shows the whole trace", whole[0] <= 0 and whole[1] >= duration, f"{whole} {duration}")
    drive.shot("2-whole")
    overview = drive.find("#overview")[0]
    drive.press("w")
    drive.press("w")
    before = drive.view()
    ActionChains(drive.browser).move_to_element_with_offset(overview, 126, 0).click_and_hold().move_by_offset(60, 0) \
        .release().perform()
    drive.settled()
    drive.check("the overview's window can be dragged", drive.view() != before, f"{before} {drive.view()}")


def chooses_findings(drive):
    cards = drive.find("button.finding")
    drive.check("findings are listed as buttons", len(cards) == drive.script("queuescope.trace.findings.length"))
    if not cards:
        drive.check("an empty list says so", "No findings" in drive.find("#findings")[0].text)
        return
    drive.press(Keys.ESCAPE)
    drive.press("0")
    before = drive.view()
    cards[0].click()
    drive.settled()
    framed = drive.view()
    finding = drive.script("queuescope.trace.findings[0]")
    touches = framed[0] <= finding["end"] and framed[1] >= finding["begin"]
    drive.check("clicking a finding frames it", framed != before and touches, f"{before} {framed}")
    drive.check("its proof opens", cards[0].get_attribute("aria-expanded") == "true" and finding["advice"] in
                drive.find("#findings")[0].text)
    pinned = drive.script("queuescope.rows()[0]")
    drive.check("its rows are pinned on top", pinned["key"] == "pinned" and finding["id"] in pinned["title"],
                str(pinned))
    drive.shot("3-first-finding")
    for number, card in enumerate(cards[1:5], start=2):
        before = drive.view()
        # By keyboard, as a person without a mouse does it.
        drive.browser.execute_script("arguments[0].focus()", card)
        ActionChains(drive.browser).send_keys(Keys.ENTER).perform()
        drive.settled()
        drive.check(f"finding {number} opens by keyboard", drive.script("queuescope.finding()") == f"F{number}"
                    and drive.colours() > 8)
        drive.shot(f"4-finding-{number}")
    for entry in drive.find(".proof:not([hidden]) .evidence button")[:1]:
        entry.click()
        drive.settled()
        drive.check("a proof can be visited", drive.view()[0] < drive.view()[1])


def selects_items(drive):
    if drive.find("button.finding"):
        drive.find("button.finding")[0].click()
        drive.settled()
    else:
        drive.press("0")
    place = drive.script(
        "(() => { const t = queuescope, v = t.view(), rows = t.rows();"
        " for (const r of rows) { const m = /(?:queue|thread)(\\d+)$/.exec(r.key); if (!m) continue;"
        "  if (r.y - t.scroll() > 600) continue;"
        "  const track = r.key.includes('thread') ? t.trace.work(+m[1]) : t.trace.running(+m[1]);"
        "  for (let i = 0; i < track.length; i++) { const middle = (track.begins[i] + track.ends[i]) / 2;"
        "   const x = v.left + (middle - v.from) / (v.to - v.from) * v.width;"
        "   if (x > v.left + 5 && x < v.left + v.width - 5)"
        "    return [x, 28 + r.y - t.scroll() + (r.key.includes('thread') ? 9 : 18)]; } } return null; })()")
    drive.check("an item is in view", place is not None)
    if place is None:
        return
    canvas = drive.find("#timeline")[0]
    at = (place[0] - canvas.size["width"] / 2, place[1] - canvas.size["height"] / 2)
    ActionChains(drive.browser).move_to_element_with_offset(canvas, int(at[0]), int(at[1])).perform()
    drive.settled()
    drive.check("hovering an item shows what it is", drive.find("#tooltip")[0].is_displayed())
    drive.shot("5-hover")
    ActionChains(drive.browser).move_to_element_with_offset(canvas, int(at[0]), int(at[1])).click().perform()
    drive.settled()
    details = drive.find("#details")[0]
    drive.check("clicking an item shows its details", details.is_displayed() and "ran on" in details.text, details.text)
    drive.shot("6-details")
    drive.press("f")
    drive.press(Keys.ESCAPE)
    drive.check("Escape closes the details", not details.is_displayed())


def searches(drive):
    label = drive.script("queuescope.trace.queues[queuescope.trace.items.queue[0]].label")
    drive.press("/")
    field = drive.find("#search")[0]
    drive.check("/ goes to the search field", field == drive.browser.switch_to.active_element)
    field.send_keys(label[:40])
    drive.settled()
    drive.check("search counts what it found", "item" in drive.find("#search-status")[0].text,
                drive.find("#search-status")[0].text)
    field.send_keys(Keys.ENTER)
    drive.settled()
    first = drive.find("#search-status")[0].text
    field.send_keys(Keys.ENTER)
    drive.settled()
    drive.check("Enter walks the matches", " of " in first and drive.find("#details")[0].is_displayed(), first)
    drive.shot("7-search")
    field.send_keys("zzzzzz no such thing")
    drive.settled()
    drive.check("search says when nothing is found", drive.find("#search-status")[0].text == "nothing found")
    field.send_keys(Keys.ESCAPE)
    drive.press(Keys.ESCAPE)


def helps(drive):
    drive.press("?")
    drive.check("? opens the help", drive.find("#help")[0].is_displayed())
    drive.shot("8-help")
    drive.press("?")
    drive.check("? closes the help", not drive.find("#help")[0].is_displayed())


def restores_the_view(drive):
    drive.browser.execute_script("location.hash = '#1000-90000/'; location.reload()")
    WebDriverWait(drive.browser, 30).until(lambda browser: browser.execute_script(
        "return document.readyState === 'complete' && document.body.classList.contains('ready')"))
    drive.settled()
    view = drive.view()
    drive.check("the address restores the view", abs(view[0] - 1000) < 2 and abs(view[1] - 90000) < 2, str(view))


def stays_quiet(drive):
    errors = [entry["message"] for entry in drive.browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    drive.check("there are no errors in the console", not errors, "\n      ".join(errors))
    requests = [entry["message"] for entry in drive.browser.get_log("performance")
                if '"Network.requestWillBeSent"' in entry["message"] and '"url":"http' in entry["message"]]
    drive.check("nothing is loaded from anywhere", not requests, str(requests[:2]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("timeline")
    parser.add_argument("--screenshots", metavar="DIR", help="save a picture of each step there")
    parser.add_argument("--dark", action="store_true", help="prefer dark colours")
    arguments = parser.parse_args()
    if not os.path.isfile(arguments.timeline):
        print(f"There is no file {arguments.timeline}.", file=sys.stderr)
        return 64
    if arguments.screenshots:
        os.makedirs(arguments.screenshots, exist_ok=True)
    drive = Drive(arguments.timeline, arguments.screenshots, arguments.dark)
    try:
        steps = (opens, zooms_and_pans, chooses_findings, selects_items, searches, helps, restores_the_view,
                 stays_quiet)
        for step in steps:
            try:
                step(drive)
            except Exception as error:  # A step that cannot go on is a failure of its own; the others still run.
                drive.check(step.__name__.replace("_", " "), False, f"{type(error).__name__}: {error}")
    finally:
        drive.browser.quit()
    print(f"{drive.passed} passed, {len(drive.failures)} failed")
    return 1 if drive.failures else 0


if __name__ == "__main__":
    sys.exit(main())
