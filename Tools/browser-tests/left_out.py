"""A page with items that were left out because of its size limit."""

from selenium.webdriver.common.keys import Keys


def says_where(drive):
    """The page reports where items were left out."""
    facts = drive.script("queuescope.trace.meta.trace")
    ranges = drive.script("queuescope.trace.leftOut.ranges()")
    drive.check("items were left out", facts["omittedItems"] > 0 and len(ranges) > 0, str(facts["omittedItems"]))
    summed = sum(entry["items"] for entry in ranges)
    drive.check("the ranges count every left-out item", summed == facts["omittedItems"],
                f"{summed} {facts['omittedItems']}")
    items = drive.script("queuescope.trace.items.count") + facts["omittedItems"]
    shown = "".join(filter(str.isdigit, drive.find("#facts")[0].text.split("·")[1]))
    drive.check("the page's title counts them", shown == str(items), drive.find("#facts")[0].text)
    drive.press(Keys.ESCAPE)
    drive.press("0")
    drive.check("the ruler has their number in view", "left out (--budget)" in drive.script("queuescope.svg()"))
    note = next(line for line in drive.find("#findings")[0].text.splitlines() if "within its size limit" in line)
    counts = [facts[name] for name in ("omittedItems", "omittedMarks", "omittedTasks", "omittedTaskSteps")]
    drive.check("the panel counts each kind of them", all(f"{count:,}" in note for count in counts if count), note)
    drive.shot("3-left-out")


def tells_of_a_place(drive):
    """A click on a pale place shows the number of left-out items."""
    place = drive.script(
        "(() => { const { leftOut, groupOf } = queuescope.trace;"
        " for (const queue of leftOut.queuePositions) {"
        "   const [range] = leftOut.ranges(queue);"
        "   if (range && queuescope.trace.running(queue).range(range.from, range.to).every((at, _, [first]) =>"
        "     at === first)) return { queue, from: range.from, to: range.to };"
        " } return null; })()")
    if not place:
        drive.check("no queue has a range without any item", True)
        return
    row = drive.script(f"queuescope.reveal('queue{place['queue']}')")
    drive.browser.execute_script(f"location.hash = '#{int(place['from'])}-{int(place['to'])}//scroll={int(row['y'])}'")
    drive.settled()
    placed = drive.script("queuescope.rows().find((each) => each.key === arguments[0])", row["key"])
    top = 28 + placed["y"] - drive.script("queuescope.scroll()")
    drive.click((drive.x((place["from"] + place["to"]) / 2), top + placed["height"] - 6))
    text = drive.find("#details")[0].text
    drive.check("a pale place reports the left-out items", "Left out of this file" in text and "--budget" in text, text)
    drive.press(Keys.ESCAPE)


def keeps_findings(drive):
    """The intervals around the costliest findings have every item."""
    facts = drive.script("queuescope.trace.meta.trace")
    full = [window for window in facts["windows"] if window[2] < facts["findingsInFull"]]
    drive.check("the costliest finding has all detail", facts["findingsInFull"] > 0 and full, str(facts["windows"]))
    begins = drive.script("Array.from(queuescope.trace.items.begin)")
    drive.check("its window has items", all(any(window[0] <= begin <= window[1] for begin in begins)
                                            for window in full[:1]))


def keeps_the_shape(drive):
    """The items of the page and the left-out items together have the busy time that the analysis counted."""
    apart = drive.script(
        "(() => { const { trace } = queuescope, apart = [];"
        " trace.queues.forEach((queue, index) => {"
        "   const busy = trace.groupOf.has(index) ? trace.running(index).depth.integral(trace.end * 2) : 0;"
        "   if (Math.abs(busy - queue.busy) > queue.busy * 0.02 + 20000)"
        "     apart.push([queue.label, busy, queue.busy]); });"
        " return apart; })()")
    drive.check("every queue is as busy as with all items", not apart, str(apart))
