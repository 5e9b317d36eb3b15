"""The kinds of faults, in groups, with what makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from attrs import frozen

from rulelang.testing.faults import deeds, entries, reckoning, signs, spelling, steps, wrong
from rulelang.testing.faults.book import Book
from rulelang.testing.faults.fault import Fault

Seeder = Callable[[Book, Random], Iterator[Fault]]

NAMES, TYPES, PARTS, FORM = "unknown names", "wrong values", "missing and doubled", "form"
CONTENT, RULES, UNSEEN = "meaning of content", "meaning of rules", "what nothing can see"
GROUPS = (NAMES, TYPES, PARTS, FORM, CONTENT, RULES, UNSEEN)
STRUCTURAL = (NAMES, TYPES, PARTS, FORM)
"""Groups of faults that leave no sound game behind: `check` is to find them."""
CERTAIN = (NAMES, TYPES, PARTS)
"""Groups of which `check` is to find every fault."""


@frozen
class Kind:
    """A kind of fault: its group, its title, and what seeds it."""

    group: str
    title: str
    seed: Seeder


KINDS: tuple[Kind, ...] = (
    Kind(NAMES, "misspelt value", spelling.of("value")),
    Kind(NAMES, "misspelt effect in an entry", spelling.of("effect")),
    Kind(NAMES, "misspelt rule that is called", spelling.of("call")),
    Kind(NAMES, "misspelt question", spelling.of("question")),
    Kind(NAMES, "misspelt label of a line", spelling.of("label")),
    Kind(NAMES, "misspelt kind or type", spelling.of("kind", "type")),
    Kind(NAMES, "misspelt local name", spelling.of("local")),
    Kind(NAMES, "misspelt field of the state", spelling.of("field")),
    Kind(NAMES, "misspelt field that a roll sets", spelling.of("rolled")),
    Kind(NAMES, "misspelt mode, setting, ending, scope", spelling.of("other")),
    Kind(NAMES, "misspelt number of a clause", spelling.unknown_clauses),
    Kind(TYPES, "name for a number", wrong.name_for_number),
    Kind(TYPES, "number for a name", wrong.number_for_name),
    Kind(TYPES, "text for a name", wrong.text_for_name),
    Kind(TYPES, "number out of range", wrong.out_of_range),
    Kind(TYPES, "argument missing", wrong.argument_missing),
    Kind(TYPES, "argument too many", wrong.argument_extra),
    Kind(TYPES, "subject of a call missing", wrong.subject_missing),
    Kind(PARTS, "entry missing", entries.entry_missing),
    Kind(PARTS, "entry doubled", entries.entry_doubled),
    Kind(PARTS, "key of another entry", entries.key_of_another),
    Kind(PARTS, "number outside of the kind's", entries.key_outside),
    Kind(PARTS, "field missing", entries.field_missing),
    Kind(PARTS, "field doubled", entries.field_doubled),
    Kind(PARTS, "declaration missing", entries.declaration_missing),
    Kind(PARTS, "declaration doubled", entries.declaration_doubled),
    Kind(PARTS, "name of a type missing", entries.name_missing),
    Kind(PARTS, "name of a type doubled", entries.name_doubled),
    Kind(PARTS, "case missing", entries.case_missing),
    Kind(PARTS, "case doubled", entries.case_doubled),
    Kind(PARTS, "clause missing in the catalogue", entries.clause_missing),
    Kind(PARTS, "clause doubled in the catalogue", entries.clause_doubled),
    Kind(PARTS, "part of a clause missing", entries.clause_without),
    Kind(FORM, "colon missing", signs.colon_missing),
    Kind(FORM, "comma missing", signs.comma_missing),
    Kind(FORM, "quote missing", signs.quote_missing),
    Kind(FORM, "bracket missing", signs.bracket_missing),
    Kind(FORM, "bar of a table missing", signs.bar_missing),
    Kind(FORM, "binding word missing", signs.word_missing),
    Kind(FORM, "`by` missing", signs.decider_missing),
    Kind(FORM, "a blank more or less before a line", signs.blank_more_or_less),
    Kind(CONTENT, "effect replaced by another", deeds.effect_replaced),
    Kind(CONTENT, "effects swapped", deeds.effects_swapped),
    Kind(CONTENT, "effect missing", deeds.effect_missing),
    Kind(CONTENT, "effect doubled", deeds.effect_doubled),
    Kind(CONTENT, "value replaced by another", deeds.value_replaced),
    Kind(CONTENT, "number one off", deeds.number_changed),
    Kind(CONTENT, "box missing", deeds.box_missing),
    Kind(CONTENT, "box doubled", deeds.box_doubled),
    Kind(CONTENT, "boxes swapped", deeds.boxes_swapped),
    Kind(CONTENT, "box of another sort", deeds.box_of_another_sort),
    Kind(CONTENT, "line of a script missing", deeds.script_line_missing),
    Kind(CONTENT, "lines of a script swapped", deeds.script_lines_swapped),
    Kind(CONTENT, "field with a default missing", entries.field_omitted),
    Kind(CONTENT, "entry missing that is not numbered", entries.uncounted_missing),
    Kind(CONTENT, "mode missing", entries.mode_missing),
    Kind(RULES, "outcome missing", entries.outcome_missing),
    Kind(RULES, "statement missing", steps.statement_missing),
    Kind(RULES, "statements swapped", steps.statements_swapped),
    Kind(RULES, "statement doubled", steps.statement_doubled),
    Kind(RULES, "branches swapped", steps.branches_swapped),
    Kind(RULES, "`else` missing", steps.else_missing),
    Kind(RULES, "`may` missing", steps.may_missing),
    Kind(RULES, "offer missing", steps.offer_missing),
    Kind(RULES, "condition missing", reckoning.condition_missing),
    Kind(RULES, "comparison changed", reckoning.comparison_changed),
    Kind(RULES, "`and` for `or`", reckoning.and_or),
    Kind(RULES, "`not` missing or too many", reckoning.not_missing),
    Kind(RULES, "sign changed", reckoning.sign_changed),
    Kind(RULES, "number one off", reckoning.number_changed),
    Kind(RULES, "range one off", reckoning.range_changed),
    Kind(RULES, "opposite question", reckoning.other_question),
    Kind(RULES, "value replaced by another", reckoning.value_replaced),
    Kind(RULES, "rule replaced by another", reckoning.call_replaced),
    Kind(RULES, "local name replaced by another", reckoning.local_replaced),
    Kind(RULES, "field replaced by another", reckoning.field_replaced),
    Kind(RULES, "field no longer hidden, seen, clamped", steps.option_missing),
    Kind(RULES, "other default of a setting", steps.setting_default),
    Kind(RULES, "a level more or less before a line", signs.level_more_or_less),
    Kind(UNSEEN, "another clause cited", deeds.clause_of_another),
    Kind(UNSEEN, "citation missing", deeds.citation_missing),
    Kind(UNSEEN, "clause cited twice", deeds.citation_doubled),
    Kind(UNSEEN, "text misspelt", deeds.text_misspelt),
)
"""Every kind of fault that is seeded."""
