"""Causal paths of items."""

from selenium.webdriver.common.keys import Keys

import items

# Checks that the segments of many items' paths follow each other without gap or overlap.
CHAINS = """
(() => {
  const { items } = queuescope.trace, wrong = [], step = Math.max(1, Math.floor(items.count / 5000));
  let longest = -1, most = 0;
  for (let row = 0; row < items.count; row += step) {
    const path = queuescope.path(row);
    // An incomplete path has only its last segments.
    let at = path.isComplete ? path.from : path.segments[0].from;
    for (const { from, to } of path.segments) {
      if (Math.abs(from - at) > 0.5) { wrong.push([row, at, from]); break; }
      at = to;
    }
    if (path.segments.length && Math.abs(at - path.to) > 0.5) wrong.push([row, 'end', at, path.to]);
    if (path.isComplete && path.segments.length > most) { most = path.segments.length; longest = row; }
  }
  return { wrong, longest, most };
})()
"""


def follows_causes(drive):
    """The path of an item covers exactly the time from its submission to its end, and can be drawn."""
    found = drive.script(CHAINS)
    drive.check("the segments of a path follow each other and sum to it", not found["wrong"], str(found["wrong"][:3]))
    if found["longest"] < 0:
        return
    items.visit(drive, found["longest"])
    before = drive.script("document.getElementById('timeline').toDataURL()")
    drive.press("c")
    drive.check("C shows the path of the item", "From submission to end" in drive.find("#details")[0].text
                and "From submission to end" in drive.said(), drive.said())
    drive.check("the path is drawn", drive.script("document.getElementById('timeline').toDataURL()") != before)
    drive.shot("15-path")
    drive.find("#path")[0].click()
    drive.settled()
    drive.check("the button hides it", "From submission to end" not in drive.find("#details")[0].text)
    drive.press(Keys.ESCAPE)


def shows_the_run(drive):
    """The critical path of the run has a row and a table in every range, and C draws it over the threads."""
    drive.press(Keys.ESCAPE)
    path = drive.script("queuescope.trace.sides[0].criticalPath")
    if not path or not path["segments"]:
        drive.check("without a path there is no row for it", drive.rows("^path") == 0)
        return
    drive.check("the run's critical path has a row", drive.rows("^path") > 0)
    at = path["segments"][0]["from"]
    gaps = [segment for before, segment in zip(path["segments"], path["segments"][1:])
            if abs(segment["from"] - before["to"]) > 0.5]
    drive.check("its steps follow one another", not gaps, str(gaps[:2]))
    end = path["segments"][-1]["to"]
    middle, quarter = (at + end) / 2, (end - at) / 4
    table = drive.script(f"queuescope.tables({middle - quarter}, {middle + quarter}).path")
    total = sum(entry["time"] for entry in table)
    drive.check("a range's part of it fills the range", abs(total - 2 * quarter) < 2, f"{total} {2 * quarter}")
    is_cut = drive.script(
        "(() => { const [side] = queuescope.trace.sides, path = side.criticalPath;"
        " side.criticalPath = { ...path, omitted: path.segments.length, segments: [] };"
        " const { isPathCut } = queuescope.tables(path.begin, path.end);"
        " side.criticalPath = path; return isPathCut; })()")
    drive.check("a range of a page without any step reports that steps are missing", is_cut)
    last = path["segments"][-200:]
    drive.browser.execute_script(f"location.hash = '#{int(last[0]['from'])}-{int(last[-1]['to']) + 1}/'")
    drive.settled()
    placed = drive.script("queuescope.reveal('thread' + arguments[0])",
                          next((step["thread"] for step in last if step["thread"] >= 0), 0))
    before = drive.script("document.getElementById('timeline').toDataURL()")
    drive.press("c")
    drive.check("C without an item shows it over the threads", placed and drive.script("queuescope.showsRunPath()")
                and "critical path of the run" in drive.said()
                and drive.script("document.getElementById('timeline').toDataURL()") != before, drive.said())
    drive.shot("16-run-path")
    drive.check("the link keeps it", "run=path" in drive.script("queuescope.address()"))
    drive.press("c")
    drive.check("C hides it again", not drive.script("queuescope.showsRunPath()"))
    drive.press("0")
    drive.press("c")
    # For a long path the whole view has too many steps, which is announced as well.
    drive.check("its main part is announced together with the other text", "Most of it: " in drive.said()
                and ("is drawn over" in drive.said() or "Zoom in." in drive.said()), drive.said())
    drive.press("c")
    drive.browser.execute_script("location.hash = ''")
    drive.settled()


def shows_what_never_began(drive):
    """Items that were enqueued and never began are drawn on their queue's row."""
    pending = drive.script("queuescope.trace.pending.filter((item) => queuescope.trace.queues[item.queue])")
    if not pending:
        drive.check("no item is shown as not begun", "had not begun" not in drive.script("queuescope.svg()"))
        return
    drive.press(Keys.ESCAPE)
    drive.press("0")
    item = max(pending, key=lambda each: each["until"] - each["enqueued"])
    placed = drive.script("queuescope.reveal('queue' + arguments[0])", item["queue"])
    drive.check("its queue has a row", placed is not None)
    drive.click((drive.x((item["enqueued"] + item["until"]) / 2), 28 + placed["y"] - drive.script("queuescope.scroll()")
                 + 1.5))
    text = drive.find("#details")[0].text
    drive.check("an item that had not begun names its kind and its enqueuer",
                "had not begun" in text.lower() and "kind" in text and "enqueued by" in text, text)
    drive.shot("17-never-began")
    drive.press(Keys.ESCAPE)
