"""Items: selection and search."""

import re

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys


def selects_items(drive):
    if drive.find("button.finding"):
        drive.find("button.finding")[0].click()
        drive.settled()
    else:
        drive.press("0")
    place = drive.script(
        "(() => { const t = queuescope, v = t.view(), rows = t.rows();"
        " for (const r of rows) { const m = /(?:queue|thread)(\\d+)$/.exec(r.key); if (!m) continue;"
        "  if (r.y - t.scroll() > 600) continue;"
        "  const isThread = r.key.includes('thread');"
        "  const track = isThread ? t.trace.work(+m[1]) : t.trace.running(+m[1]);"
        "  const marks = isThread ? t.trace.marksOfThread(+m[1]) : t.trace.marksOfQueue(+m[1]);"
        "  const place = time => v.left + (time - v.from) / (v.to - v.from) * v.width;"
        "  for (let i = 0; i < track.length; i++) { const x = place((track.begins[i] + track.ends[i]) / 2);"
        # A click near a mark selects the mark instead of the item.
        "   if (marks.some(mark => Math.abs(place(mark.time) - x) < 12)) continue;"
        "   if (x > v.left + 5 && x < v.left + v.width - 5)"
        "    return [x, 28 + r.y - t.scroll() + (isThread ? 9 : 18)]; } } return null; })()")
    drive.check("an item is in view", place is not None)
    if place is None:
        return
    canvas = drive.find("#timeline")[0]
    at = (place[0] - canvas.size["width"] / 2, place[1] - canvas.size["height"] / 2)
    ActionChains(drive.browser).move_to_element_with_offset(canvas, int(at[0]), int(at[1])).perform()
    drive.settled()
    drive.check("hovering an item shows what it is", drive.find("#tooltip")[0].is_displayed())
    drive.shot("5-hover")
    ActionChains(drive.browser).move_to_element_with_offset(canvas, int(at[0]), int(at[1])).click().perform()
    drive.settled()
    details = drive.find("#details")[0]
    drive.check("clicking an item shows its details", details.is_displayed() and "ran on" in details.text, details.text)
    drive.shot("6-details")
    drive.press("f")
    drive.press(Keys.ESCAPE)
    drive.check("Escape closes the details", not details.is_displayed())


def searches(drive):
    label = drive.script("queuescope.trace.queues[queuescope.trace.items.queue[0]].label")
    drive.press("/")
    field = drive.find("#search")[0]
    drive.check("/ goes to the search field", field == drive.browser.switch_to.active_element)
    field.send_keys(label[:40])
    drive.settled()
    drive.check("search counts the matches", "item" in drive.find("#search-status")[0].text,
                drive.find("#search-status")[0].text)
    field.send_keys(Keys.ENTER)
    drive.settled()
    first = drive.find("#search-status")[0].text
    field.send_keys(Keys.ENTER)
    drive.settled()
    drive.check("Enter walks the matches", " of " in first and drive.find("#details")[0].is_displayed(), first)
    drive.shot("7-search")
    field.send_keys("zzzzzz no such thing")
    drive.settled()
    drive.check("search reports that nothing is found", drive.find("#search-status")[0].text == "nothing found")
    field.send_keys(Keys.ESCAPE)
    finds_signposts(drive, field)
    drive.press(Keys.ESCAPE)


def finds_signposts(drive, field):
    """A search for a signpost's message, which no item has, finds the signpost."""
    found = drive.script("""(({ signposts, meta, queues }) => {
      const texts = [...meta.codes, ...queues.map(({ label }) => label)];
      const own = signposts.find(({ message }) => meta.strings[message]
        && !texts.some((text) => text.toLowerCase().includes(meta.strings[message].toLowerCase())));
      return own ? [meta.strings[own.message], meta.strings[own.name]] : null;
    })(queuescope.trace)""")
    if not found:
        return
    message, name = found
    drive.press("/")
    field.send_keys(message)
    drive.settled()
    drive.check("search finds signposts", "signpost" in drive.find("#search-status")[0].text,
                drive.find("#search-status")[0].text)
    field.send_keys(Keys.ENTER)
    drive.settled()
    details = drive.find("#details")[0]
    drive.check("and goes to them", details.is_displayed() and details.text.startswith(name), details.text)
    field.send_keys(Keys.ESCAPE)


def keeps_buttons_with_their_text(drive):
    """The buttons that step from the selected item stay on the line of their text."""
    groups = drive.script("[...document.querySelectorAll('.steps > span')].map((group) =>"
                          " [...group.querySelectorAll('button')].map((button) => button.offsetTop))")
    drive.check("the queue and the code have two buttons each, on the line of their text",
                [len(tops) for tops in groups] == [2, 2] and all(len(set(tops)) == 1 for tops in groups), str(groups))


def tells_its_story(drive):
    """The details of an item have its enqueuer, the parts of its wait and the items that it enqueued, with links."""
    drive.press(Keys.ESCAPE)
    drive.press(Keys.ESCAPE)
    drive.press("0")
    family = drive.script(
        "(() => { const t = queuescope.trace, r = queuescope.relations;"
        " for (let row = 0; row < t.items.count; row++) { const parent = t.items.parent[row];"
        "  if (parent >= 0) return { row, parent, children: [...r.offspring(parent)] }; } return null; })()")
    if family is None:
        return  # No item of this trace enqueued another.
    row, parent = family["row"], family["parent"]
    drive.check("a parent lists its child", row in family["children"], str(family))
    visit(drive, row)
    details = drive.find("#details")[0]
    drive.check("the details name the enqueuer", "Enqueued by" in details.text and "Ran " in details.text,
                details.text)
    parts = drive.script(
        "[...document.querySelectorAll('.parts span')].reduce((sum, s) => sum + parseFloat(s.style.width), 0)")
    drive.check("the parts of its wait fill the bar", not drive.find(".parts") or abs(parts - 100) < 0.1, str(parts))
    keeps_buttons_with_their_text(drive)
    drive.press("u")
    drive.check("U goes to the item that enqueued it", drive.script("queuescope.selection()") == parent)
    drive.shot("11-family")
    drive.press("i")
    drive.check("I goes to the first item that it enqueued",
                drive.script("queuescope.selection()") == family["children"][0])
    visit(drive, row)
    drive.find(".origin a.link")[0].click()
    drive.settled()
    drive.check("the link goes to the item that enqueued it", drive.script("queuescope.selection()") == parent)
    visit(drive, row)
    same = drive.script("[...queuescope.relations.itemsOfCode(queuescope.trace.shapeOf(arguments[0]).code)]", row)
    at = same.index(row)
    step = ("o", 1) if at + 1 < len(same) else ("O", -1)
    if len(same) > 1:
        drive.press(step[0])
        drive.check("O goes to the next run of the code", drive.script("queuescope.selection()") == same[at + step[1]])
    drive.press(Keys.ESCAPE)


def names_groups(drive):
    """Queues whose labels are numbers share a row, and its title has some of the numbers."""
    drive.script("(queuescope.trace.queues.forEach((queue, number) => { queue.label = String(number); }))")
    # The rows are built again. A group with the same first queue keeps its title.
    for address in ("#0-1000//folded=queues:1", "#0-1000"):
        drive.browser.execute_script("location.hash = arguments[0]", address)
        drive.settled()
    groups = drive.script("queuescope.rows().filter((row) => row.key.startsWith('group')).map((row) => row.title)")
    drive.check("a group of numbers names some of them", all(re.search(r"\w", title) for title in groups), str(groups))
    # Different labels without numbers, then equal labels.
    counts = []
    for label in ("'app.' + [...String(number)].map((digit) => 'abcdefghij'[digit]).join('')", "'app.stream'"):
        drive.script(f"(queuescope.trace.queues.forEach((queue, number) => {{ queue.label = {label}; }}))")
        for address in ("#0-1000//folded=queues:1", "#0-1000"):
            drive.browser.execute_script("location.hash = arguments[0]", address)
            drive.settled()
        counts.append(drive.rows("^queue[0-9]"))
    siblings = drive.script(
        "(() => { const counts = new Map(), { queues, groupOf } = queuescope.trace;"
        " queues.forEach((queue, index) => { if (groupOf.has(index) && !queues.some((one) => one.target === index))"
        "   counts.set(queue.target, (counts.get(queue.target) || 0) + 1); });"
        " return Math.max(0, ...counts.values()); })()")
    drive.check("queues with equal labels share a row", counts[1] < counts[0] or siblings < 4, f"{counts} {siblings}")
    drive.browser.execute_script("location.hash = ''; location.reload()")
    drive.wait_until_ready()


def filters_rows(drive):
    """A filter keeps the rows of the selected queue or thread, and related rows."""
    drive.press("0")
    before = drive.rows(".")
    row = drive.script("queuescope.trace.items.count") // 2
    visit(drive, row)
    drive.press("q")
    queue, thread = drive.script("(({ queue, thread }, row) => [queue[row], thread[row]])"
                                 "(queuescope.trace.items, arguments[0])", row)
    drive.check("Q keeps the item's queue", drive.rows(f"^queue{queue}$") == 1 and drive.rows(".") <= before)
    drive.check("… with the threads that ran it", drive.rows(f"^thread{thread}$") == 1)
    drive.shot("12-filter")
    drive.press("t")
    drive.check("T keeps the item's thread",
                drive.rows(f"^thread{thread}$") == 1 and drive.rows("^thread[0-9]+$") == 1)
    field = drive.find("#filter")[0]
    field.clear()
    field.send_keys("zzzz no such queue")
    drive.settled()
    drive.check("a filter without a match shows no row", drive.rows("^(queue|thread)[0-9]+$") == 0
                and "No queue" in drive.said(), drive.said())
    field.send_keys(Keys.ESCAPE)
    drive.settled()
    drive.press(Keys.ESCAPE)
    drive.check("Escape shows all rows again", drive.rows("^thread[0-9]+$") > 1
                or drive.script("queuescope.trace.threads.length") < 2)


def visit(drive, row):
    """Selects an item with a link."""
    drive.browser.execute_script(
        "const v = queuescope.view(); history.replaceState(null, '', '#');"
        " location.hash = `#${Math.round(v.from)}-${Math.round(v.to)}//item=${arguments[0]}`", row)
    drive.settled()
    drive.press("f")
