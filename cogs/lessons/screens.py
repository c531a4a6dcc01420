"""A first lesson on the screen: what happened, the table as the learner's seat sees it, what it teaches, what to press.

Every button carries all answers so far, and the lesson's version as its window.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from bot.games import GAMES
from bot.play.computers.levels import levels_of
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Log, Option, Press, Rows, Rule, Screen, Section, Select, Text, Tone
from cogs.lessons.progress import Progress, UnknownAnswers, letter, progress_after
from cogs.screens.cards.fitting import fitting
from cogs.screens.hands.controls import packed
from cogs.screens.hands.picking import refusal_text
from cogs.screens.lesson import LEARNER, Answer, Lesson, Step
from cogs.screens.presenter import Presenter, Presenters, Reader, Taught, seat_lines
from cogs.screens.renderer import MOST_OPTIONS, is_whole
from cogs.screens.safe_names import unescaped
from engines.game import Event

SKIPPED: Final = "-"
"""What the answers end with in the id of *Skip to the end*."""
FEW_TOLD, MOST_TOLD = 3, 8
"""Lines about what happened since the last question, where a phone has to show a question as well, and elsewhere."""


@dataclass(frozen=True, slots=True)
class LessonContext:
    """A game's lesson, and who reads it. The reader's names are the learner's and the computers'.

    `following` is the game of the next lesson, empty for none.
    """

    game: str
    presenter: Taught
    reader: Reader
    following: str = ""

    @property
    def lesson(self) -> Lesson:
        """The lesson."""
        return self.presenter.first_lesson

    def press(self, answers: str) -> Press:
        """A press that leads to where a learner is after these answers."""
        return Press("learn", self.lesson.version, answers)

    def text(self, name: str) -> str:
        """A sentence of the lesson."""
        cards = {each: self.reader.cards.text(card) for each, card in self.lesson.cards.items()}
        return self.reader.words(f"{self.game}.learn.{name}", **cards, **self._computers())

    def label(self, step: Step, answer: Answer) -> str:
        """The label of an answer's button."""
        if answer.card:
            return self.reader.cards.label(self.lesson.cards[answer.card])
        cards = {each: self.reader.cards.label(card) for each, card in self.lesson.cards.items()}
        computers = {each: unescaped(name) for each, name in self._computers().items()}
        return self.reader.words(f"{self.game}.learn.{step.name}.{answer.name}", **cards, **computers)

    def button(self, step: Step, answer: Answer, answers: str) -> Button:
        """The button of an answer, which leads to where a learner is after these answers."""
        emoji = self.reader.cards.face(self.lesson.cards[answer.card]).emoji if answer.card else ""
        return Button(self.label(step, answer), self.press(answers), Tone.MAIN, emoji=emoji)

    def why(self, step: Step, answer: Answer) -> str:
        """Why an answer is right, or why another one is better."""
        return self.text(f"{step.name}.{answer.like or answer.name}_why")

    def _computers(self) -> dict[str, str]:
        return {f"computer_{seat}": name for seat, name in enumerate(self.reader.names) if seat != LEARNER}


def lesson_screen(context: LessonContext, answers: str, note: str = "") -> Screen:
    """What a learner sees after these answers, with a note above it. Raises UnknownAnswers."""
    given = answers.removesuffix(SKIPPED)
    at = progress_after(GAMES[context.game], context.lesson, given)
    if at.is_wrong and given != answers:
        raise UnknownAnswers("a wrong answer has nothing to skip")

    def made(reader: Reader) -> Screen:
        fitted = replace(context, reader=reader)
        if given != answers:
            return _end(fitted, at, given, note, skipped=True)
        if at.asked is None:
            return _end(fitted, at, given, note, skipped=False)
        screen = _wrong if at.is_wrong else _step
        return screen(fitted, at, at.asked, given, note)

    return fitting(context.reader, made, is_whole)


def taught_games(presenters: Presenters) -> tuple[str, ...]:
    """The games with a first lesson, by their keys."""
    return tuple([game for game, presenter in presenters.items() if isinstance(presenter, Taught)])


LESSONS: Final = "lessons"
"""What the list of lessons acts on, in place of a match."""


def learn_button(words: Translations) -> tuple[Button, ...]:
    """Leads to the lessons."""
    return (Button(words("button.lessons"), Press("lessons"), Tone.GOOD),)


def lessons_screen(presenters: Presenters, words: Translations) -> Screen:
    """The list of lessons."""
    options = tuple([Option(GAMES[key].info.title, key) for key in taught_games(presenters)[:MOST_OPTIONS]])
    rows = ((Select(Press("lesson", 0, "list"), words("learn.list"), options),),) if options else ()
    return Screen(words("button.lessons"), (Text(words("learn.about")),), rows)


def lesson_row(game: str, presenter: Presenter, words: Translations) -> Rows:
    """A row with the button that begins a game's lesson; no row in a game without one."""
    if not isinstance(presenter, Taught):
        return ()
    return ((Button(words("button.learn"), Press("lesson", 0, game), Tone.MAIN),),)


def _title(context: LessonContext, at: Progress) -> str:
    title, steps = GAMES[context.game].info.title, len(context.lesson.steps)
    return context.reader.words("learn.title", game=title, step=at.done + 1, steps=steps)


def _step(context: LessonContext, at: Progress, step: Step, answers: str, note: str) -> Screen:
    words = context.reader.words
    sections = (
        *_noted(note),
        *_feedback(context, at),
        *_table(context, at),
        Rule(),
        Text(context.text(step.name)),
    )
    buttons = [context.button(step, answer, answers + letter(index)) for index, answer in enumerate(step.answers)]
    back = Button(words("button.previous"), context.press(answers[:-1]), enabled=bool(answers))
    rows = (*packed(buttons), (back, _skip(context, answers)))
    footer = words("learn.private") if not answers else ""
    return Screen(_title(context, at), sections, rows, footer, Tone.MAIN)


def _wrong(context: LessonContext, at: Progress, step: Step, answers: str, note: str) -> Screen:
    """What a wrong answer would have led to, and why another one is better."""
    words, before = context.reader.words, answers[:-1]
    if at.answered is None:
        raise UnknownAnswers("no answer is wrong before one is given")
    answer = at.answered[1]
    sections: list[Section] = [*_noted(note), Text(words("learn.wrong", answer=context.label(step, answer)))]
    if at.refusal is not None:
        sections.append(Text(words("learn.refused", reason=refusal_text(at.refusal, context.reader))))
    elif at.told:
        sections += [Text(words("learn.would")), *_log(context, at.told, MOST_TOLD)]
    sections += [Rule(), Text(context.why(step, answer))]
    rows = ((Button(words("button.try_again"), context.press(before), Tone.MAIN), _skip(context, before)),)
    return Screen(_title(context, at), tuple(sections), rows, tone=Tone.BAD)


def _end(context: LessonContext, at: Progress, answers: str, note: str, *, skipped: bool) -> Screen:
    """What there was to learn, and what to do next. After a skip, *Back* leads to the step that was skipped."""
    words, title = context.reader.words, GAMES[context.game].info.title
    sections: tuple[Section, ...] = _noted(note)
    if not skipped:
        sections += _feedback(context, at)
    sections += (Text(context.text("end")),)
    play = (Button(words("button.learn_play"), Press("learnplay"), Tone.GOOD),) if _can_practise(context) else ()
    back = Button(words("button.previous"), context.press(answers if skipped else answers[:-1]))
    buttons = (*play, *_following(context), Button(words("button.rules"), Press("rules")), back)
    heading = words("learn.skipped_title" if skipped else "learn.done_title", game=title)
    return Screen(heading, sections, tuple(packed(buttons)), tone=Tone.GOOD)


def _can_practise(context: LessonContext) -> bool:
    return bool(levels_of(context.game))


def _following(context: LessonContext) -> tuple[Button, ...]:
    """Begins the next game's lesson."""
    if not context.following:
        return ()
    label = context.reader.words("button.learn_next", game=GAMES[context.following].info.title)
    return (Button(label, Press("lesson", 0, context.following)),)


def _skip(context: LessonContext, answers: str) -> Button:
    return Button(context.reader.words("button.learn_skip"), context.press(answers + SKIPPED))


def _noted(note: str) -> tuple[Section, ...]:
    return (Text(f"**{note}**"), Rule()) if note else ()


def _feedback(context: LessonContext, at: Progress) -> tuple[Section, ...]:
    """Why the last answer was right, and what followed from it."""
    if at.answered is None:
        return ()
    why = Text(context.reader.words("learn.right", told=context.why(*at.answered)))
    return why, *(() if at.is_elsewhere else _log(context, at.told, FEW_TOLD)), Rule()


def _log(context: LessonContext, told: Iterable[Event], most: int) -> tuple[Section, ...]:
    """The last of these facts in words."""
    narrated = [context.presenter.narrate(event, context.reader) for event in told]
    lines = [line for line in narrated if line]
    return (Log(tuple(lines[-most:])),) if lines else ()


def _table(context: LessonContext, at: Progress) -> tuple[Section, ...]:
    """The players, the table and the learner's cards."""
    own = GAMES[context.game].observe(at.state, LEARNER)
    presenter, reader = context.presenter, context.reader
    window = GAMES[context.game].window(at.state)
    seats = seat_lines(presenter, own.public, reader, window.awaited if window else ())
    return seats, *presenter.lesson_table(own, reader)
