"""Two traces in one page: the trace before a change is above the trace after it."""

from selenium.webdriver.common.keys import Keys


def opens(drive):
    drive.wait_until_ready()
    drive.check("the page opens", not drive.find("#failure")[0].is_displayed(), drive.find("#failure")[0].text)
    rows = {row["key"]: row["y"] for row in drive.script("queuescope.rows()")}
    drive.check("both traces have queues", "queuesBefore" in rows and "queuesAfter" in rows, str(list(rows)[:20]))
    drive.check("the trace before is above the trace after", rows["queuesBefore"] < rows["queuesAfter"])
    durations = drive.script("queuescope.trace.sides.map((side) => side.duration)")
    drive.check("both traces share one time scale", drive.view()[0] <= 0 and drive.view()[1] >= max(durations),
                f"{drive.view()} {durations}")
    drive.shot("1-opened")


def says_what_changed(drive):
    """The headline and the cards agree with the changes of the findings."""
    changes = drive.script("queuescope.trace.findings.map((finding) => finding.change)")
    drive.check("every finding has a change", set(changes) <= {"new", "worse", "same", "gone"}, str(changes))
    note = drive.script("queuescope.banner().whole")
    for change, text in (("gone", "gone"), ("same", "still there"), ("new", "new")):
        count = changes.count(change)
        drive.check(f"the headline counts the findings that are {text}",
                    f"{count or 'none'} {'is' if count < 2 else 'are'} {text}" in note, note)
    ids = drive.script("queuescope.trace.findings.map((finding) => finding.id)")
    badges = drive.script("[...document.querySelectorAll('button.finding .badge')].map((badge) => badge.textContent)")
    drive.check("no two findings have the same id", badges == ids and len(set(ids)) == len(ids), f"{badges} {ids}")
    shown = [label.text for label in drive.find("button.finding .change")]
    titles = {"new": "new", "worse": "worse", "same": "still there", "gone": "gone"}
    drive.check("each card shows its change", shown == [titles[change] for change in changes], f"{shown} {changes}")


def chooses_findings(drive):
    """A finding pins rows of its own trace only."""
    finding = drive.script("queuescope.trace.findings[0]")
    drive.find("button.finding")[0].click()
    drive.settled()
    drive.check("a finding of either trace is framed", drive.script("queuescope.finding()") == finding["id"]
                and finding["begin"] <= drive.view()[1] and finding["end"] >= drive.view()[0], str(drive.view()))
    side = drive.script("queuescope.trace.sideOfFinding(queuescope.trace.findings[0])")
    pinned = [row["key"] for row in drive.script("queuescope.rows()") if row["key"].startswith("pinned ")]
    foreign = [key for key in pinned for kind in ("queue", "thread") if key.startswith(f"pinned {kind}")
               and not side[kind + "s"]["from"] <= int(key[len(f"pinned {kind}"):]) < side[kind + "s"]["to"]]
    drive.check("its rows belong to its trace", pinned and not foreign, f"{pinned} {side['name']}")
    drive.shot("2-finding")
    drive.press(Keys.ESCAPE)
    drive.check("Escape shows both traces again", drive.script("queuescope.finding()") is None
                and "gone" in drive.script("queuescope.banner().whole"))


def tells_of_both(drive):
    """Items, ranges and links work for both traces."""
    for side in drive.script("queuescope.trace.sides"):
        row = side["rows"]["from"]
        drive.browser.execute_script(f"location.hash = '#0-100000000//item={row}'")
        drive.settled()
        thread = drive.script("queuescope.trace.labels.thread(queuescope.trace.items.thread[arguments[0]])", row)
        drive.check(f"an item {side['name'].lower()} shows its details", drive.script("queuescope.selection()") == row
                    and thread in drive.find("#details")[0].text, drive.find("#details")[0].text[:200])
        queues = drive.script(f"queuescope.tables(0, {side['duration']}).queues")
        own = [entry["key"] for entry in queues
               if side["queues"]["from"] <= entry["key"] < side["queues"]["to"]]
        drive.check(f"a range has the queues {side['name'].lower()}", len(own) > 0)
    drive.browser.execute_script("location.hash = ''")
    drive.settled()


def keeps_them_apart(drive):
    """No entry of one trace refers to the other trace."""
    wrong = drive.script(
        "(() => { const { trace } = queuescope, { items } = trace; let wrong = 0;"
        " for (const side of trace.sides) for (let row = side.rows.from; row < side.rows.to; row++) {"
        "   const parent = items.parent[row], enqueuer = items.enqueuer[row];"
        "   if (!side.hasQueue(items.queue[row]) || !side.hasThread(items.thread[row])"
        "     || (parent >= 0 && !side.hasRow(parent)) || (enqueuer >= 0 && !side.hasThread(enqueuer))) wrong++; }"
        " return wrong; })()")
    drive.check("no item refers to the other trace", wrong == 0, str(wrong))
    wrong = drive.script(
        "(() => { const { items } = queuescope.trace; let wrong = 0;"
        " for (let row = 0; row < items.count; row++) {"
        "   const wait = items.begin[row] - items.enqueued[row];"
        "   if (wait > 0 && queuescope.waitParts(row).reduce((a, b) => a + b) !== wait) wrong++; }"
        " return wrong; })()")
    drive.check("the parts of every wait sum to it", wrong == 0, str(wrong))
    paths = drive.script(
        "queuescope.trace.sides.map((side) => side.criticalPath.segments.every(({ row, queue, thread }) =>"
        " (row < 0 || side.hasRow(row)) && (queue < 0 || side.hasQueue(queue))"
        " && (thread < 0 || side.hasThread(thread))))")
    drive.check("each trace has its own critical path", paths == [True, True], str(paths))
