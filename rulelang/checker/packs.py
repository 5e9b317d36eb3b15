"""What packs may not declare: names that the game has, or a pack that they extend.

A declaration of a taken name is reported and left out, so that the game stays what it is. What then
follows from it, wherever the pack uses the name, is not reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, evolve, field, frozen

from rulelang.checker.context import Context, overlap, plain
from rulelang.diagnostic import Diagnostic, Note, Span
from rulelang.syntax import tree as t

_HELP = "Give it another name. Of what it extends a pack replaces entries, and nothing else."
_HELPS = {
    "rule": "Give it another name. A rule of the game is changed with `before`, `after` or "
    "`instead of`.",
    "outcome": "Leave it out: a pack does not change who has won.",
    "scenario": "Give it another name.",
    "hook": "Give it another name.",
}


@frozen
class _Name:
    """A name that is declared: in which space, how it is written, and where it stands."""

    space: str
    text: str
    shown: str
    span: Span
    modes: tuple[str, ...] = ()
    word: str = ""
    """By which others speak of it, if they do."""


@define
class Taken:
    """The names that packs declare again, and the declarations that speak of them."""

    context: Context
    names: set[str] = field(factory=set)
    reported: list[Diagnostic] = field(factory=list)
    nodes: list[t.Declaration] = field(factory=list)

    def without(self, files: Sequence[t.File]) -> list[t.Declaration]:
        """What the files declare, the game's first, without names that are taken."""
        known: dict[tuple[str, str], list[_Name]] = {}
        layer = self.context.program.layer
        for file in sorted(files, key=lambda file: layer(file.name)):
            for node in file.declarations:
                kept = self._kept(node, known) if layer(file.name) else node
                for name in _names(node):
                    known.setdefault((name.space, plain_in(name)), []).append(name)
                if kept is not None:
                    self.nodes.append(kept)
        self.reported = list(self.context.diagnostics)
        return self.nodes

    def _kept(
        self, node: t.Declaration, known: dict[tuple[str, str], list[_Name]]
    ) -> t.Declaration | None:
        """The declaration of a pack, or what is left of it."""
        taken = [name for name in _names(node) if self._is_taken(name, known)]
        if not taken:
            return node
        if isinstance(node, t.State):
            spans = [name.span for name in taken]
            fields = tuple(f for f in node.fields if f.name.span not in spans)
            return evolve(node, fields=fields) if fields else None
        return None

    def _is_taken(self, name: _Name, known: dict[tuple[str, str], list[_Name]]) -> bool:
        """Is the name declared below the pack? Reports it."""
        program = self.context.program
        mine = program.layer(name.span.file)
        for other in known.get((name.space, plain_in(name)), ()):
            layer = program.layer(other.span.file)
            same = name.space == "kind" and name.text == other.text  # both are in the shared space
            if layer < mine and overlap(name.modes, other.modes) and not same:
                place = f"pack `{program.packs[layer - 1].name}`" if layer else "the game"
                self.context.report(
                    "N202",
                    f"{place} has {other.shown} already",
                    name.span,
                    notes=[Note(other.span, "it is declared here")],
                    help=_HELPS.get(name.space, _HELP),
                )
                if name.word:
                    self.names.add(plain(name.word))
                return True
        return False

    # ------------------------------------------------------------ what follows

    def forget_consequences(self) -> None:
        """Take back what was reported of a pack only because a name of it is taken."""
        if not self.reported:
            return
        context = self.context
        places = [_extent(n) for n in self.nodes if context.layer(n.span) and self._speaks(n)]
        context.diagnostics[:] = [
            found
            for found in context.diagnostics
            if found in self.reported
            or not (
                any(start <= found.span <= end for start, end in places)
                or (found.code == "N204" and context.layer(found.span))
            )
        ]

    def _speaks(self, node: t.Declaration) -> bool:
        """Does the declaration use a name that is taken?"""
        words: list[str] = []
        for inner in t.walk(node):
            if isinstance(inner, t.Name | t.Word):
                words.append(inner.text)
            elif isinstance(inner, t.Ref | t.NamedType):
                words.append(inner.name)
        text = f"_{plain(' '.join(words))}_"
        return any(f"_{name}_" in text for name in self.names)


def plain_in(name: _Name) -> str:
    """The name as it is compared: kinds are written in content, where capitals do not count."""
    return plain(name.text) if name.space == "kind" else name.text


def _extent(node: t.Node) -> tuple[Span, Span]:
    """The first and the last place of a declaration."""
    ends = [inner.span for inner in t.walk(node)]
    last = max((span.end_line, span.end_column) for span in ends)
    first = node.span
    return Span.point(first.file, first.line, first.column), Span(first.file, *last, *last)


# ---------------------------------------------------------------- names


def _names(node: t.Declaration) -> Iterator[_Name]:
    """What a declaration declares, but entries."""
    match node:
        case t.Rule():
            yield _in_modes(node.modes, _named("rule", "a rule", node.name))
        case t.Scenario():
            said = node.text.value
            yield _Name("scenario", said, f"a scenario “{said}”", node.text.span)
        case t.Outcome():
            yield _in_modes(node.modes, _Name("outcome", "", "an outcome", node.span))
        case t.Hook():
            if node.label is not None:
                target = f"{node.moment} {node.rule.text}"
                yield _named("hook", f"a hook of `{node.rule.text}` called", node.label, target)
        case t.State():
            per = getattr(node.per.type, "name", "") if node.per is not None else ""
            for written in node.fields:
                yield _named("" if node.per is None else "field", "a field", written.name, per)
        case t.Line():
            what = {"names": "a type", "die": "a die"}.get(node.words[0].text)
            if what is not None and len(node.words) > 1:
                yield _named("", what, t.Name(node.words[1].span, node.words[1].text))
        case t.Kind() | t.Setting() | t.Ending() | t.Moment() | t.Define() | t.Edge() | t.Routes():
            ruling = isinstance(node, t.Setting) and node.ruling
            what = "a ruling" if ruling else _WHAT[type(node)]
            yield _named("", what, node.name)
            if isinstance(node, t.Kind | t.Edge):
                yield _named("kind", what, node.name)


def _named(space: str, what: str, name: t.Name, owner: str = "") -> _Name:
    return _Name(
        space, f"{owner} {name.text}".strip(), f"{what} `{name.text}`", name.span, word=name.text
    )


def _in_modes(modes: Sequence[t.Name], name: _Name) -> _Name:
    return evolve(name, modes=tuple(mode.text for mode in modes))


_WHAT: dict[type[t.Node], str] = {
    t.Kind: "a kind",
    t.Setting: "a setting",
    t.Ending: "an ending",
    t.Moment: "a moment",
    t.Define: "a question",
    t.Edge: "a kind of edge",
    t.Routes: "a question",
}
