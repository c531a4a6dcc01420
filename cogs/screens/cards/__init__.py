"""The forms in which readers see cards, beside text (`cogs.screens.card_text`)."""
