"""Ranges: marking, measuring, and the tables of a range."""

from selenium.webdriver.common.keys import Keys

# The same sums as in the page's tables, computed simply: one pass over all items, without indices.
SUMS = """
((from, to) => {
  const { items } = queuescope.trace, clip = (a, b) => Math.max(0, Math.min(b, to) - Math.max(a, from));
  const sums = { busy: 0, waited: 0, items: 0 };
  for (let row = 0; row < items.count; row++) {
    sums.busy += clip(items.begin[row], items.end[row]);
    sums.waited += clip(items.enqueued[row], items.begin[row]);
    const ran = items.begin[row] < to && items.end[row] >= from
      && !(items.begin[row] < from && items.end[row] === from);
    if (ran) sums.items++;
  }
  return sums;
})(arguments[0], arguments[1])
"""
TABLES = """
((from, to) => {
  const t = queuescope.tables(from, to), sum = (list, key) => list.reduce((total, entry) => total + entry[key], 0);
  return { items: t.items, queueBusy: sum(t.queues, 'busy'), queueWaited: sum(t.queues, 'waited'),
    codeBusy: sum(t.codes, 'busy'), causes: sum(t.causes, 'time'), threads: t.threads.length };
})(arguments[0], arguments[1])
"""


def near(one, other):
    """Equal except for rounding."""
    return abs(one - other) <= max(2, 1e-6 * max(abs(one), abs(other)))


def items_in(drive, view, shares):
    """The number of items that run in a part of the view."""
    return drive.script(TABLES, *(view["from"] + (view["to"] - view["from"]) * share for share in shares))["items"]


def marks_a_range(drive):
    """Drags in the ruler and over the rows, and compares the tables with simple sums."""
    drive.press(Keys.ESCAPE)
    drive.press("0")
    view = drive.script("queuescope.view()")
    left, width = view["left"], view["width"]
    # A third of the trace may be empty, because the program can be preempted that long on a busy machine.
    begin, end = max(((0.3, 0.6), (0.05, 0.35), (0.6, 0.9)), key=lambda shares: items_in(drive, view, shares))
    drive.drag((left + width * begin, 14), (left + width * end, 14))
    marked = drive.script("queuescope.range()")
    drive.check("dragging in the ruler marks a range", marked is not None)
    if marked is None:
        return
    expected = [view["from"] + (view["to"] - view["from"]) * share for share in (begin, end)]
    slack = (view["to"] - view["from"]) / width * 3
    drive.check("the range is the dragged interval", all(abs(a - b) < slack for a, b in zip(marked, expected)),
                f"{marked} {expected}")
    details = drive.find("#details")[0]
    drive.check("the range has tables of its own", details.is_displayed() and all(
        title in details.text for title in ("Range of", "Queues", "Code", "Threads")), details.text[:200])
    sums, tables = drive.script(SUMS, *marked), drive.script(TABLES, *marked)
    drive.check("the tables count each item once", tables["items"] == sums["items"], f"{tables} {sums}")
    for name, total in (("queueBusy", "busy"), ("codeBusy", "busy"), ("queueWaited", "waited"), ("causes", "waited")):
        drive.check(f"the table's {name} is the sum of its items", near(tables[name], sums[total]), f"{tables} {sums}")
    whole = drive.script("queuescope.trace.end")
    all_of_it = drive.script(TABLES, 0, whole)
    drive.check("the whole trace as a range counts every item",
                all_of_it["items"] == drive.script("queuescope.trace.items.count"), str(all_of_it))
    drive.shot("9-range")
    before = drive.view()
    drive.drag((drive.x(marked[1]), 14), (drive.x(marked[1]) + 80, 14))
    wider = drive.script("queuescope.range()")
    drive.check("an edge can be dragged", wider[0] == marked[0] and wider[1] > marked[1] and drive.view() == before,
                f"{marked} {wider}")
    drive.find("#range-zoom")[0].click()
    drive.settled()
    zoomed = drive.view()
    drive.check("a range can be zoomed to", near(zoomed[0], wider[0]) and near(zoomed[1], wider[1]),
                f"{zoomed} {wider}")
    drive.find("#range-clear")[0].click()
    drive.settled()
    drive.check("a range can be cleared", drive.script("queuescope.range()") is None and not details.is_displayed())
    drive.drag((left + 200, 300), (left + 320, 340), shift=True)
    drive.check("dragging with Shift marks a range", drive.script("queuescope.range()") is not None
                and drive.view() == zoomed)
    drive.press(Keys.ESCAPE)
    drive.check("Escape clears the range", drive.script("queuescope.range()") is None)


def measures(drive):
    """Marks a range with keys: its begin, its end, and both ends of a measurement."""
    drive.press("0")
    view = drive.script("queuescope.view()")
    drive.move((view["left"] + 200, 200))
    drive.press("[")
    drive.move((view["left"] + 400, 200))
    drive.press("]")
    marked, scale = drive.script("queuescope.range()"), (view["to"] - view["from"]) / view["width"]
    drive.check("[ and ] mark a range", marked and abs(marked[1] - marked[0] - 200 * scale) < 3 * scale, str(marked))
    drive.press(Keys.ESCAPE)
    drive.move((view["left"] + 100, 200))
    drive.press("m")
    drive.move((view["left"] + 260, 200))
    drive.shot("10-measure")
    drive.press("m")
    marked = drive.script("queuescope.range()")
    drive.check("M measures between two points", marked and abs(marked[1] - marked[0] - 160 * scale) < 3 * scale,
                str(marked))
    drive.check("the live region announces the length", "Range of" in drive.said(), drive.said())
    drive.press(Keys.ESCAPE)
