"""Opening, zooming, panning, the help, and a link that restores the view."""

import re

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.keys import Keys


def opens(drive):
    drive.wait_until_ready()
    drive.check("the page opens", not drive.find("#failure")[0].is_displayed(), drive.find("#failure")[0].text)
    drive.check("the canvas is not blank", drive.colours() > 8, f"{drive.colours()} colours")
    drive.check("queues have rows", drive.rows("queue|group|domain") > 0)
    drive.check("threads have rows", drive.rows("thread[0-9]") > 0)
    drive.shot("1-opened")


def zooms_and_pans(drive):
    canvas = drive.find("#timeline")[0]
    before = drive.view()
    origin = ScrollOrigin.from_element(canvas, 150, 0)
    ActionChains(drive.browser).scroll_from_origin(origin, 0, -240).perform()
    drive.settled()
    after = drive.view()
    drive.check("the wheel zooms in", after[1] - after[0] < (before[1] - before[0]) * 0.9, f"{before} {after}")
    for key, name, test in [
            ("w", "W zooms in", lambda a, b: b[1] - b[0] < a[1] - a[0]),
            ("s", "S zooms out", lambda a, b: b[1] - b[0] > a[1] - a[0]),
            ("d", "D moves right", lambda a, b: b[0] > a[0]),
            ("a", "A moves left", lambda a, b: b[0] < a[0]),
            (Keys.ARROW_RIGHT, "→ moves right", lambda a, b: b[0] > a[0]),
            ("+", "+ zooms in", lambda a, b: b[1] - b[0] < a[1] - a[0]),
            ("-", "- zooms out", lambda a, b: b[1] - b[0] > a[1] - a[0])]:
        before = drive.view()
        drive.press(key)
        drive.check(name, test(before, drive.view()), f"{before} {drive.view()}")
    before = drive.view()
    ActionChains(drive.browser).move_to_element_with_offset(canvas, 200, 100).click_and_hold().move_by_offset(-90, 0) \
        .release().perform()
    drive.settled()
    drive.check("dragging pans", drive.view()[0] > before[0], f"{before} {drive.view()}")
    drive.press("0")
    whole = drive.view()
    begin, end = drive.script("[queuescope.trace.begin, queuescope.trace.end]")
    drive.check("0 shows the whole trace", whole[0] <= begin and whole[1] >= end, f"{whole} {begin} {end}")
    drive.shot("2-whole")
    overview = drive.find("#overview")[0]
    drive.press("w")
    drive.press("w")
    before = drive.view()
    ActionChains(drive.browser).move_to_element_with_offset(overview, 126, 0).click_and_hold().move_by_offset(60, 0) \
        .release().perform()
    drive.settled()
    drive.check("the overview's window can be dragged", drive.view() != before, f"{before} {drive.view()}")


def keeps_one_unit(drive):
    """The ruler uses one unit, also when the view extends beyond one of the next larger unit."""
    for end in ("1.4e6", "1.4e9", "queuescope.trace.end"):
        drive.script(f"(location.hash = `#0-${{Math.round({end})}}`)")
        drive.settled()
        texts = re.findall(r'<text x="[^"]*" y="12"[^>]*>(-?[0-9.]+)\u00a0(µs|ms|s)<', drive.script("queuescope.svg()"))
        places = {len(number.partition(".")[2]) for number, _ in texts}
        drive.check(f"a ruler up to {end} has one unit", len(texts) > 2 and len({unit for _, unit in texts}) == 1
                    and len(places) == 1, str(texts))
    drive.press("0")


def shows_a_part(drive):
    """A part from the middle of a trace: the axis shows only the part, and times count from the trace's begin."""
    drive.press("0")
    (first, last), (begin, end) = drive.view(), drive.script("[queuescope.trace.begin, queuescope.trace.end]")
    drive.check("the part begins in the middle", begin > 0 and begin > (end - begin) / 2, f"{begin} {end}")
    margin = (end - begin) / 10
    drive.check("the axis shows only the part",
                begin - margin < first <= begin and end <= last < end + margin, f"{first} {last} {begin} {end}")
    drive.script(f"(location.hash = '#{int(first)}-{int(last)}//range=0-{int(end * 9)}')")
    drive.settled()
    drive.check("a range ends with the part", drive.script("queuescope.range()") == [begin, end],
                str(drive.script("queuescope.range()")))
    drive.press(Keys.ESCAPE)
    shares = re.findall(r">([0-9.]+)% with this program<", drive.script("queuescope.svg()"))
    drive.check("no processor is busier than it can be", all(float(share) <= 100 for share in shares), str(shares))
    drive.shot("1-part")
    # Pretend that the finding began with the trace, before the part.
    drive.script("(queuescope.trace.findings[0].begin = 0)")
    drive.press("n")
    strip = drive.script(
        "(() => { const canvas = document.getElementById('overview'), { left } = queuescope.view();"
        " return [...new Set(canvas.getContext('2d').getImageData(0, 2, left - 4, 6).data)]; })()")
    drive.check("the overview draws no finding over its labels", len(strip) <= 4, str(strip))


def ends_with_the_trace(drive):
    """Nothing is drawn after the trace's end, for example workers that still existed."""
    end, most = drive.script("[queuescope.trace.end, queuescope.trace.end - queuescope.trace.begin]")
    drive.browser.execute_script(f"location.hash = '#{int(end + most * 0.005)}-{int(end + most * 0.02)}'")
    drive.settled()
    keys = drive.script("queuescope.rows().map((row) => row.key)")
    for key in (key for key in keys if key.startswith(("workers", "queue", "thread"))):
        drive.script("queuescope.reveal(arguments[0])", key)
        shapes = re.findall(r'<path d="M([^"]+)" fill="(#[0-9a-f]+|url)', drive.script("queuescope.svg()"))
        if shapes:
            break
    drive.check("nothing is drawn after the end", not shapes, f"{key} {shapes[:3]}")
    drive.browser.execute_script("location.hash = ''")
    drive.settled()


def helps(drive):
    drive.press("?")
    drive.check("? opens the help", drive.find("#help")[0].is_displayed())
    drive.shot("8-help")
    drive.press("?")
    drive.check("? closes the help", not drive.find("#help")[0].is_displayed())


def stays_quiet(drive):
    errors = [entry["message"] for entry in drive.browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    drive.check("there are no errors in the console", not errors, "\n      ".join(errors))
    requests = [entry["message"] for entry in drive.browser.get_log("performance")
                if '"Network.requestWillBeSent"' in entry["message"] and '"url":"http' in entry["message"]]
    drive.check("nothing is loaded from anywhere", not requests, str(requests[:2]))
