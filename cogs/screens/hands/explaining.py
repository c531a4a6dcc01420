"""What *?* answers: how the question works, and why not all that is on the hand can be pressed now."""

from __future__ import annotations

from bot.play.live_match import LiveMatch
from cogs.screens.hands.lines import reasons
from cogs.screens.hands.picking import Asked, Picking, Question, refusal_text, selection_of
from cogs.screens.presenter import Presenter, Racing, Reader
from engines.game import Seat


def explanation(match: LiveMatch, seat: Seat, presenter: Presenter, reader: Reader, selection: str = "") -> str:
    """The explanation of a seat's question, with what is picked as in the ids; a paragraph each. Never empty."""
    own, choices = match.private(seat), match.choices(seat)
    asked = Asked(presenter, own, reader, match.window_number, choices)
    refusals = [] if isinstance(presenter, Racing) else [shut.refusal for shut in choices.closed]
    offer, picked, _ = selection_of(choices, selection)
    if offer is not None:
        step = offer.step(picked)
        refusals += reasons(Picking(Question.of(asked), asked, offer, picked, step, begun=True))
    said = [presenter.prompt(own, reader), presenter.explained(own, reader)]
    said += [f"- {reason}" for reason in dict.fromkeys(refusal_text(refusal, reader) for refusal in refusals)]
    return "\n".join(filter(None, said)) or reader.words("refusal.match_over")
