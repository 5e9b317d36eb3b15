"""What all passes of the checker share: the names of the game, and the diagnostics found so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction

from attrs import Factory, define, frozen

from rulelang.diagnostic import Diagnostic, Edit, Fix, Note, Span, did_you_mean, make, suggest
from rulelang.program.program import Citation, Program, Signature
from rulelang.program.types import Type
from rulelang.program.values import Domain, Entry, figures
from rulelang.program.values import plain as plain
from rulelang.syntax import tree as t

Key = str | int | Fraction


@frozen
class Origin:
    """Where a name was declared, and as what; ``span`` is None for names that every game has."""

    what: str
    span: Span | None


@define
class Context:
    """The checker's memory. Passes add to `program` and to `diagnostics`."""

    program: Program = Factory(Program)
    diagnostics: list[Diagnostic] = Factory(list)
    origins: dict[str, Origin] = Factory(dict)
    """The shared namespace of questions, state, settings, types; rules have their own."""
    rule_nodes: dict[str, list[t.Rule]] = Factory(dict)
    define_nodes: dict[str, t.Define | t.Routes] = Factory(dict)
    values: dict[str, list[Entry]] = Factory(dict)
    """Values by the name that they are written with; several domains may share one."""
    moments: dict[str, t.Moment] = Factory(dict)
    scopes: dict[str, t.Scope] = Factory(dict)
    """The labels of scopes, each with the first place where it is opened."""
    ending_subjects: dict[str, Type] = Factory(dict)
    """For whom an ending comes; an ending of the whole game is missing here."""
    sequences: list[tuple[tuple[str, Span, str], ...]] = Factory(list)
    """Instructions that follow each other in content: the rules they call, where, and as what."""
    used: set[tuple[str, str]] = Factory(set)
    unknown: dict[tuple[str, str], int] = Factory(dict)
    """Unknown names that were reported, and where in `diagnostics`: one report a name."""
    broken: set[str] = Factory(set)
    """Names whose declaration was reported: they may be anything, and fit everywhere."""
    incomplete: set[str] = Factory(set)
    """Domains of which some value was reported: others may be missing."""
    former: dict[str, list[tuple[str, Key]]] = Factory(dict)
    """By domain: names of entries that packs replaced, and under which keys the new ones stand."""
    _names: dict[str, tuple[tuple[Entry, ...], dict[str, Entry]]] = Factory(dict)
    _rules: dict[str, Signature] = Factory(dict)

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
        self,
        name: str,
        span: Span,
        what: str,
        candidates: Iterable[str],
        *,
        code: str = "N201",
        help: str | None = None,
    ) -> None:
        """Report a name that nothing declares: once a name, with the other places as notes."""
        key = (code, name)
        if key in self.unknown:
            self._again(self.unknown[key], span)
            return
        if name in self.broken:
            return
        self.unknown[key] = len(self.diagnostics)
        near = suggest(name, sorted(candidates))
        fix = None
        if len(near) == 1:
            fix = Fix(f"Replace by `{near[0]}`", (Edit(span, near[0]),), safe=False)
        help = did_you_mean(near) or help
        self.report(code, f"there is no {what} `{name}`", span, help=help, fix=fix)

    def _again(self, place: int, span: Span) -> None:
        known = self.diagnostics[place]
        if len(known.notes) < 3 and span != known.span:
            notes = [*known.notes, Note(span, "and here")]
            self.diagnostics[place] = make(
                known.code,
                known.message,
                known.span,
                help=known.help,
                notes=notes,
                fix=known.fix,
                label=known.label,
            )

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Whatever is reported, used or cited inside is forgotten afterwards."""
        diagnostics, unknown, used = list(self.diagnostics), dict(self.unknown), set(self.used)
        citations, scopes = len(self.program.citations), dict(self.scopes)
        yield
        self.diagnostics[:] = diagnostics
        self.unknown, self.used, self.scopes = unknown, used, scopes
        del self.program.citations[citations:]

    def layer(self, span: Span | None) -> int:
        """0 for a place in the game itself, 1 in the pack that extends it, and so on."""
        return 0 if span is None else self.program.layer(span.file)

    def use(self, what: str, name: str) -> None:
        """Note that a declared name is used somewhere."""
        self.used.add((what, name))

    def declare(self, name: t.Name, what: str) -> bool:
        """Enter a name into the shared namespace; report it if it is taken."""
        known = self.origins.get(name.text)
        if known is None:
            self.origins[name.text] = Origin(what, name.span)
            return True
        if known.span is None:
            self.report(
                "N203",
                f"`{name.text}` means {known.what} in every game",
                name.span,
                help="Choose another name.",
            )
        else:
            self.report(
                "N202",
                f"`{name.text}` is declared twice",
                name.span,
                notes=[Note(known.span, f"the first, {known.what}, is here")],
                help="Two things of this sort cannot share a name; rename one.",
            )
        return False

    def is_later(self, origin: Origin, span: Span) -> bool:
        """Does a pack declare the name, and something that it extends has used it before?"""
        return self.layer(origin.span) > self.layer(span)

    def report_later(self, name: t.Name, origin: Origin) -> None:
        """Report, once, that a pack declares what is a local name below it."""
        if origin.span is None or ("N203", name.text) in self.unknown:
            return
        self.unknown["N203", name.text] = len(self.diagnostics)
        self.report(
            "N203",
            f"`{name.text}` means something else in a rule of what this pack extends",
            origin.span,
            notes=[Note(name.span, "it is a local name here")],
            help="Choose another name.",
        )

    def cite(self, cites: t.Cites, what: str, name: str) -> tuple[str, ...]:
        """Record citations; the clauses' numbers."""
        for cite in cites:
            self.program.citations.append(Citation(cite.clause, what, name, cite.span))
        return tuple(cite.clause for cite in cites)

    def modes(self, names: tuple[t.Name, ...]) -> tuple[str, ...]:
        """The names of modes, each checked."""
        known = self.program.modes
        for name in names:
            if name.text not in known and "Mode" not in self.incomplete:
                self.report_unknown(name.text, name.span, "mode", known, code="N207")
        return tuple(name.text for name in names if name.text in known)

    # ------------------------------------------------------------ names as content writes them

    def names_of(self, domain: str) -> dict[str, Entry]:
        """The entries of a domain by every name they may be written with."""
        made = self.program.domains.get(domain, _NO_DOMAIN)
        known = self._names.get(domain)
        if known is None or known[0] is not made.entries:
            names = _names_of(made, self.former.get(domain, ()))
            known = self._names[domain] = made.entries, names
        return known[1]

    def rules_by_name(self) -> dict[str, Signature]:
        """The rules that content may call, by plain name."""
        if not self._rules:
            rules = self.program.signatures
            self._rules = {plain(name): rules[name] for name in rules if " " not in name}
        return self._rules


_NO_DOMAIN = Domain("")


def _names_of(domain: Domain, former: Iterable[tuple[str, Key]] = ()) -> dict[str, Entry]:
    names: dict[str, Entry] = {}
    for entry in domain.entries:
        names.setdefault(plain(entry.text), entry)
        names.setdefault(plain(entry.label), entry)
    for entry in domain.entries:
        names[plain(figures(entry.key))] = entry
    for name, key in former:
        if key in domain.by_key:
            names.setdefault(plain(name), domain.by_key[key])
    return names


def overlap(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Do two declarations meet in a mode? No modes means all of them."""
    return not one or not other or bool(set(one) & set(other))
