"""Colours: WCAG contrast of texts and shapes, and thread colours that differ with colour-vision deficiencies."""

import math

from selenium.webdriver.common.keys import Keys

# Colours on the backgrounds of the canvas. Texts need 4.5 : 1, graphics 3 : 1 (WCAG 2.2, 1.4.3 and 1.4.11, level AA).
TEXTS = ("strong", "text", "faint", "focus")
GRAPHICS = ("run", "wait", "blocked", "mark", "focus", "handoff")
# Machado, Oliveira and Fernandes 2009, full severity, on linear RGB.
DEFICIENCIES = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
# A CIE76 distance of 2.3 is just noticeable for adjacent areas. Bars are small and not adjacent, so they need more.
LEAST_DISTANCE = 15

# Every visible text of the page with its colour and the first opaque background behind it.
PAGE_TEXTS = """
(() => {
  const opaque = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/rgba\\(.*, 0\\)|transparent/.test(colour)) return colour;
    }
    return getComputedStyle(document.body).backgroundColor;
  };
  const found = new Map();
  for (const node of document.querySelectorAll('body *')) {
    const hasText = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!hasText || !node.checkVisibility() || node.closest('script, style, datalist, :disabled')) continue;
    const key = getComputedStyle(node).color + ' on ' + opaque(node);
    const example = node.tagName + '.' + node.className + ': ' + node.textContent.trim().slice(0, 30);
    if (!found.has(key)) found.set(key, example);
  }
  return [...found];
})()
"""


def rgb(text):
    """A CSS colour, #rrggbb or rgb(…), as four numbers from 0 to 1."""
    if text.startswith("#"):
        return [int(text[at:at + 2], 16) / 255 for at in (1, 3, 5)] + [1]
    numbers = [float(number) for number in text[text.index("(") + 1:-1].replace(",", " ").split()]
    return [number / 255 for number in numbers[:3]] + (numbers[3:] or [1])


def over(colour, ground):
    """A colour with alpha on an opaque background."""
    return [part * colour[3] + under * (1 - colour[3]) for part, under in zip(colour[:3], ground[:3])] + [1]


def linear(colour):
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]]


def contrast(one, other):
    """The contrast ratio of WCAG 2."""
    light = sorted(sum(part * weight for part, weight in zip(linear(colour), (0.2126, 0.7152, 0.0722)))
                   for colour in (one, other))
    return (light[1] + 0.05) / (light[0] + 0.05)


def lab(light):
    """Converts linear RGB to CIELAB."""
    def root(value):
        return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116
    x = root((0.4124 * light[0] + 0.3576 * light[1] + 0.1805 * light[2]) / 0.95047)
    y = root(0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2])
    z = root((0.0193 * light[0] + 0.1192 * light[1] + 0.9505 * light[2]) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def seen(colour, deficiency):
    light = linear(colour)
    return lab([min(1, max(0, sum(weight * part for weight, part in zip(row, light))))
                for row in DEFICIENCIES[deficiency]])


def contrasts(drive):
    """Computes all contrasts of both palettes, and of the page's texts in both themes."""
    for theme, palette in drive.script("queuescope.palettes").items():
        paper, band = rgb(palette["paper"]), rgb(palette["band"])
        pinned = over(rgb(palette["focusSoft"]), paper)
        marked = over(rgb(palette["focus"])[:3] + [0.13], paper)
        low = [(name, round(contrast(rgb(palette[name]), ground), 2)) for name in TEXTS
               for ground in (paper, band, pinned) if contrast(rgb(palette[name]), ground) < 4.5]
        drive.check(f"{theme}: texts of the canvas have 4.5 : 1", not low, str(low))
        shapes = {name: palette[name] for name in GRAPHICS}
        shapes.update({f"thread {number}": colour for number, colour in enumerate(palette["threads"])})
        low = [(name, round(contrast(rgb(colour), ground), 2)) for name, colour in shapes.items()
               for ground in (paper, pinned, marked) if contrast(rgb(colour), ground) < 3]
        drive.check(f"{theme}: shapes of the canvas have 3 : 1", not low, str(low))
        low = [name for name in ("strong", "focus") if contrast(paper, rgb(palette[name])) < 4.5]
        drive.check(f"{theme}: flags and brackets have 4.5 : 1", not low, str(low))
        low = [colour for colour in palette["threads"]
               if max(contrast(rgb(ink), rgb(colour)) for ink in palette["inks"]) < 4.5]
        drive.check(f"{theme}: labels in the bars have 4.5 : 1", not low, str(low))
        for deficiency in DEFICIENCIES:
            # Waiting and blocked are no threads.
            hues = [palette["wait"], palette["blocked"]] + palette["threads"]
            close = [(one, other) for at, one in enumerate(hues) for other in hues[:at] if at > 1
                     if math.dist(seen(rgb(one), deficiency), seen(rgb(other), deficiency)) < LEAST_DISTANCE]
            drive.check(f"{theme}: threads differ with the deficiency {deficiency}", not close, str(close))
    for theme in ("light", "dark"):
        drive.prefer(theme)
        if drive.find("button.finding"):
            drive.press("n")
        drive.press(".")
        texts = drive.script(PAGE_TEXTS)
        grounds = [(pair, example, contrast(*map(rgb, pair.split(" on ")))) for pair, example in texts]
        low = [entry for entry in grounds if entry[2] < 4.5]
        drive.check(f"{theme}: {len(texts)} kinds of text on the page have 4.5 : 1", len(texts) > 5 and not low,
                    str(low))
        drive.shot(f"13-{theme}")
    drive.prefer(drive.theme)


# The backgrounds of elements whose colour has a meaning, and the looks of chosen and other cards.
MEANT = ("[...document.querySelectorAll('#legend i, .parts span, .swatch, .badge')].map((node) => {"
         " const style = getComputedStyle(node); return style.backgroundColor + style.backgroundImage; })")
CARDS = ("[...document.querySelectorAll('button.finding, .proof:not([hidden]) .evidence button')].map((card) => {"
         " const style = getComputedStyle(card), isChosen = card.matches('.chosen, [aria-current]');"
         " return [isChosen, `${style.outlineStyle} ${style.outlineColor} ${style.borderColor}`]; })")


def keeps_high_contrast(drive):
    """With forced system colours, as in high contrast, no meaning depends on a colour that is replaced."""
    for theme in ("light", "dark"):
        drive.prefer(theme)
        for key in "ne.":
            drive.press(key)
        drive.browser.execute_script("document.getElementById('timeline').focus()")
        meant = drive.script(MEANT)
        drive.prefer(theme, forced="active")
        drive.settled()
        drive.check(f"{theme}: colours with a meaning stay in high contrast", len(meant) > 10
                    and drive.script(MEANT) == meant, f"{meant} {drive.script(MEANT)}")
        cards = drive.script(CARDS)
        looks = {chosen: {look for is_chosen, look in cards if is_chosen == chosen} for chosen in (True, False)}
        drive.check(f"{theme}: chosen cards stand out in high contrast", not looks[True] & looks[False], str(looks))
        drive.shot(f"18-high-contrast-{theme}")
    drive.prefer(drive.theme)
    drive.press(Keys.ESCAPE)
