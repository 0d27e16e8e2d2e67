"""Findings and their evidence."""

import re

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys


def chooses_findings(drive):
    cards = drive.find("button.finding")
    drive.check("findings are listed as buttons", len(cards) == drive.script("queuescope.trace.findings.length"))
    if not cards:
        drive.check("an empty list states it", "No findings" in drive.find("#findings")[0].text)
        return
    drive.press(Keys.ESCAPE)
    drive.press("0")
    before = drive.view()
    cards[0].click()
    drive.settled()
    framed = drive.view()
    finding = drive.script("queuescope.trace.findings[0]")
    touches = framed[0] <= finding["end"] and framed[1] >= finding["begin"]
    drive.check("clicking a finding frames it", framed != before and touches, f"{before} {framed}")
    drive.check("its evidence opens", cards[0].get_attribute("aria-expanded") == "true" and "What to do." in
                drive.find(".proof:not([hidden])")[0].text)
    says_where_to_look(drive)
    names_code_briefly(drive, finding)
    pinned = drive.script("queuescope.rows()[0]")
    drive.check("its rows are pinned on top", pinned["key"] == "pinned" and finding["id"] in pinned["title"],
                str(pinned))
    drive.shot("3-first-finding")
    for number, card in enumerate(cards[1:5], start=2):
        before = drive.view()
        # By keyboard, as a reader without a mouse does.
        drive.browser.execute_script("arguments[0].focus()", card)
        ActionChains(drive.browser).send_keys(Keys.ENTER).perform()
        drive.settled()
        drive.check(f"finding {number} opens by keyboard", drive.script("queuescope.finding()") == f"F{number}"
                    and drive.colours() > 8)
        drive.shot(f"4-finding-{number}")
    for entry in drive.find(".proof:not([hidden]) .evidence button")[:1]:
        entry.click()
        drive.settled()
        drive.check("a piece of evidence can be visited", drive.view()[0] < drive.view()[1])


def opens_at_the_worst(drive):
    """Without an address the page opens with the costliest finding that is more than a note."""
    severities = drive.script("queuescope.trace.findings.map(({ severity }) => severity)")
    for notes in range(min(3, len(severities))):
        # Change the first findings to notes.
        drive.browser.execute_script(
            "queuescope.trace.findings.slice(0, arguments[0]).forEach((finding) => { finding.severity = 'info'; });"
            "history.replaceState(null, '', '#'); dispatchEvent(new PopStateEvent('popstate'))", notes)
        drive.settled()
        worst = next((place for place, severity in enumerate(severities) if place >= notes and severity != "info"), 0)
        wanted, opened = drive.script("[queuescope.trace.findings[arguments[0]].id, queuescope.finding()]", worst)
        drive.check(f"the page opens at the worst finding after {notes} notes", opened == wanted, opened)
    drive.browser.execute_script("location.hash = ''; location.reload()")
    drive.wait_until_ready()


def wraps_long_names(drive):
    """Long names wrap, so that no panel scrolls sideways."""
    buttons = drive.find("button.finding")
    if not buttons:
        return
    buttons[0].click()
    drive.settled()
    address = drive.script("queuescope.address()")
    for choice in (f"item={drive.script('queuescope.trace.items.count') // 2}", "range=1000-90000"):
        drive.browser.execute_script("location.hash = arguments[0]", f"{address}/{choice}")
        drive.settled()
        # Every text becomes a long symbol, except figures and heads of tables, which are short.
        wide = drive.script(
            "(() => { const name = 'specialized' + 'ManagedBuffer'.repeat(30), wide = [];"
            " document.querySelectorAll('aside details').forEach((each) => { each.open = true; });"
            " for (const panel of document.querySelectorAll('#findings, #details')) {"
            "   const texts = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT), kept = new Map();"
            "   while (texts.nextNode()) { const text = texts.currentNode, parent = text.parentElement;"
            "     if (getComputedStyle(parent).whiteSpace !== 'nowrap' && !parent.closest('thead'))"
            "       kept.set(text, text.nodeValue); }"
            "   for (const [text, old] of kept) { text.nodeValue = name;"
            "     if (panel.scrollWidth > panel.clientWidth) wide.push(`${text.parentElement.tagName} ${old}`);"
            "     text.nodeValue = old; } }"
            " return wide; })()")
        drive.check(f"long names wrap in the panels with {choice.split('=')[0]}", not wide, str(wide[:8]))
    drive.browser.execute_script("location.hash = ''; location.reload()")
    drive.wait_until_ready()


def says_where_to_look(drive):
    """Above a finding's rows are its sentence, a hint for the picture, and brackets over the clearest moment."""
    banner, framed = drive.script("queuescope.banner()"), drive.view()
    drive.check("the finding's sentence is drawn above its rows", " ".join(banner["lines"]) == banner["whole"]
                or banner["lines"][-1].count("…") == 1, str(banner["lines"]))
    drive.check("a hint explains the picture", len(banner["hint"]) > 20, banner["hint"])
    inside = [call for call in banner["callouts"] if framed[0] <= call["to"] and call["from"] <= framed[1]]
    drive.check("a bracket shows the cost in the frame", inside and inside == banner["callouts"],
                str(banner["callouts"]))


def keeps_every_word(drive):
    """On a narrow page the sentences above a finding's rows take more lines and are complete."""
    cards = drive.find("button.finding")
    if not cards:
        return
    size = {"width": 480, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    drive.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    drive.settled()
    for card in cards[:3]:
        card.click()
        drive.settled()
        banner = drive.script("queuescope.banner()")
        drive.check("a narrow page has every word of the finding", " ".join(banner["lines"]) == banner["whole"],
                    str(banner["lines"]))
        drive.check("and of the hint", "…" not in banner["hint"], banner["hint"])
    drive.shot("5-narrow")
    drive.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    drive.settled()


def shows_most_of_a_forest(drive):
    """A forest of queues is shown where most of its hierarchies have work."""
    place = drive.script("queuescope.trace.findings.findIndex(({ detector }) => detector === 'queue-forest')")
    if place < 0:
        return
    drive.find("button.finding")[place].click()
    drive.settled()
    texts = [callout["text"] for callout in drive.script("queuescope.banner()")["callouts"]]
    counts = re.findall(r"([\d,]+) of ([\d,]+) hierarchies", " ".join(texts))
    shown, all_of_them = [int(number.replace(",", "")) for number in counts[0]] if counts else (0, 1)
    drive.check("most hierarchies of a forest have work in the frame", shown * 2 > all_of_them, str(texts))


def shows_who_takes_part(drive):
    """A finding of many queues shows the queues with work in the frame; their group lists the worst first."""
    # The finding that opens first depends on the load of the machine.
    counts = drive.script("queuescope.trace.findings.map((finding) => finding.queues.length)")
    largest = counts.index(max(counts))
    if drive.script("queuescope.finding()") != f"F{largest + 1}":
        drive.find("button.finding")[largest].click()
        drive.settled()
    drive.check("there is a finding of many queues", counts[largest] >= 12, str(counts))
    idle = drive.script(
        "(() => { const { trace } = queuescope, { from, to } = queuescope.view();"
        " const inView = (intervals) => { const [first, last] = intervals.range(from, to); return last > first; };"
        " return queuescope.rows().filter((row) => row.key.startsWith('pinned queue')).map((row) => row.key)"
        "   .filter((key) => { const queue = Number(key.slice(12));"
        "     return !inView(trace.running(queue)) && !inView(trace.waiting(queue)); }); })()")
    drive.check("every pinned queue has work in the frame", not idle, str(idle))
    group = drive.script("queuescope.rows().find((row) => row.key.startsWith('group')).key")
    drive.script("(location.hash = `#0-${Math.round(queuescope.trace.end)}//folded=${arguments[0]}:0`)", group)
    drive.settled()
    waited = drive.script(
        "(() => { const keys = queuescope.rows().map((row) => row.key), first = keys.indexOf(arguments[0]) + 1;"
        " return keys.slice(first, first + 100)"
        "   .map((key) => queuescope.trace.queues[Number(key.slice(5))].waited); })()", group)
    drive.check("an unfolded group lists the worst first", len(waited) > 50 and waited == sorted(waited, reverse=True))


def names_code_briefly(drive, finding):
    """Code is named by file and line; the tooltip has the whole name."""
    places = drive.find(".proof:not([hidden]) .place, button.finding.chosen .place")
    drive.check("every short name of code has its whole name",
                all(place.get_attribute("title").endswith(f"{place.text})") for place in places))
    shown = drive.find(".proof:not([hidden]) .advice")[0]
    whole = drive.script(
        "[...arguments[0].childNodes].map((node) => node.title || node.textContent).join('')", shown)
    drive.check("texts are otherwise unchanged, except that numbers stay on the line of their unit",
                whole.replace("What to do. ", "", 1).replace("\u00a0", " ") == finding["advice"]
                and not re.search(r"\d (ns|µs|ms|s)\b", whole), whole)

def links_to_the_source(drive):
    """With --links, each place in the code is a link to its source, and no link is in a button."""
    drive.find("button.finding")[0].click()
    drive.settled()
    drive.browser.execute_script("document.querySelectorAll('.proof details').forEach((each) => { each.open = true; })")
    links = {link.text: link.get_attribute("href") for link in drive.find(".proof:not([hidden]) a.link")}
    wanted = re.compile(r"vscode://file/.*/Sources/NewsService/StateStore\.swift:\d+$")
    found = [url for text, url in links.items() if re.fullmatch(r"NewsService/StateStore\.swift:\d+", text)]
    drive.check("code is a link", found and all(wanted.match(url) for url in found), str(links))
    drive.check("a link has the line of its text", all(
        text.split(":")[-1] == url.split(":")[-1] for text, url in links.items()), str(links))
    drive.check("no link is in a button", not drive.find("button a"))
    drive.press("/")
    drive.find("#search")[0].send_keys("StateStore", Keys.ENTER)
    drive.settled()
    urls = [link.get_attribute("href") for link in drive.find("#details dl.facts a.link")]
    drive.check("the code of an item is a link", any(wanted.match(url) for url in urls), str(urls))
