"""What all passes of the checker share: the names of the game, and the diagnostics found so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from attrs import Factory, define, field, frozen

from rulelang.diagnostic import Diagnostic, Fix, Edit, Note, Span, did_you_mean, make, suggest
from rulelang.program.program import Citation, Program
from rulelang.program.types import BAD, Named, Type
from rulelang.program.values import Entry
from rulelang.syntax import tree as t


@frozen
class Origin:
    """Where a name was declared, and as what."""

    what: str
    span: Span


@define
class Context:
    """The checker's memory. Passes add to `program` and to `diagnostics`; nothing is ever removed."""

    program: Program = Factory(Program)
    diagnostics: list[Diagnostic] = Factory(list)
    origins: dict[str, Origin] = Factory(dict)
    """The shared namespace of questions, state, settings, types; rules have their own."""
    rule_nodes: dict[str, list[t.Rule]] = Factory(dict)
    define_nodes: dict[str, t.Define] = Factory(dict)
    values: dict[str, list[Entry]] = Factory(dict)
    """Values by the name that they are written with; several domains may share one."""
    moments: dict[str, t.Moment] = Factory(dict)
    scopes: dict[str, Span] = Factory(dict)
    used: set[tuple[str, str]] = Factory(set)
    unknown: dict[tuple[str, str], int] = Factory(dict)
    """Unknown names that were reported, and where in `diagnostics`: one report a name."""
    rank: dict[str, int] = field(factory=lambda: defaultdict(int))

    def report(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        help: str | None = None,
        notes: Iterable[Note] = (),
        fix: Fix | None = None,
        label: str = "",
    ) -> None:
        """Add a diagnostic."""
        self.diagnostics.append(
            make(code, message, span, help=help, notes=notes, fix=fix, label=label)
        )

    def report_unknown(
        self, name: str, span: Span, what: str, candidates: Iterable[str], *, code: str = "N201",
        article: str = "no", help: str | None = None,
    ) -> None:  # fmt: skip
        """Report a name that nothing declares: once a name, with the other places as notes."""
        key = (what, name)
        if key in self.unknown:
            place = self.unknown[key]
            known = self.diagnostics[place]
            if len(known.notes) < 3:
                more = Note(span, "and here")
                self.diagnostics[place] = make(
                    known.code, known.message, known.span, help=known.help,
                    notes=[*known.notes, more], fix=known.fix, label=known.label,
                )  # fmt: skip
            return
        self.unknown[key] = len(self.diagnostics)
        near = suggest(name, sorted(candidates))
        fix = Fix(f"Replace by `{near[0]}`", (Edit(span, near[0]),), safe=False) if len(near) == 1 else None
        self.report(
            code, f"there is {article} {what} `{name}`", span, help=help or did_you_mean(near), fix=fix
        )

    def use(self, what: str, name: str) -> None:
        """Note that a declared name is used somewhere."""
        self.used.add((what, name))

    def declare(self, name: t.Name, what: str) -> bool:
        """Enter a name into the shared namespace; report it if it is taken."""
        known = self.origins.get(name.text)
        if known is not None:
            self.report(
                "N202", f"`{name.text}` is declared twice", name.span,
                notes=[Note(known.span, f"the first, {known.what}, is here")],
                help="Two things of this sort cannot share a name; rename one.",
            )  # fmt: skip
            return False
        self.origins[name.text] = Origin(what, name.span)
        return True

    def cite(self, cites: t.Cites, what: str, name: str) -> tuple[str, ...]:
        """Record citations; the clauses' numbers."""
        for cite in cites:
            self.program.citations.append(Citation(cite.clause, what, name, cite.span))
        return tuple(cite.clause for cite in cites)

    def modes(self, names: tuple[t.Name, ...]) -> tuple[str, ...]:
        """The names of modes, each checked."""
        known = self.program.modes
        for name in names:
            if name.text not in known:
                self.report_unknown(name.text, name.span, "mode", known, code="N207")
        return tuple(name.text for name in names if name.text in known)

    def domain_type(self, name: str) -> Type:
        """The type of a domain's values."""
        return Named(name) if name in self.program.domains else BAD


def overlap(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Do two declarations meet in a mode? No modes means all of them."""
    return not one or not other or bool(set(one) & set(other))


def plain(text: str) -> str:
    """A name as it is compared in content: case, blanks, hyphens and underscores do not count."""
    return "_".join(text.replace("-", " ").replace("_", " ").split()).casefold()
