"""Every button, and the effects of mouse and keys on rows that other steps do not test."""

from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

RULER = 28


def span(view):
    return view[1] - view[0]


def same(one, other):
    """Equal to within a nanosecond: views are computed in fractions of a nanosecond."""
    return all(abs(a - b) < 1 for a, b in zip(one, other))


def scrolled(drive):
    return drive.script("queuescope.scroll()")


def presses_buttons(drive):
    """The buttons of the tool bar do what their titles state."""
    drive.press(Keys.ESCAPE)
    drive.press("0")
    whole = drive.view()
    click = lambda name: (drive.find("#" + name)[0].click(), drive.settled())
    click("zoom-in")
    closer = drive.view()
    drive.check("+ in the bar zooms in", span(closer) < span(whole) * 0.9, f"{whole} {closer}")
    click("zoom-out")
    drive.check("− in the bar zooms out", span(drive.view()) > span(closer))
    click("zoom-in")
    click("whole")
    drive.check("Whole trace shows the whole trace", same(drive.view(), whole), f"{whole} {drive.view()}")
    drive.press("w")
    drive.press(Keys.HOME)
    drive.check("Home shows the whole trace, too", same(drive.view(), whole))
    click("copy-link")
    # The clipboard answers asynchronously.
    try:
        WebDriverWait(drive.browser, 20).until(lambda _: "link" in drive.said().lower())
    except TimeoutException:
        pass
    drive.check("Link reports its result", "link" in drive.said().lower(), drive.said())
    click("help-button")
    drive.check("? in the bar opens the help", drive.find("#help")[0].is_displayed())
    drive.find("#help .close")[0].click()
    drive.settled()
    drive.check("the × of the help closes it", not drive.find("#help")[0].is_displayed())
    drive.browser.find_element(By.TAG_NAME, "body").click()


def steps_through_matches(drive):
    """The buttons next to the search and their keys select the next and the previous match."""
    label = drive.script("queuescope.trace.queues[queuescope.trace.items.queue[0]].label")
    field = drive.find("#search")[0]
    field.send_keys(label, Keys.ENTER)
    drive.settled()

    def place():
        return drive.find("#search-status")[0].text

    first = place()
    # Keys reach the page only when the canvas has the focus.
    drive.browser.execute_script("document.getElementById('timeline').focus()")
    drive.find("#search-next")[0].click()
    drive.settled()
    second = place()
    drive.check("› goes to the next match", " of " in first and (second != first or first.endswith(" of 1")),
                f"{first}, {second}")
    drive.find("#search-previous")[0].click()
    drive.settled()
    drive.check("‹ goes back", place() == first, place())
    drive.browser.execute_script("document.getElementById('timeline').focus()")
    drive.press("g")
    drive.check("G goes to the next match, too", place() == second, place())
    ActionChains(drive.browser).key_down(Keys.SHIFT).send_keys("g").key_up(Keys.SHIFT).perform()
    drive.settled()
    drive.check("Shift + G goes back, too", place() == first, place())
    for _ in range(3):
        drive.press(Keys.ESCAPE)
    drive.check("Escape clears the search", drive.find("#search")[0].get_attribute("value") == "")


def moves_rows(drive):
    """Arrow keys, page keys and the wheel over the labels scroll the rows. Shift + wheel pans, Alt + wheel scrolls."""
    drive.browser.execute_script("location.hash = ''")
    drive.settled()
    canvas = drive.find("#timeline")[0]
    height = drive.script("queuescope.rows().reduce((sum, row) => sum + row.height, 0)")
    if height <= canvas.size["height"]:
        drive.check("all rows are in view", scrolled(drive) == 0)
        return
    drive.press(Keys.ARROW_DOWN)
    down = scrolled(drive)
    drive.check("↓ goes down the rows", down > 0)
    drive.press(Keys.ARROW_UP)
    drive.check("↑ goes up", scrolled(drive) < down)
    drive.press(Keys.PAGE_DOWN)
    page = scrolled(drive)
    drive.check("Page Down goes further", page >= down)
    drive.press(Keys.PAGE_UP)
    drive.check("Page Up goes back", scrolled(drive) < page or page == 0)
    labels = ScrollOrigin.from_element(canvas, -int(canvas.size["width"] / 2) + 40, 60)
    before, view = scrolled(drive), drive.view()
    ActionChains(drive.browser).scroll_from_origin(labels, 0, 90).perform()
    drive.settled()
    drive.check("the wheel over the labels scrolls", scrolled(drive) > before and same(drive.view(), view))
    picture = ScrollOrigin.from_element(canvas, 200, 0)
    before = scrolled(drive)
    ActionChains(drive.browser).key_down(Keys.ALT).scroll_from_origin(picture, 0, -60).key_up(Keys.ALT).perform()
    drive.settled()
    drive.check("the wheel with Alt scrolls", scrolled(drive) < before and same(drive.view(), view),
                f"{before} {scrolled(drive)}")
    drive.press("w")
    view = drive.view()
    ActionChains(drive.browser).key_down(Keys.SHIFT).scroll_from_origin(picture, 0, 80).key_up(Keys.SHIFT).perform()
    drive.settled()
    drive.check("the wheel with Shift pans", drive.view()[0] > view[0] and abs(span(drive.view()) - span(view)) < 1,
                f"{view} {drive.view()}")
    drive.press("0")
    drive.press(Keys.PAGE_UP)
    drive.press(Keys.PAGE_UP)
    bar = drive.script("queuescope.bar()")
    before = scrolled(drive)
    x = canvas.size["width"] - 6
    drive.drag((x, bar["top"] + bar["length"] / 2), (x, bar["top"] + bar["length"] / 2 + 60))
    drive.check("the scroll bar can be dragged", scrolled(drive) > before, f"{before} {scrolled(drive)}")


def uses_the_mouse(drive):
    """A double click frames an item, a click on a section folds it, and the overview's edges resize the view."""
    drive.browser.execute_script("location.hash = ''")
    drive.settled()
    drive.press(Keys.ESCAPE)
    drive.press("0")
    row = drive.script("(() => { const { begin, end, count, thread } = queuescope.trace.items; let best = 0;"
                       " for (let i = 0; i < count; i++) if (end[i] - begin[i] > end[best] - begin[best]) best = i;"
                       " return { begin: begin[best], end: end[best], thread: thread[best] }; })()")
    placed = drive.script("queuescope.reveal('thread' + arguments[0])", row["thread"])
    drive.settled()
    before = drive.view()
    drive.move((drive.x((row["begin"] + row["end"]) / 2), RULER + placed["y"] - scrolled(drive) + 10))
    ActionChains(drive.browser).double_click().perform()
    drive.settled()
    drive.check("a double click frames the item", span(drive.view()) < span(before) or
                (row["end"] - row["begin"]) * 1.5 > span(before), f"{before} {drive.view()}")
    drive.press(Keys.ESCAPE)
    drive.press("0")
    section = next((each for each in drive.script("queuescope.rows()") if each["key"] == "threads"), None)
    if section:
        drive.script("queuescope.reveal('threads')")
        drive.settled()
        count = drive.rows("^thread[0-9]")
        place = (60, RULER + section["y"] - scrolled(drive) + 13)
        drive.click(place)
        drive.check("a click on a section folds it", count > 0 and drive.rows("^thread[0-9]") == 0)
        section = next(each for each in drive.script("queuescope.rows()") if each["key"] == "threads")
        drive.click((60, RULER + section["y"] - scrolled(drive) + 13))
        drive.check("another click unfolds it", drive.rows("^thread[0-9]") == count)
    drive.press("0")
    overview = drive.find("#overview")[0]
    before, middle = drive.view(), overview.size["width"] / 2
    left = drive.script("queuescope.view()")["left"]
    duration = drive.script("queuescope.trace.end")
    width = overview.size["width"] - left - 12
    edge = left + width * (before[1] + duration * 0.02) / (duration * 1.04)
    ActionChains(drive.browser).move_to_element_with_offset(overview, int(edge - middle) - 1, 0).click_and_hold() \
        .move_by_offset(-150, 0).release().perform()
    drive.settled()
    drive.check("the overview's edge resizes the view", abs(drive.view()[0] - before[0]) < 1
                and drive.view()[1] < before[1],
                f"{before} {drive.view()}")
    before = drive.view()
    beside_end = int(left + width - 20 - middle)
    ActionChains(drive.browser).move_to_element_with_offset(overview, beside_end, 0).click().perform()
    drive.settled()
    drive.check("a click in the overview goes there", drive.view()[0] > before[0], f"{before} {drive.view()}")
    drive.press("0")


def walks_the_family(drive):
    """U selects the parent item, I the first item that it enqueued, O the next item of the same code."""
    child = drive.script("Array.from(queuescope.trace.items.parent).findIndex((parent) => parent >= 0)")
    if child < 0:
        drive.check("no item was enqueued by another", True)
        return
    parent = drive.script("queuescope.trace.items.parent[arguments[0]]", child)
    drive.browser.execute_script(f"location.hash = '#0-1000000//item={child}'")
    drive.settled()
    drive.press("u")
    drive.check("U goes to the item that enqueued it", drive.script("queuescope.selection()") == parent)
    drive.press("i")
    first = drive.script("queuescope.relations.offspring(arguments[0])[0]", parent)
    drive.check("I goes to the first item that it enqueued", drive.script("queuescope.selection()") == first)
    same = drive.script("queuescope.relations.itemsOfCode(queuescope.trace.shapeOf(arguments[0]).code).length", first)
    drive.press("o")
    drive.check("O goes to the next item of the same code", drive.script("queuescope.selection()") != first
                or "last one" in drive.said(), f"{same}")
    drive.press("f")
    drive.check("F frames it", drive.view()[0] <= drive.script(
        "queuescope.trace.items.begin[queuescope.selection()]") <= drive.view()[1])
    drive.press(Keys.ESCAPE)
    for key in "ui":
        drive.press(key)
        drive.check(f"{key.upper()} without an item asks for one", "Choose an item" in drive.said(), drive.said())
    drive.browser.execute_script("location.hash = ''")
    drive.settled()


def pinches(drive):
    """Two fingers that move apart zoom in; the time between them keeps its place."""
    drive.press("0")
    before, where = drive.view(), drive.script("document.getElementById('timeline').getBoundingClientRect()")

    def touch(kind, *places):
        points = [{"x": where["x"] + x, "y": where["y"] + 200, "id": number} for number, x in enumerate(places)]
        drive.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    middle = sum(before) / 2
    x = drive.x(middle)
    touch("touchStart", x - 60)
    touch("touchStart", x - 60, x + 60)
    touch("touchMove", x - 120, x + 120)
    touch("touchEnd")
    drive.settled()
    after = drive.view()
    drive.check("two fingers zoom in", abs(span(after) / span(before) - 0.5) < 0.05, f"{before} {after}")
    drive.check("… around the time between them", abs(sum(after) / 2 - middle) < span(after) * 0.05,
                f"{middle} {after}")
    drive.press("0")
