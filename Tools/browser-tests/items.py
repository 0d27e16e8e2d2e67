"""Items: choosing one, and searching for them."""

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
        "  const track = r.key.includes('thread') ? t.trace.work(+m[1]) : t.trace.running(+m[1]);"
        "  for (let i = 0; i < track.length; i++) { const middle = (track.begins[i] + track.ends[i]) / 2;"
        "   const x = v.left + (middle - v.from) / (v.to - v.from) * v.width;"
        "   if (x > v.left + 5 && x < v.left + v.width - 5)"
        "    return [x, 28 + r.y - t.scroll() + (r.key.includes('thread') ? 9 : 18)]; } } return null; })()")
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
    drive.check("search counts what it found", "item" in drive.find("#search-status")[0].text,
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
    drive.check("search says when nothing is found", drive.find("#search-status")[0].text == "nothing found")
    field.send_keys(Keys.ESCAPE)
    drive.press(Keys.ESCAPE)
