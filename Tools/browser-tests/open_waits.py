"""The waits that were open when the trace ended: their list, and the place of each wait in the picture."""

from selenium.webdriver.common.keys import Keys


def lists_open_waits(drive):
    """The list has every waiter, and a click selects its wait."""
    rows = drive.script("queuescope.trace.sides[0].openWaits.rows")
    drive.check("the trace has open waits", len(rows) > 0)
    listed = drive.find(".open-waits li")
    drive.check("each open wait is in the list", len(listed) == len(rows), f"{len(listed)} {len(rows)}")
    drive.check("a wait has its cause", all(entry.find_element("css selector", ".summary").text for entry in listed))
    for number, row in enumerate(rows):
        for place, waiter in enumerate(row["waiters"][:4]):
            drive.press(Keys.ESCAPE)
            drive.find(".open-waits li")[number].find_elements("css selector", "a")[place].click()
            drive.settled()
            visits(drive, waiter)
    drive.shot("18-still-waiting")
    drive.press(Keys.ESCAPE)


def visits(drive, waiter):
    details = drive.find("#details")[0]
    drive.check(f"a click on {waiter['name']} shows its wait", details.is_displayed() and details.text, details.text)
    if waiter["task"]:
        number = drive.script("queuescope.trace.tasks.list[queuescope.task()].number")
        drive.check("and selects the task", number == waiter["task"], f"{number}")
        return
    words = "had not begun" if waiter["queue"] >= 0 else "wait"
    drive.check("and names it", words in details.text.lower(), details.text)
    key = f"queue{waiter['queue']}" if waiter["queue"] >= 0 else f"thread{waiter['thread']}"
    placed = [row for row in drive.script("queuescope.rows()") if row["key"] == key]
    drive.check("and reveals its row", placed, key)
    view = drive.view()
    drive.check("and the wait is in view", view[0] <= waiter["begin"] + waiter["length"] and waiter["begin"] <= view[1],
                f"{view} {waiter}")
