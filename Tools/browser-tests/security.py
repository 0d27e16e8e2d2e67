#!/usr/bin/env python3
"""Attacks a timeline: hostile texts in its data, and every action that its policy forbids.

Usage: security.py TIMELINE.html [--screenshots DIR]

Needs the Python package `selenium`, Chromium and its driver. Prints one line per check and
`N passed, N failed`; the exit code is 0 only when nothing failed.
"""

import argparse
import http.server
import os
import pathlib
import sys
import tempfile
import threading
import xml.etree.ElementTree

import hostile_page
from page_drive import PageDrive
from selenium.webdriver.common.keys import Keys

# Each entry is an attack and the policy directive that stops it. The attacks run later than the script that starts
# them, because the driver exempts its own script from the policy.
ATTACKS = {
    "inline script": (
        "script-src-elem",
        "const s = document.createElement('script'); s.textContent = 'window.pwned = 1'; "
        "document.body.append(s)"),
    "script from elsewhere": (
        "script-src-elem",
        "const s = document.createElement('script'); s.src = HOST + '/a.js'; document.body.append(s)"),
    "script from a blob": (
        "script-src-elem",
        "const s = document.createElement('script'); "
        "s.src = URL.createObjectURL(new Blob(['window.pwned = 2'])); document.body.append(s)"),
    "eval": ("script-src", "new Function('window.pwned = 3')()"),
    "a timer with text": ("script-src", "setTimeout('window.pwned = 4', 0)"),
    "event handler in markup": (
        "script-src-attr",
        "document.body.insertAdjacentHTML('beforeend', '<i onclick=\"window.pwned = 5\"></i>'); "
        "document.body.lastChild.click()"),
    "javascript link": (
        "script-src-elem",
        "const a = document.createElement('a'); a.href = 'javascript:window.pwned = 6'; "
        "document.body.append(a); a.click()"),
    "image": ("img-src", "new Image().src = HOST + '/image'"),
    "fetch": ("connect-src", "fetch(HOST + '/fetch').catch(() => {})"),
    "request": ("connect-src", "const r = new XMLHttpRequest(); r.open('GET', HOST + '/request'); r.send()"),
    "socket": ("connect-src", "new WebSocket(HOST.replace('http', 'ws'))"),
    "beacon": ("connect-src", "navigator.sendBeacon(HOST + '/beacon', 'x')"),
    "event source": ("connect-src", "new EventSource(HOST + '/events')"),
    "frame": (
        "frame-src",
        "const f = document.createElement('iframe'); f.src = HOST + '/frame'; document.body.append(f)"),
    "object": (
        "object-src",
        "const o = document.createElement('object'); o.data = HOST + '/object'; document.body.append(o)"),
    "form": (
        "form-action",
        "const f = document.createElement('form'); f.action = HOST + '/form'; f.target = '_blank'; "
        "document.body.append(f); f.submit()"),
    "base": ("base-uri", "const b = document.createElement('base'); b.href = HOST; document.head.append(b)"),
    "style sheet": (
        "style-src-elem",
        "const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = HOST + '/style.css'; "
        "document.head.append(l)"),
    "inline style": (
        "style-src-elem",
        "const s = document.createElement('style'); s.textContent = 'body { opacity: 0 }'; "
        "document.head.append(s)"),
    "style attribute": ("style-src-attr", "document.body.setAttribute('style', 'opacity: 0')"),
    "font": ("font-src", "new FontFace('x', `url(${HOST}/font)`).load().catch(() => {})"),
    "worker": ("worker-src", "new Worker(URL.createObjectURL(new Blob([`fetch('${HOST}/worker')`])))"),
    "media": (
        "media-src",
        "const v = document.createElement('video'); v.src = HOST + '/video'; document.body.append(v)"),
}
# The report of a frame comes from another process of the browser and can be late on a busy machine, so the test waits.
ATTEMPT = """
const [host, done] = arguments;
const report = (event) => end([event.effectiveDirective]);
const end = (reports) => { document.removeEventListener('securitypolicyviolation', report); done(reports); };
document.addEventListener('securitypolicyviolation', report);
window.HOST = host;
setTimeout(() => { try { (new ATTACKS_PLACE()) } catch {} }, 0);
setTimeout(() => end([]), 20000);
"""


class Listener(http.server.BaseHTTPRequestHandler):
    """A host that no page may reach. It records the requests."""

    requests = []

    def do_GET(self):
        Listener.requests.append(self.path)
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()

    do_POST = do_GET

    def log_message(self, *arguments):
        pass


def shows_hostile_texts(path, screenshots):
    """Every text of the data contains an attack. The page works and shows the attacks as text."""
    with tempfile.TemporaryDirectory() as directory:
        page = os.path.join(directory, "hostile.html")
        count = hostile_page.write(path, page)
        drive = PageDrive(page, screenshots, dark=False)
        try:
            drive.wait_until_ready()
            drive.check(f"a page with {count} hostile texts opens", not drive.find("#failure")[0].is_displayed()
                        and count > 50, drive.find("#failure")[0].text)
            elements = "document.querySelectorAll('*').length - document.querySelectorAll('aside *').length"
            drive.shot("hostile-1")
            for key in ["n", "n", "e", ".", ".", "u", "i", "o", "q", Keys.ESCAPE, Keys.ESCAPE, "0"]:
                drive.press(key)
            drive.shot("hostile-2")
            bad = drive.script(
                "document.querySelectorAll('img, svg, b, iframe, object, embed, [onerror], [onload]').length")
            drive.check("no text became an element", bad == 0 and drive.script(elements) > 20, str(bad))
            drive.check("no text became a script", drive.script("window.pwned") is None
                        and drive.script("document.querySelectorAll('script').length") == 1)
            text = drive.script("document.body.innerText")
            hidden = [hex(ord(character)) for character in text
                      if character in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
                      or (ord(character) < 32 and character not in "\n\t")]
            drive.check("control and direction characters are made visible", not hidden, str(hidden[:5]))
            drive.check("the hostile texts are shown as they are", "</script>" in text and "onerror=" in text)
            drive.check("bytes that are not UTF-8 cause no error", "\ufffd" in drive.script(
                "JSON.stringify(queuescope.trace.meta)"))
            wide = drive.script("document.documentElement.scrollWidth <= innerWidth")
            drive.check("a text of 10 kB does not widen the page", wide)
            picture = xml.etree.ElementTree.fromstring(drive.script("queuescope.svg()"))
            tags = {node.tag.split("}")[1] for node in picture.iter()}
            drive.check("a saved picture contains them as text", tags <= {
                "svg", "title", "defs", "pattern", "clipPath", "rect", "path", "text"}, str(tags))
            errors = [entry["message"] for entry in drive.browser.get_log("browser")
                      if entry["level"] in ("SEVERE", "WARNING")]
            drive.check("hostile texts cause no errors", not errors, str(errors[:3]))
        finally:
            drive.browser.quit()
        return drive


def enforces_its_policy(path):
    """Runs every attack: none runs code, none reaches the listening host, and each is reported."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        host = f"http://127.0.0.1:{server.server_address[1]}"
        drive = PageDrive(path, None, dark=False)
        try:
            drive.wait_until_ready()
            for name, (directive, attack) in ATTACKS.items():
                script = ATTEMPT.replace("(new ATTACKS_PLACE())", attack)
                reports = drive.browser.execute_async_script(script, host)
                drive.check(f"the policy stops and reports: {name}", reports == [directive], str(reports))
            drive.check("no way around the policy ran code", drive.script("window.pwned") is None)
            drive.check("the page is still visible", drive.script("getComputedStyle(document.body).opacity") == "1")
            drive.check("nothing reached a listening host", not Listener.requests, str(Listener.requests))
        finally:
            drive.browser.quit()
            server.shutdown()
        return drive


def needs_no_network(path):
    """The page opens from a file without a network. It does not start when a byte of its script was changed."""
    drive = PageDrive(path, None, dark=False)
    try:
        drive.browser.execute_cdp_cmd("Network.enable", {})
        drive.browser.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
        drive.browser.get(pathlib.Path(path).resolve().as_uri())
        drive.wait_until_ready()
        drive.check("the page opens from a file without a network", drive.colours() > 8)
        requests = [entry["message"] for entry in drive.browser.get_log("performance")
                    if '"Network.requestWillBeSent"' in entry["message"] and '"url":"file:' not in entry["message"]
                    and '"url":"data:' not in entry["message"]]
        drive.check("it requests only itself", not requests, str(requests[:2]))
        with tempfile.TemporaryDirectory() as directory:
            changed = os.path.join(directory, "changed.html")
            text = pathlib.Path(path).read_bytes()
            pathlib.Path(changed).write_bytes(text.replace(b"'use strict';", b"'use strict'; ", 1))
            drive.browser.get(pathlib.Path(changed).as_uri())
            drive.check("a changed script does not run",
                        "ready" not in (drive.find("body")[0].get_attribute("class") or ""))
    finally:
        drive.browser.quit()
    return drive


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("timeline")
    parser.add_argument("--screenshots", metavar="DIR", help="save a picture of each step in DIR")
    arguments = parser.parse_args()
    if arguments.screenshots:
        os.makedirs(arguments.screenshots, exist_ok=True)
    drives = [shows_hostile_texts(arguments.timeline, arguments.screenshots), enforces_its_policy(arguments.timeline),
              needs_no_network(arguments.timeline)]
    failures = sum(len(drive.failures) for drive in drives)
    print(f"{sum(drive.passed for drive in drives)} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
