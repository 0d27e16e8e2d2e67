"""Tasks of Swift Concurrency: the life of a task, its parent and children, and the slowest tasks."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

ROW_OF_ACTOR = (
    "(() => { const t = queuescope.trace; for (let row = 0; row < t.items.count; row++)"
    " if (t.queues[t.items.queue[row]].kind === 'actor' && t.tasks.ofRow(row) >= 0"
    "  && t.items.end[row] > t.items.begin[row]) return row; return -1; })()")

# The waits for groups for which the page names another child than a plain search for the last one; group is 3 in
# AWAITS.
WRONG_ENDS_OF_GROUPS = (
    "(() => { const t = queuescope.trace.tasks, wrong = [];"
    " for (let p = 0; p < t.count; p++) for (const step of t.list[p].steps.filter(({ awaits }) => awaits === 3)) {"
    "  const until = (step.resumed >= 0 ? step.resumed : step.end) + 200, end = (child) => t.list[child].end;"
    "  const ended = t.children(p).filter((child) => t.list[child].group === step.object"
    "   && end(child) <= until && end(child) > step.begin - 200);"
    "  const last = ended.reduce((a, b) => a < 0 || end(b) > end(a) ? b : a, -1);"
    "  if (t.awaited(p, step) !== last) wrong.push([p, step.begin]);"
    " } return wrong; })()")


def starts_over(drive):
    for _ in range(4):
        drive.press(Keys.ESCAPE)
    drive.press("0")


def shows_a_life(drive):
    """The slowest task has a lane below all rows, without gaps in its life."""
    starts_over(drive)
    drive.check("there is no lane before a task is selected", drive.script("queuescope.lane()") is None)
    drive.press("z")
    task, slowest = drive.script("queuescope.task()"), drive.script("queuescope.trace.tasks.slowest[0]")
    drive.check("Z selects the slowest task", task == slowest, f"{task} {slowest}")
    details = drive.find("#details")[0]
    drive.check("its details show its life", "Lived" in details.text and "ran" in details.text, details.text)
    lane = drive.script("queuescope.lane()")
    pieces = lane["pieces"]
    drive.check("the lane's parts follow each other", all(
        abs(a["to"] - b["from"]) < 1 for a, b in zip(pieces, pieces[1:])), str(pieces[:6]))
    drive.check("the lane has runs and waits", {"run"} < {piece["what"] for piece in pieces}, str(pieces[:6]))
    said = drive.said()
    drive.check("the live region announces the selection", "task " in said and "lived" in said, said)
    drive.shot("task-life")
    longest = max(pieces, key=lambda piece: piece["to"] - piece["from"])
    drive.click((drive.x((longest["from"] + longest["to"]) / 2), lane["y"] + lane["height"] / 2))
    title = drive.find("#details h2")[0].text
    is_told = " ran" in title or " waited for " in title
    drive.check("a part of the lane has a title", title.startswith("Task ") and is_told, title)
    drive.check("a part of the lane keeps its task selected", drive.script("queuescope.task()") == task)
    drive.press("z")
    drive.check("Z again goes to the next slowest", drive.script("queuescope.task()")
                == drive.script("queuescope.trace.tasks.slowest[1 % queuescope.trace.tasks.slowest.length]"))
    drive.press(Keys.ESCAPE)
    drive.check("Escape removes the lane", drive.script("queuescope.lane()") is None)


def belongs_to_a_stretch(drive):
    """The details of an actor job name its task."""
    starts_over(drive)
    row = drive.script(ROW_OF_ACTOR)
    drive.check("an actor ran a task", row >= 0)
    drive.script(f"(queuescope.reveal('queue' + queuescope.trace.items.queue[{row}]), 0)")
    visit(drive, f"item={row}")
    details = drive.find("#details")[0]
    drive.check("an actor job names its task", "Part of" in details.text, details.text)
    drive.check("an actor job shows the lane of its task", drive.script("queuescope.lane()") is not None)
    task = drive.script("queuescope.task()")
    drive.press("x")
    drive.check("X goes from the job to its task", drive.script("queuescope.selection()") == -1
                and drive.script("queuescope.task()") == task)


def visit(drive, what):
    """Follows a link to a place in the page."""
    hash_ = drive.script("queuescope.address()").split("/")[0]
    drive.script(f"(location.hash = '{hash_}//{what}', 0)")
    drive.settled()
    drive.settled()


def shows_the_family(drive):
    """A task's details link to its parent and children; the child that it awaited last is marked."""
    starts_over(drive)
    family = drive.script(
        "(() => { const t = queuescope.trace.tasks; for (let p = 0; p < t.count; p++) {"
        "  const { last } = t.awaitedTasks(p);"
        "  if (last >= 0 && t.children(p).includes(last)) return { parent: p, last }; }"
        " return null; })()")
    drive.check("a task awaited one of its children", family is not None)
    if family is None:
        return
    drive.check("a wait for a group leads to the child that ended last", drive.script(WRONG_ENDS_OF_GROUPS) == [])
    visit(drive, "task=0.5")
    drive.check("a link with an invalid task selects none", drive.script("queuescope.task()") == -1)
    visit(drive, f"task={family['parent']}")
    details = drive.find("#details")[0]
    drive.check("a link restores a task", drive.script("queuescope.task()") == family["parent"])
    drive.check("a task lists its children", any(f"Created {digit}" in details.text for digit in "123456789"),
                details.text)
    drive.check("the critical path is shown", "Critical path through its tasks" in details.text, details.text)
    marked = drive.find("#details .critical")
    drive.check("one child is marked", len(marked) == 1 and "awaited last" in marked[0].text, details.text)
    drive.shot("task-family")
    more = drive.find("#all-children")
    if more:
        listed = len(drive.find(".task-children li"))
        more[0].click()
        drive.settled()
        drive.check("all children can be listed", len(drive.find(".task-children li")) > listed)
    link = drive.find("#details .critical a")[0]
    drive.browser.execute_script("arguments[0].focus()", link)
    ActionChains(drive.browser).send_keys(Keys.ENTER).perform()
    drive.settled()
    drive.check("Enter follows the link to a child", drive.script("queuescope.task()") == family["last"])
    drive.check("its address names it", f"task={family['last']}" in drive.script("queuescope.address()"))
    drive.press("u")
    drive.check("U goes up to the parent", drive.script("queuescope.task()") == family["parent"])
    drive.press("i")
    drive.check("I goes to the task that it awaited last", drive.script("queuescope.task()") == family["last"])
    drive.press(".")
    first = drive.find("#details h2")[0].text
    drive.press(".")
    drive.check("full stop goes through its steps", drive.find("#details h2")[0].text != first
                or drive.said().startswith("That was"), first)


def finds_tasks(drive):
    """The search finds tasks by number and function, and the list has the slowest tasks."""
    starts_over(drive)
    label = drive.script("queuescope.trace.tasks.label(queuescope.trace.tasks.slowest[0])")
    drive.press("/")
    field = drive.find("#search")[0]
    field.send_keys(label.split(",")[0] + ",")
    drive.settled()
    drive.check("search finds the items of a task", "item" in drive.find("#search-status")[0].text,
                drive.find("#search-status")[0].text)
    field.send_keys(Keys.ESCAPE)
    placed = drive.script("queuescope.reveal('slowest task' + queuescope.trace.tasks.slowest[0])")
    drive.check("the list of rows has the slowest tasks", placed is not None)
    drive.settled()
    drive.click((60, 28 + placed["y"] - drive.script("queuescope.scroll()") + 10))
    drive.check("a click on its label selects the task",
                drive.script("queuescope.task()") == drive.script("queuescope.trace.tasks.slowest[0]"))
    drive.shot("task-list")


def shows_lanes_first(drive):
    """A finding about tasks shows the lanes of the tasks in its evidence."""
    starts_over(drive)
    drive.press("n")
    keys = drive.script("queuescope.rows().map((row) => row.key)")
    drive.check("a finding about tasks shows lanes of tasks", any(key.startswith("pinned task") for key in keys[:3]),
                str(keys[:6]))
    drive.shot("task-finding")
