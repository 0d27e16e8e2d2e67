"""Saved pictures of a view, and printing."""

import base64
import os
import struct
import tempfile
import xml.etree.ElementTree

from selenium.webdriver.support.ui import WebDriverWait

LAST_BYTES = {".png": b"IEND", ".svg": b"</svg>"}
SVG = "{http://www.w3.org/2000/svg}"


def downloaded(directory, ending):
    """The complete file with an extension; None while it is not complete."""
    for name in os.listdir(directory):
        path = os.path.join(directory, name)
        if not name.endswith(ending):
            continue
        with open(path, "rb") as file:
            # The browser creates a file before it writes the content.
            if LAST_BYTES[ending] in file.read()[-16:]:
                return path
    return None


def saves_pictures(drive):
    """Saves the view as PNG and as SVG, and reads both files."""
    if drive.find("button.finding"):
        drive.press("n")
    with tempfile.TemporaryDirectory() as directory:
        drive.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": directory})
        size = drive.script("[document.getElementById('timeline').clientWidth,"
                            " document.getElementById('timeline').clientHeight]")
        for button, ending in (("#save-png", ".png"), ("#save-svg", ".svg")):
            drive.find(button)[0].click()
            WebDriverWait(drive.browser, 20).until(lambda _: downloaded(directory, ending))
        with open(downloaded(directory, ".png"), "rb") as file:
            png = file.read()
        width, height = struct.unpack(">II", png[16:24])
        drive.check("PNG saves the view with twice the pixels", png[1:4] == b"PNG" and [width, height] ==
                    [size[0] * 2, size[1] * 2], f"{width} {height} {size}")
        drive.check("the PNG is not blank", len(png) > 10_000, str(len(png)))
        with open(downloaded(directory, ".svg"), encoding="utf-8") as file:
            text = file.read()
        picture = xml.etree.ElementTree.fromstring(text)
        texts = [node.text for node in picture.iter(SVG + "text")]
        drive.check("SVG saves the view", picture.tag == SVG + "svg" and int(picture.get("width")) == size[0]
                    and len(list(picture.iter(SVG + "rect"))) > 20)
        # The rows of the finding may be below the first rows.
        titles = drive.script("queuescope.rows().filter((row) => row.y >= queuescope.scroll()"
                              " && row.y + row.height < queuescope.scroll() + arguments[0]).map((row) => row.title)",
                              size[1])
        drive.check("the SVG's labels are text", any(title in (text or "") for title in titles for text in texts),
                    f"{titles} {texts[:5]}")
        drive.check("the SVG has no external references", "href" not in text and "<script" not in text
                    and "url(http" not in text)
        if drive.screenshots:
            with open(os.path.join(drive.screenshots, "14-view.svg"), "w", encoding="utf-8") as copy:
                copy.write(text)


def prints(drive):
    """The printed page has the picture and the findings, without the tools."""
    drive.prefer("light", media="print")
    drive.check("the printed page has no tools", not drive.find(".tools")[0].is_displayed())
    drive.check("the printed page has the picture and the findings", all(
        drive.script("(({ width, height }) => width > 100 && height > 100)"
                     "(document.querySelector(arguments[0]).getBoundingClientRect())", place)
        for place in ("#timeline", "#findings")))
    page = base64.b64decode(drive.browser.execute_cdp_cmd("Page.printToPDF", {"landscape": True})["data"])
    drive.check("the page prints", page.startswith(b"%PDF") and len(page) > 20_000, str(len(page)))
    drive.prefer("dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    drive.script("dispatchEvent(new Event('beforeprint'))")
    drive.check("printing uses the light colours", drive.script(paper) == "rgb(255, 255, 255)", drive.script(paper))
    drive.script("dispatchEvent(new Event('afterprint'))")
    drive.check("the screen is dark again", drive.script(paper) == "rgb(20, 23, 29)", drive.script(paper))
    drive.prefer(drive.theme)
