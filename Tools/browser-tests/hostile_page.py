"""Writes hostile texts into every string of a timeline's data."""

import base64
import json
import pathlib
import re

# Possible queue labels of a traced program: markup, quotes, templates, control and direction characters.
TEXTS = [
    "</script><script>window.pwned = 1</script>",
    "<img src=x onerror='window.pwned = 2'>",
    "\"><svg onload=window.pwned=3><!--",
    "'; window.pwned = 4; //",
    "{{program}} ${window.pwned = 5} `${7 * 7}`",
    "javascript:window.pwned=6",
    "\u0000\u0007\u001b[31m\r\n\t\u007f\u0085",
    "\u202egnp.exe\u202c \u2066isolated\u2069 \u200f\u061c",
    "\ufeff\u2028\u2029 ]]> -->",
    "e\u0301" * 40 + "\u0e49" * 60 + "👩‍👩‍👧‍👦",
]
LONG = "x" * 9_990 + "<b>end</b>"
# These strings come from the analyser itself and control the page.
KEPT = {"id", "detector", "unixNanoseconds", "severity", "kinds", "scene", "callout"}


def hostile(value, counter):
    """A copy of a JSON value with a hostile text at the end of each string."""
    if isinstance(value, str):
        counter[0] += 1
        return value + (LONG if counter[0] % 97 == 1 else TEXTS[counter[0] % len(TEXTS)])
    if isinstance(value, list):
        return [hostile(entry, counter) for entry in value]
    if isinstance(value, dict):
        return {key: entry if key in KEPT else hostile(entry, counter) for key, entry in value.items()}
    return value


def sections(data):
    """The sections of the binary in their order: tag and content."""
    found, position = [], 8
    while position < len(data):
        tag, length = data[position:position + 4], int.from_bytes(data[position + 4:position + 8], "little")
        found.append((tag, data[position + 8:position + 8 + length]))
        position += 8 + length
    return found


def write(source, target):
    """Writes the hostile page; returns how many strings it changed."""
    page = pathlib.Path(source).read_bytes()
    match = re.search(rb'(<div id="trace-data" hidden>)(.*?)(</div>)', page, re.DOTALL)
    pieces = match[2].removeprefix(b"<!--").removesuffix(b"-->").split(b"--><!--")
    data, counter = b"".join(map(base64.b64decode, pieces)), [0]
    result = data[:8]
    for tag, content in sections(data):
        if tag == b"META":
            content = json.dumps(hostile(json.loads(content), counter), ensure_ascii=False).encode()
            # Bytes that are not UTF-8, as a label can contain: a lone continuation byte and a truncated sequence.
            content = content.replace(b"x" * 50, b"x\x80\xff\xc3" + b"x" * 46, 3)
        result += tag + len(content).to_bytes(4, "little") + content
    pathlib.Path(target).write_bytes(
        page[:match.start(2)] + b"<!--" + base64.b64encode(result) + b"-->" + page[match.end(2):])
    return counter[0]
