"""The colours of pictures, by the contrast that accessibility guidelines (WCAG 2) ask for."""

from __future__ import annotations

import re
from itertools import product

import pytest

from rulelang.drawing import svg

Colour = tuple[float, float, float]
MODES = {"light": 0, "dark": 1}
EACH = list(product(MODES, range(svg.HUES)))


def colour(text: str) -> Colour:
    red, green, blue = (int(text[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return red, green, blue


def over(paper: Colour, paint: str, opacity: float) -> Colour:
    red, green, blue = (
        below * (1 - opacity) + above * opacity
        for below, above in zip(paper, colour(paint), strict=True)
    )
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    def luminance(parts: Colour) -> float:
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    brighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("mode", MODES)
def test_text_can_be_read_on_paper(mode: str) -> None:
    n = MODES[mode]
    paper = colour(svg.PAPER[n])
    assert contrast(colour(svg.INK[n]), paper) >= 7
    assert contrast(colour(svg.FAINT[n]), paper) >= 4.5


@pytest.mark.parametrize(("mode", "hue"), EACH)
def test_text_can_be_read_on_tinted_ground(mode: str, hue: int) -> None:
    n = MODES[mode]
    paper = colour(svg.PAPER[n])
    area = over(paper, svg.HUE[hue][n], svg.AREA)
    grounds = [area, over(paper, svg.HUE[hue][n], svg.TINT)]
    grounds += [over(area, other[n], svg.AREA) for other in svg.HUE]
    for ground, words in product(grounds, (svg.INK[n], svg.FAINT[n])):
        assert contrast(colour(words), ground) >= 4.5


@pytest.mark.parametrize(("mode", "hue"), EACH)
def test_letters_can_be_read_on_pieces(mode: str, hue: int) -> None:
    n = MODES[mode]
    assert contrast(colour(svg.ON[n]), colour(svg.HUE[hue][n])) >= 4.5


@pytest.mark.parametrize(("mode", "hue"), EACH)
def test_lines_can_be_seen(mode: str, hue: int) -> None:
    n = MODES[mode]
    paper = colour(svg.PAPER[n])
    for line in (svg.HUE[hue][n], svg.LINE[n]):
        assert contrast(colour(line), paper) >= 3
        assert contrast(colour(line), over(paper, svg.HUE[hue][n], svg.AREA)) >= 3


def test_a_picture_carries_these_colours() -> None:
    light, _, dark = svg.STYLE.partition("@media screen and (prefers-color-scheme: dark)")
    for n, part in enumerate((light, dark)):
        for pair in (svg.PAPER, svg.INK, svg.FAINT, svg.LINE, svg.ON, *svg.HUE):
            assert pair[n] in part


def test_what_a_picture_says_of_its_looks_stays_in_it() -> None:
    selectors = re.findall(r"^([^@{}\n][^{}\n]*?) \{", svg.STYLE, re.MULTILINE)
    assert len(selectors) > 20
    assert all(each.startswith(".rulelang") for each in selectors)
