"""A browser with a timeline, and the checks on it."""

import os
import pathlib

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from browser import headless_chromium

RULER_HEIGHT = 28


class PageDrive:
    """Opens a timeline, 1440 by 900, without animations, and counts passed and failed checks."""

    def __init__(self, path, screenshots, dark):
        self.screenshots = screenshots
        self.passed = 0
        self.failures = []
        self.browser = headless_chromium()
        self.theme = "dark" if dark else "light"
        self.prefer(self.theme)
        self.browser.get(pathlib.Path(path).resolve().as_uri())
        # The frame of the window takes part of its size. The page itself must be 1440 by 900.
        inner = self.script("[innerWidth, innerHeight]")
        self.browser.set_window_size(1440 + 1440 - inner[0], 900 + 900 - inner[1])

    def prefer(self, theme, media="", forced="none"):
        """Emulates settings of the system: light or dark, the medium (`print`), and forced colours."""
        features = {"prefers-color-scheme": theme, "prefers-reduced-motion": "reduce", "forced-colors": forced}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [
            {"name": name, "value": value} for name, value in features.items()]})

    def wait_until_ready(self):
        """Waits until the page is drawn or reports that it cannot be shown."""
        WebDriverWait(self.browser, 30).until(
            lambda browser: "ready" in browser.find_element(By.TAG_NAME, "body").get_attribute("class")
            or browser.find_element(By.ID, "failure").is_displayed())
        self.settled()

    def drag(self, start, end, shift=False):
        """Drags on the timeline's canvas between two places, relative to its upper left corner."""
        canvas = self.find("#timeline")[0]
        middle = (canvas.size["width"] / 2, canvas.size["height"] / 2)
        actions = ActionChains(self.browser)
        if shift:
            actions.key_down(Keys.SHIFT)
        actions.move_to_element_with_offset(canvas, int(start[0] - middle[0]), int(start[1] - middle[1]))
        actions.click_and_hold().move_by_offset(int(end[0] - start[0]), int(end[1] - start[1])).release()
        if shift:
            actions.key_up(Keys.SHIFT)
        actions.perform()
        self.settled()

    def click(self, place):
        """Clicks a place on the timeline's canvas."""
        self.move(place)
        ActionChains(self.browser).click().perform()
        self.settled()

    def move(self, place):
        """Moves the pointer to a place on the timeline's canvas."""
        canvas = self.find("#timeline")[0]
        ActionChains(self.browser).move_to_element_with_offset(
            canvas, int(place[0] - canvas.size["width"] / 2), int(place[1] - canvas.size["height"] / 2)).perform()
        self.settled()

    def x(self, time):
        """The horizontal position of a time on the canvas."""
        view = self.script("queuescope.view()")
        return view["left"] + (time - view["from"]) / (view["to"] - view["from"]) * view["width"]

    def said(self):
        """The text of the live region for screen readers."""
        return self.script("document.getElementById('status').textContent")

    def check(self, name, holds, detail=""):
        """Counts and prints the result of a check."""
        if holds:
            self.passed += 1
            print(f"ok    {name}")
        else:
            self.failures.append(name)
            print(f"FAIL  {name} {detail}")

    def script(self, text, *arguments):
        return self.browser.execute_script("return " + text.strip(), *arguments)

    def view(self):
        found = self.script("queuescope.view()")
        return found["from"], found["to"]

    def settled(self):
        """Waits for two frames, after which every pending change is drawn."""
        self.browser.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));")

    def find(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def press(self, key):
        # Keys go to the page: the timeline handles them everywhere except in the search field.
        ActionChains(self.browser).send_keys(key).perform()
        self.settled()

    def shot(self, name):
        if self.screenshots:
            self.settled()
            self.browser.save_screenshot(os.path.join(self.screenshots, name + ".png"))

    def colours(self):
        """The number of different colours on the timeline's canvas; a blank canvas has one."""
        return self.script(
            "(() => { const c = document.getElementById('timeline');"
            " const k = document.createElement('canvas'); k.width = c.width; k.height = c.height;"
            " const g = k.getContext('2d', { willReadFrequently: true }); g.drawImage(c, 0, 0);"
            " const d = g.getImageData(0, 0, c.width, c.height).data, s = new Set();"
            " for (let i = 0; i < d.length; i += 4 * 7) s.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);"
            " return s.size; })()")

    def rows(self, pattern):
        """The number of rows whose key matches a regular expression."""
        return self.script("queuescope.rows().filter((r) => new RegExp(arguments[0]).test(r.key)).length", pattern)
