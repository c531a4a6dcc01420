import pytest

pytest.register_assert_rewrite(
    "tests.bot.store.contract",
    "tests.bot.store.contract_invitations",
    "tests.bot.store.contract_matches",
    "tests.bot.store.contract_people",
    "tests.bot.store.contract_servers",
    "tests.bot.store.contract_standings",
    "tests.bot.store.rows",
)
