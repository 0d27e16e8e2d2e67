"""The page with keyboard and screen reader: order and names of focusable elements, keys, and announcements."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

FOCUS = """
(() => {
  const at = document.activeElement, style = getComputedStyle(at);
  const name = at.getAttribute('aria-label') || at.textContent.trim() || at.title || at.placeholder || '';
  return { tag: at.tagName, id: at.id, name, classes: at.className, outline: style.outlineStyle !== 'none'
    && parseFloat(style.outlineWidth) >= 2, evidence: !!at.closest('.evidence'),
    tooltip: !at.closest('[hidden]') };
})()
"""


def tab(drive, back=False):
    """Moves the focus by one element, and returns a description of that element."""
    actions = ActionChains(drive.browser)
    if back:
        actions.key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT)
    else:
        actions.send_keys(Keys.TAB)
    actions.perform()
    drive.settled()
    return drive.script(FOCUS)


def walks_by_keyboard(drive):
    """Tab and Enter reach findings, evidence and items."""
    drive.browser.execute_script("location.hash = ''; location.reload()")
    drive.wait_until_ready()
    stops, target = [], drive.script("Math.min(1, queuescope.trace.findings.length)")
    for _ in range(60):
        stop = tab(drive)
        if stop["tag"] == "BODY":
            break
        stops.append(stop)
        if stop["evidence"]:
            break
    drive.check("every stop of the focus has a name", all(stop["name"] for stop in stops),
                str([stop for stop in stops if not stop["name"]]))
    drive.check("the focus is visible at every stop", all(stop["outline"] for stop in stops),
                str([stop["id"] or stop["name"] for stop in stops if not stop["outline"]]))
    order = [stop["id"] for stop in stops if stop["id"]]
    drive.check("the focus goes from search to picture", "search" in order and "timeline" in order
                and order.index("search") < order.index("timeline"), str(order))
    if not target:
        return
    drive.check("the focus reaches findings and their evidence", any("finding" in stop["classes"] for stop in stops)
                and stops[-1]["evidence"], str([stop["name"][:30] for stop in stops]))
    before = drive.said()
    ActionChains(drive.browser).send_keys(Keys.ENTER).perform()
    drive.settled()
    drive.check("evidence is visited with Enter", "Evidence 1 of" in drive.said() and drive.said() != before,
                drive.said())


def speaks(drive):
    """The live region announces what the canvas shows."""
    drive.press(Keys.ESCAPE)
    findings = drive.script("queuescope.trace.findings.map((finding) => finding.id)")
    drive.press("n")
    drive.check("a finding is announced", not findings or drive.said().startswith("F"), drive.said())
    evidence = "queuescope.trace.findings.find((f) => f.id === queuescope.finding()).evidence.length"
    if findings and drive.script(evidence):
        drive.press("e")
        first = drive.said()
        drive.check("E announces the evidence", "Evidence 1 of" in first, first)
        drive.check("… in sentences with one full stop each", first.endswith(".") and ".." not in first, first)
        drive.press("E")
        drive.check("Shift + E goes back", "Evidence" in drive.said(), drive.said())
    drive.press("l")
    notice = drive.find("#notice")[0]
    drive.check("a copied link is reported on the page", notice.is_displayed() and "link" in notice.text, notice.text)
    drive.press(Keys.ESCAPE)
    drive.press("0")
    drive.press(".")
    row = drive.script("queuescope.selection()")
    drive.check("full stop selects an item and announces it", row >= 0 and "ran " in drive.said(), drive.said())
    drive.press(".")
    after = drive.script("queuescope.selection()")
    drive.check("… and then the next of its queue", after != row or "last one" in drive.said(), drive.said())
    drive.press(",")
    drive.check("comma goes back", drive.script("queuescope.selection()") == row or "last" in drive.said())
    drive.press("r")
    marked = drive.script("queuescope.range()")
    drive.check("R marks the time of the item", marked is not None and "Range of" in drive.said(), drive.said())
    drive.press(Keys.ESCAPE)
    live = drive.script("[...document.querySelectorAll('[role=status], [role=alert], [aria-live]')].length")
    drive.check("there is a live region", live >= 2)


def lists_every_key(drive):
    """The help lists every key."""
    drive.press("?")
    shown = drive.script("[...document.querySelectorAll('#help-keys kbd')].map((key) => key.textContent)")
    names = {"ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓", "PageUp": "Page Up",
             "PageDown": "Page Down", "Escape": "Esc", "-": "−", "=": "+"}
    missing = []
    for key in drive.script("queuescope.keys()"):
        name = names.get(key, key.replace("Shift+", "Shift + "))
        if name not in shown and name.upper() not in shown:
            missing.append(key)
    drive.check("the help lists every key", not missing and len(shown) > 30, str(missing))
    drive.check("the focus is in the help",
                drive.script("document.getElementById('help').contains(document.activeElement)"))
    drive.press(Keys.ESCAPE)
    drive.check("Escape closes the help", not drive.find("#help")[0].is_displayed())


def folds_rows(drive):
    """J and K select the next and previous row, H folds it: tested with sections, which every trace has."""
    drive.press(Keys.ESCAPE)
    drive.press("0")
    drive.press("j")
    first = drive.said()
    drive.press("j")
    drive.check("J goes to the next row and announces it", first != "" and drive.said() != first,
                f"{first} {drive.said()}")
    drive.press("k")
    drive.check("K goes back", drive.said() == first, drive.said())
    # The first row depends on the scroll position, so the section can be below or above.
    for key in [key for key in "jk" for _ in drive.script("queuescope.rows()")]:
        if drive.said().startswith("Queues"):
            break
        drive.press(key)
    before = drive.rows("^queue[0-9]|^group")
    drive.press("h")
    # Actors and event loops are queue rows in their own sections.
    drive.check("H folds the section", drive.rows("^queue[0-9]|^group") < before and "folded" in drive.said(),
                drive.said())
    drive.press("h")
    drive.check("… and unfolds it", drive.rows("^queue[0-9]|^group") == before)
