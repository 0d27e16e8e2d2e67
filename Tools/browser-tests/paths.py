"""Causal paths of items."""

from selenium.webdriver.common.keys import Keys

import items

# Whether the segments of some items' paths follow one another without gap or overlap.
CHAINS = """
(() => {
  const { items } = queuescope.trace, wrong = [], step = Math.max(1, Math.floor(items.count / 400));
  let longest = -1, most = 0;
  for (let row = 0; row < items.count; row += step) {
    const path = queuescope.path(row);
    let at = path.from;
    for (const { from, to } of path.segments) {
      if (Math.abs(from - at) > 0.5) { wrong.push([row, at, from]); break; }
      at = to;
    }
    if (path.isComplete && path.segments.length && Math.abs(at - path.to) > 0.5) wrong.push([row, 'end', at, path.to]);
    if (path.isComplete && path.segments.length > most) { most = path.segments.length; longest = row; }
  }
  return { wrong, longest, most };
})()
"""


def follows_causes(drive):
    """The path of an item covers the time from its submission to its end exactly, and is drawn when asked for."""
    found = drive.script(CHAINS)
    drive.check("the segments of a path follow one another and sum to it", not found["wrong"], str(found["wrong"][:3]))
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
