"""The scheduler: threads on processors, and processors with threads."""


def shows_processors(drive):
    """Each processor has a row, whose intervals show the thread and the reason of the switch."""
    if not drive.script("queuescope.trace.processors.isRecorded"):
        drive.check("without context switches there are no processors", drive.rows("^processor[0-9]+$") == 0)
        return
    recorded = drive.script("queuescope.processors().size")
    if not recorded:
        drive.check("without the processor's number there are no processors", drive.rows("^processor[0-9]+$") == 0)
        return
    drive.check("each processor has a row", drive.rows("^processor[0-9]+$") == recorded)
    whole, parts = drive.script(
        "(() => { const { slices } = queuescope.trace; let whole = 0, parts = 0;"
        " for (const { begin, processor } of slices.threads.values())"
        "   for (let i = 0; i < begin.length; i++) if (processor[i] >= 0) whole++;"
        " for (const one of queuescope.processors().values()) parts += one.length; return [whole, parts]; })()")
    drive.check("every interval is on one of them", whole == parts and whole > 0, f"{whole} {parts}")
    row = drive.script("queuescope.reveal('processor' + [...queuescope.processors().keys()][0])")
    # Intervals close together were merged, so other intervals can cover the longest one.
    begin, end, threads = drive.script(
        "(() => { const [[, one]] = queuescope.processors(); let best = 0;"
        " for (let i = 0; i < one.length; i++)"
        "   if (one.ends[i] - one.begins[i] > one.ends[best] - one.begins[best]) best = i;"
        " const over = [];"
        " for (let i = 0; i < one.length; i++) if (one.begins[i] <= one.ends[best] && one.ends[i] >= one.begins[best])"
        "   over.push(queuescope.trace.labels.thread(one.threads[i]));"
        " return [one.begins[best], one.ends[best], over]; })()")
    drive.browser.execute_script(f"location.hash = '#{int(begin)}-{int(end) + 1}//scroll={int(row['y'])}'")
    drive.settled()
    top = drive.script("queuescope.rows().find((row) => row.key === arguments[0]).y", row["key"])
    drive.click((drive.x((begin + end) / 2), 28 + top - drive.script("queuescope.scroll()") + 14))
    text = drive.find("#details")[0].text
    drive.check("an interval shows its thread and its processor", "On processor" in text
                and any(thread in text for thread in threads), f"{text} {threads}")
    drive.shot("15-processor")
    drive.press("\ue00c")
    drive.browser.execute_script("location.hash = ''")
    drive.settled()


def hatches_system_calls(drive):
    """A worker that is blocked in a system call inside an item counts as blocked, as one that waits for a lock does."""
    missing, seen = drive.script(
        "(() => { const { trace } = queuescope, missing = []; let seen = 0;"
        " trace.sides.forEach((side) => { const { blocked } = queuescope.workers(side);"
        "   trace.threads.forEach((thread, number) => { if (!thread.worker || !side.hasThread(number)) return;"
        "     const off = trace.processors.off(number), work = trace.work(number);"
        "     for (let i = 0; i < off.length; i++) {"
        "       if (off.isPreempted[i] || off.ends[i] - off.begins[i] < 1e6) continue;"
        "       const middle = (off.begins[i] + off.ends[i]) / 2, [first, last] = work.range(middle, middle + 1);"
        "       if (first === last || work.ends[first] < middle) continue;"
        "       seen++; if (blocked.at(middle) < 1) missing.push(middle); } }); });"
        " return [missing.length, seen]; })()")
    drive.check(f"{seen} system calls in items of workers are hatched", missing == 0, f"{missing} of {seen}")
