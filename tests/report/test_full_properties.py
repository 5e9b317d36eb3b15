from hypothesis import given
from hypothesis import strategies as st

from rulelang.diagnostic import Note, Span, make
from rulelang.report import render_concise, render_full

FILES = st.sampled_from(["a", "b", "gone"])
TEXTS = st.text(st.sampled_from("ab \t\r\n日\u0301\u202e\x1b\ud800"), max_size=300)
NUMBERS = st.integers(0, 200)
SPANS = st.builds(Span, FILES, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
DIAGNOSTICS = st.builds(
    make,
    st.just("N201"),
    TEXTS,
    SPANS,
    help=st.none() | TEXTS,
    notes=st.lists(st.builds(Note, SPANS, TEXTS), max_size=5),
    label=TEXTS,
)


@given(DIAGNOSTICS, TEXTS, TEXTS)
def test_any_spans_over_any_text_give_harmless_rows(found, one, two) -> None:
    text = render_full([found], {"a": one, "b": two}, color=False)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert text.encode()
    assert text.startswith("error[N201]: ")


@given(DIAGNOSTICS)
def test_a_concise_line_is_one_line(found) -> None:
    assert len(render_concise([found]).splitlines()) == 1
