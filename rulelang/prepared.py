"""A linked program with all that playing it needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

from attrs import define, field, frozen

from rulelang import cache
from rulelang.engine.compiler.course import first_event
from rulelang.engine.compiler.facts import Facts
from rulelang.engine.compiler.handing import to_compiled
from rulelang.engine.compiler.machine import Stepper
from rulelang.engine.compiler.module import Module
from rulelang.engine.compiler.support import Doubt
from rulelang.engine.evaluate import Evaluators
from rulelang.engine.knowledge import Knowledge
from rulelang.engine.machine import Ready
from rulelang.engine.making import Making
from rulelang.engine.operations import prepare
from rulelang.engine.start import initial
from rulelang.judging import Judge
from rulelang.keeping import judging, keep, kept
from rulelang.program.linking import Linked
from rulelang.program.values import Value


@define
class _Start:
    """The slots in which games begin, worked out when the first one does."""

    slots: tuple[Value, ...] | None = None


@define
class Unseen:
    """Sessions that ended since somebody last looked into one, and not only at how many options
    there are."""

    games: int = 0


@frozen(eq=False)
class Prepared:
    """Everything about a linked program that its games share. Immutable."""

    linked: Linked
    evaluators: Evaluators
    ready: dict[str, Ready]
    knowledge: Knowledge
    judge: Judge
    key: str | None = None
    """The key of the game, mode, players and settings; None: nothing is kept of them."""
    unseen: Unseen = field(factory=Unseen, repr=False)
    _start: _Start = field(factory=_Start, repr=False)
    _playing: dict[Any, Module] = field(factory=dict, repr=False)

    @cached_property
    def stepping(self) -> Module:
        """The rules compiled, to be played step by step."""
        return self._playing.setdefault("stepping", self._kept(stepping=True))

    def playing(
        self,
        policy: str,
        counted: frozenset[tuple[str, str]] = frozenset(),
    ) -> Module:
        """The rules compiled, to be played through by a policy that answers in place.

        ``counted`` are the calls that are noted: what (rule, hook or end) and the name. It is noted
        who knows what only where rules depend on it, as that takes time.
        """
        key = policy, counted
        if key not in self._playing:
            self._playing[key] = self._kept(stepping=False, policy=policy, counted=counted)
        return self._playing[key]

    def playing_many(self, policy: str) -> Module:
        """The same for many games: they begin where they no longer go all alike, if they can."""
        key = "many", policy
        if key not in self._playing:
            late = self._kept(stepping=False, policy=policy, late=True)
            self._playing[key] = late if _opens(late) else self.playing(policy)
        return self._playing[key]

    @cached_property
    def ahead(self) -> Module | None:
        """The rules compiled, to be played by whoever is asked; None where nobody ever is."""
        if "play" not in self.facts.asked:
            return None
        late = self._kept(stepping=False, asking=True, late=True)
        if not _opens(late):
            late = self._kept(stepping=False, asking=True)
        return self._playing.setdefault("ahead", late)

    @cached_property
    def opened(self) -> Stepper:
        """A game at its first event, chance left open: what comes before is the same in all, and
        played by the reference interpreter. Raises Fault."""
        return to_compiled(first_event(self.stepping), self.stepping)

    @cached_property
    def making(self) -> Making:
        """What the making of every instruction needs."""
        return Making(self.linked, self.evaluators, self.ready, self.knowledge)

    @cached_property
    def facts(self) -> Facts:
        """What can be said of all rules."""
        return Facts(self.linked, self.making)

    def module(self, **how: Any) -> Module:
        """The rules, to be compiled anew as `Module` says, for nobody else."""
        return self._maker(how)()

    def _maker(self, how: dict[str, Any]) -> Callable[[], Module]:
        """What makes modules. They are gone when nobody has them any more: see `Keeper`."""
        common = self.evaluators, self.ready, self.making
        how = {"facts": self.facts, "judging": partial(judging, key=self.key), **how}
        return partial(Module, *common, **how)

    def _kept(self, **how: Any) -> Module:
        """The rules with what an earlier process has compiled of them."""
        parts = (repr(sorted(v) if isinstance(v, frozenset) else v) for v in how.values())
        return kept(cache.key_in(self.key, "code", *parts), self._maker(how))

    def keep(self) -> None:
        """Keep what was compiled, if it has become much more."""
        for module in tuple(self._playing.values()):
            if module.grown:
                module.grown = False
                keep(module)

    def initial(self) -> list[Value]:
        """The slots before the first rule runs: a new list. Raises Fault."""
        if self._start.slots is None:
            self._start.slots = tuple(initial(self.linked, self.evaluators))
        return list(self._start.slots)


def _opens(late: Module) -> bool:
    """Can games begin so late? Not if set-up has used up what is allowed up to a decision."""
    try:
        return late.course is not None and bool(late.opening)
    except Doubt:
        return False


def prepared(linked: Linked, game: str | None = None) -> Prepared:
    """Make a linked program ready to be played. What is compiled is kept by the key of the game."""
    options = (f"{name}={entry.key}" for name, entry in linked.options.items())
    key = cache.key_in(game, linked.mode, str(len(linked.players)), *options)
    evaluators = Evaluators(linked)
    knowledge = Knowledge(linked, evaluators)
    sound = cache.key_in(key, "prepared")
    if cache.fetch(sound) is None:
        evaluators.try_questions()
        cache.keep(sound, b"")  # the next time that may be put off
    ready = prepare(linked, evaluators, knowledge)
    judge = Judge(linked, evaluators, key)
    return Prepared(linked, evaluators, ready, knowledge, judge, key)
