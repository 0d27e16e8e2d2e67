"""Links that restore the view."""


def restores_the_view(drive):
    """The address restores the whole state; an invalid address causes no error."""
    drive.browser.execute_script("location.hash = '#1000-90000/'; location.reload()")
    drive.wait_until_ready()
    view = drive.view()
    drive.check("the address restores the view", abs(view[0] - 1000) < 2 and abs(view[1] - 90000) < 2, str(view))
    finding = drive.script("queuescope.trace.findings.length") and "F1"
    row = drive.script("queuescope.trace.items.count") // 2
    queue = drive.script("queuescope.trace.items.queue[arguments[0]]", row)
    address = (f"#2000-190000/{finding or ''}/range=3000-70000/item={row}/search=a/only=queue%20{queue}"
               "/folded=threads%3A1")
    drive.browser.execute_script("location.hash = arguments[0]; location.reload()", address)
    drive.wait_until_ready()
    drive.check("a link restores everything", drive.script("queuescope.address()").startswith(address),
                drive.script("queuescope.address()"))
    drive.check("… the item's details", drive.find("#details")[0].is_displayed()
                and drive.script("queuescope.selection()") == row)
    drive.check("… the range", drive.script("queuescope.range()") == [3000, 70000])
    drive.check("… what is folded", drive.rows("^thread[0-9]") == 0)
    drive.check("… the filter", drive.rows("^queue[0-9]+$") >= 1
                and drive.find("#filter")[0].get_attribute("value") != "")
    drive.browser.execute_script("location.hash = '#5-9/F999/range=9-5/item=99999999/only=queue%20777/x=%E0%A4/%%%'")
    drive.settled()
    drive.check("an invalid link causes no error", drive.script("queuescope.range()") is None
                and drive.script("queuescope.selection()") == -1)
    drive.browser.execute_script("location.hash = '#1000-90000//item=1.5'; location.reload()")
    drive.wait_until_ready()
    view = drive.view()
    drive.check("a link with an invalid item selects no item", drive.script("queuescope.selection()") == -1
                and abs(view[0] - 1000) < 2 and abs(view[1] - 90000) < 2, str(view))
    drive.browser.execute_script("location.hash = ''; location.reload()")
    drive.wait_until_ready()


def goes_back(drive):
    """The browser's back button returns to the state before a click in the panel."""
    findings = drive.find("button.finding")
    if len(findings) < 2:
        return
    before = drive.script("queuescope.finding()")
    other = next(number for number in range(len(findings)) if f"F{number + 1}" != before)
    findings[other].click()
    drive.settled()
    drive.check("a click chooses another finding", drive.script("queuescope.finding()") == f"F{other + 1}")
    drive.browser.back()
    drive.settled()
    drive.check("back returns to the previous finding", drive.script("queuescope.finding()") == before)
