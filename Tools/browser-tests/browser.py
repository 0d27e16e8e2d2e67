"""Headless Chromium for the browser tests."""

import shutil

from selenium import webdriver
from selenium.webdriver.chrome.service import Service


def headless_chromium(width=1440, height=900):
    """Starts the installed Chromium and driver, with a log of the page's errors and warnings."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     f"--window-size={width},{height}", "--hide-scrollbars", "--force-device-scale-factor=1"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    names = ("chromium", "chromium-browser", "google-chrome")
    binary = next((found for found in map(shutil.which, names) if found), None)
    if binary:
        options.binary_location = binary
    driver = shutil.which("chromedriver")
    return webdriver.Chrome(options=options, service=Service(driver) if driver else Service())
