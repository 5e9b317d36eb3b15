"""What packs replace: a whole entry of the game, or of the pack, that a pack extends.

Layers are counted from the game: it is 0, the pack that extends it 1, a pack that extends that one
2. The entries of a layer are entered when those below it are known, whatever the order of files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from attrs import define, evolve, field

from rulelang.checker.context import Context, Key, plain
from rulelang.checker.headers import DECLARING
from rulelang.checker.wording import article
from rulelang.diagnostic import Note, Span, did_you_mean, suggest
from rulelang.program.values import Entry, figures
from rulelang.syntax import tree as t
from rulelang.syntax.vocabulary import OPENS_RULES_BOOK

if TYPE_CHECKING:
    from rulelang.checker.content import Draft

REPLACES = "replaces"
_KEYS_IN_WORDS = ("name", "letter")


# ---------------------------------------------------------------- the line


def behind(context: Context, line: t.Line, words: Collection[str]) -> t.Line | None:
    """The entry or table behind the word `replaces`; None if there is none, which is reported.

    ``words`` are those that entries begin with.
    """
    mark, *rest = line.words
    word = rest[0] if rest else mark
    if not rest or word.kind != "name":
        what = next(iter(words), "card")
        context.report(
            "C503",
            "nothing says which entry is replaced",
            mark.span,
            help=f"Write `replaces {what} …`, with its key and all that it is to hold.",
        )
        return None
    opens = word.text in OPENS_RULES_BOOK or word.text in DECLARING
    inner = _inner(context, word.text)
    if inner is not None:
        stands_inside(context, word.span, inner)
        return None
    if opens and plain(word.text) not in words:
        help = "A rule of the game is changed with `before`, `after` or `instead of`."
        message = f"entries are replaced, and `{word.text}` begins none"
        context.report("C510", message, word.span, help=help)
        return None
    known = plain(word.text) in words or plain(word.text).removesuffix("s") in words
    if known and context.layer(mark.span) == 0:
        context.report(
            "C510",
            "a game does not replace entries of its own",
            mark.span,
            help="Change the entry where it stands. A pack replaces those of what it extends.",
        )
    return evolve(line, words=tuple(rest))


def stands_inside(context: Context, span: Span, word: str, outer: str = "") -> None:
    """Report that only a part of an entry is to be replaced."""
    what = f"`replaces {outer} …`" if outer else "`replaces` and the entry that it stands in"
    context.report(
        "C510",
        f"{article(word)} stands inside an entry, and is not replaced alone",
        span,
        help=f"Replace the whole entry: write {what}, with all that it is to hold.",
    )


def _inner(context: Context, word: str) -> str | None:
    """The word, if it begins entries that stand inside others."""
    for kind in context.program.kinds.values():
        if not kind.key and plain(word) in map(plain, (kind.name, *kind.variants)):
            return plain(word)
    return None


# ---------------------------------------------------------------- the entries


def settle(context: Context, found: Iterable[Draft], drafts: dict[str, dict[Key, Draft]]) -> None:
    """Enter what was found into ``drafts``, by kind and key; reports what clashes."""
    settling = _Settling(context, drafts, frozenset(context.incomplete))
    for draft in sorted(found, key=lambda d: (settling.layer(d), d.replaces is not None)):
        settling.enter(draft)


@define
class _Settling:
    context: Context
    drafts: dict[str, dict[Key, Draft]]
    before: frozenset[str]
    """Kinds of which some entry could not be read, so that others may be missing."""
    names: dict[tuple[str, str], Draft] = field(factory=dict)
    """Drafts whose keys are words, by their plain names."""

    def layer(self, draft: Draft) -> int:
        return self.context.layer(draft.entry.span)

    def enter(self, draft: Draft) -> None:
        """One entry, when all before it are known."""
        known = self._known(draft)
        if draft.replaces is None:
            if known is None:
                self._keep(draft)
            else:
                self._clash(draft, known)
        elif self.layer(draft) == 0:
            if known is None:  # that it replaces was reported
                self._keep(draft)
        elif known is None:
            self._unknown(draft)
        elif self.layer(known) == self.layer(draft):
            self._own(draft, known)
        else:
            self._keep(self._in_place_of(draft, known))

    def _known(self, draft: Draft) -> Draft | None:
        """The entry of this key that holds so far.

        In content capitals and blanks do not count, so that a pack cannot tell keys apart by them.
        """
        kind, key = draft.kind.name, draft.entry.key
        known = self.drafts.get(kind, {}).get(key)
        if known is None and draft.kind.key in _KEYS_IN_WORDS:
            known = self.names.get((kind, plain(str(key))))
            if known is not None and self.layer(known) == self.layer(draft):
                return None
        return known

    def _keep(self, draft: Draft) -> None:
        self.drafts.setdefault(draft.kind.name, {})[draft.entry.key] = draft
        self.names.setdefault((draft.kind.name, plain(str(draft.entry.key))), draft)

    def _in_place_of(self, draft: Draft, known: Draft) -> Draft:
        """The draft under the key of what it replaces; the old names lead to it."""
        entry, old = draft.entry, known.entry
        text = old.label if entry.text == entry.label else entry.text
        first = old.replaced or old.span
        former = self.context.former.setdefault(draft.kind.name, [])
        former += [(name, old.key) for name in (old.text, old.label)]
        new = evolve(entry, key=old.key, label=old.label, text=text, replaced=first)
        self.names.pop((draft.kind.name, plain(str(old.key))), None)
        return evolve(draft, entry=new)

    # ------------------------------------------------------------ what is wrong

    def _clash(self, draft: Draft, known: Draft) -> None:
        """Two entries of one key."""
        shown = _shown(draft)
        if self.layer(known) == self.layer(draft):
            message, label = f"{shown} stands here twice", "the first one"
            help = "Change one of the two."
        else:
            message, label = f"{self._place(known)} has {shown} already", "it stands here"
            help = f"To replace it, write `replaces {shown} …`."
            if draft.row is not None:
                word = plain(draft.kind.name)
                help = f"To replace it, write the row below a line `replaces {word}s`."
        self._report("C502", message, draft, known, label, help)

    def _own(self, draft: Draft, known: Draft) -> None:
        shown = _shown(draft)
        if known.replaces is not None:
            message, label = f"{shown} is replaced twice", "the first time"
            help = "Leave out one of the two."
        else:
            message, label = f"{shown} is this pack's own", "it stands here"
            help = "Change it there. `replaces` is for entries of what the pack extends."
        self._report("C502", message, draft, known, label, help)

    def _report(
        self, code: str, message: str, draft: Draft, known: Draft, label: str, help: str
    ) -> None:
        span = _span(draft.entry)
        notes = [Note(_span(known.entry), label)]
        self.context.report(code, message, span, notes=notes, help=help)

    def _unknown(self, draft: Draft) -> None:
        """Nothing stands there that could be replaced."""
        kind = draft.kind.name
        if kind in self.before:
            return
        self.context.incomplete.add(kind)
        known = self.drafts.get(kind, {})
        near = [
            figures(other.entry.key)
            for other in known.values()
            if plain(draft.entry.text) == plain(other.entry.text)
        ] or suggest(figures(draft.entry.key), [figures(key) for key in known])
        message = f"what this pack extends has no {_shown(draft)}"
        help = did_you_mean(near) or "An entry of the pack's own stands without `replaces`."
        self.context.report("N201", message, _span(draft.entry), help=help)

    def _place(self, draft: Draft) -> str:
        layer = self.layer(draft)
        return f"pack `{self.context.program.packs[layer - 1].name}`" if layer else "the game"


def _span(entry: Entry) -> Span:
    assert entry.span is not None
    return entry.span


def _shown(draft: Draft) -> str:
    """The entry as content writes it: ``card 17``, ``sailor ada``."""
    word = draft.entry.variant or plain(draft.kind.name)
    return f"{word} {figures(draft.entry.key)}"
