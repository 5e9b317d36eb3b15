"""Places of the state and the cards in them, as Python source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulelang.engine.making import form_of
from rulelang.engine.moving import origin_marks
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.linking import MARKS

if TYPE_CHECKING:
    from rulelang.engine.compiler.rule import Rule


def slot(rule: Rule, place: i.Place) -> str:
    """The source of the number of a place's slot."""
    linked = rule.module.linked
    base = linked.bases.get(place.field)
    if base is None:
        return "items.absent"
    if place.owner is None:
        return str(base)
    size = linked.sizes[place.field]
    owner = rule.simple(place.owner)
    if isinstance(owner, x.Const):
        return str(base + owner.value.index) if owner.value.index < size else "items.absent"
    index = f"{rule.expressions.text(owner)}.index"
    if place.owner_domain == "Player" and rule.module.facts.has_strangers:
        index = f"within({index}, 0, {size - 1})"
    return f"{base} + {index}" if base else index


def words(rule: Rule, place: i.Place) -> str:
    """The source of the name of a pile's random words, or where games are played through of their
    number."""
    name = f"pile:{place.field}"
    stepping, numbers = rule.module.stepping, rule.module.facts.words
    if place.owner is None:
        return repr(name) if stepping else str(numbers.get(name, "items.absent"))
    owner = rule.simple(place.owner)
    if isinstance(owner, x.Const):
        label = f"{name}:{owner.value.label}"
        return repr(label) if stepping else str(numbers.get(label, "items.absent"))
    if stepping:
        return f"f'{name}:{{{rule.expressions.text(owner)}.label}}'"
    linked = rule.module.linked
    field = linked.program.state[place.field]
    first = numbers[f"{name}:{linked.owners(field)[0].label}"]
    return f"{first} + {slot(rule, place)} - {linked.bases[place.field]}"


def put(
    rule: Rule, place: i.Place, end: str, card: str = "c", *, at: str | None = None
) -> Iterator[str]:
    """Lines that put a card into a zone, whose slot may be known already."""
    at, form = at or slot(rule, place), form_of(place)
    if not at.isdigit():
        yield f"to = {at}"
        at = "to"
    if form != "pile" and rule.module.in_place:
        if form == "row":
            yield f"s[{at}].insert(0, {card})" if end == "left" else f"s[{at}].append({card})"
            return
        yield f"z = s[{at}]"
        yield f"if not z or z[-1].index <= {card}.index: z.append({card})"
        yield f"else: insort(z, {card}, key=by_index)"
    elif form == "row":
        both = f"({card}, ) + s[{at}]" if end == "left" else f"s[{at}] + ({card}, )"
        yield f"s[{at}] = {both}"
    elif form == "pile" and rule.module.in_place and place.field in rule.expressions.loose:
        yield f"s[{at}].loose.append({card})"
    elif form == "pile" and rule.module.in_place:
        how = {"": "loose.append(", "top": "top.insert(0, ", "bottom": "bottom.append("}
        yield f"z = s[{at}]"
        yield f"z.{how[end]}{card})"
        yield "z.odd = True"
    elif form == "pile" and not end:
        yield f"s[{at}] = mixed_in(s[{at}], {card})"
    elif form == "pile":
        yield f"s[{at}] = put(s[{at}], {card}, 'pile', {end!r})"
    else:
        yield f"z = s[{at}]"
        later = f"z + ({card}, ) if not z or z[-1].index <= {card}.index else sorted_in(z, {card})"
        yield f"s[{at}] = {later}"


def take(rule: Rule, at: str, form: str, card: str = "c") -> Iterator[str]:
    """Lines that take a card out of a zone."""
    if not at.isdigit():
        yield f"at = {at}"
        at = "at"
    if form == "pile" and rule.module.in_place:
        yield f"s[{at}].take({card})"
    elif form == "pile":
        yield f"s[{at}] = take(s[{at}], {card}, 'pile')"
    elif rule.module.in_place:
        yield f"s[{at}].remove({card})"
    else:
        yield f"z = s[{at}]"
        yield f"k = z.index({card})"
        yield f"s[{at}] = z[:k] + z[k + 1:]"


def marked(
    rule: Rule, source: i.Place | None, target: i.Place, end: str, at: str, card: str = "c"
) -> Iterator[str]:
    """Lines that note who knows where a card goes, since they saw where it lay."""
    module = rule.module
    if not module.marks:
        return
    remember = origin_marks(module.making, target, end)
    if remember is None:
        return
    forgets = form_of(target) == "pile" and not end
    if not forgets and source is not None and module.linked.program.state[source.field].hidden:
        return  # nobody saw it
    pool, recipe = rule.expressions.pool, ("remember", target, end)
    if not module.stepping:
        done = f"forget(s, {card}, {pool.constant(module.linked.players)})"
        yield f"if s[{MARKS}]: {done}" if forgets else f"mark(s, {card}, {at})"
    elif forgets:
        yield f"if s[{MARKS}]: {pool.put(remember, 'R', *recipe)}(m, {card}, {at})"
    else:
        key = ("remember", target.field, end)
        yield f"{pool.put(module.shared(key, remember), 'R', *recipe)}(m, {card}, {at})"


def removing(places: list[tuple[int, str]], *, copied: bool) -> Iterator[str]:
    """The lines of a function that takes the card ``c`` out of the zone that it lies in."""
    if copied:
        holds = (f"s[{at}].holds(c)" if form == "pile" else f"c in s[{at}]" for at, form in places)
        yield f"    if {' + '.join(f'({test})' for test in holds)} > 1: raise Doubt"
    for at, form in places:
        if form == "pile":
            yield f"    z = s[{at}]"
            yield "    if z.holds(c): z.take(c); return"
        else:
            yield f"    z = s[{at}]"
            yield "    if c in z: z.remove(c); return"
