"""Diagnostics of any content, as hypothesis makes them up: no file has to have such places."""

from hypothesis import strategies as st

from rulelang.diagnostic import CODES, Diagnostic, Edit, Fix, Note, Span, make

SIGNS = "ab \t\r\n:,%|`*_<>&\"'@#[]\\日\u0301\u202e\x1b\x00\x85\u2028\ufffe\ud800"
FILES = st.sampled_from(["a", "b/c d.rules", "gone", "<stdin>", "x:y,z%|`.rules", "\udce9.rules"])
TEXTS = st.text(st.sampled_from(SIGNS), max_size=60)
NUMBERS = st.integers(0, 20)
SPANS = st.builds(Span, FILES, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
FIXES = st.builds(
    Fix, TEXTS, st.lists(st.builds(Edit, SPANS, TEXTS), max_size=3).map(tuple), st.booleans()
)
DIAGNOSTICS: st.SearchStrategy[Diagnostic] = st.builds(
    make,
    st.sampled_from(sorted(CODES)),
    TEXTS,
    SPANS,
    help=st.none() | TEXTS,
    notes=st.lists(st.builds(Note, SPANS, TEXTS), max_size=3),
    fix=st.none() | FIXES,
    label=TEXTS,
)
LISTS = st.lists(DIAGNOSTICS, max_size=5)
SOURCES = st.dictionaries(FILES, TEXTS, max_size=3)
