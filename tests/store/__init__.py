import pytest

pytest.register_assert_rewrite(
    "tests.store.contract",
    "tests.store.contract_invitations",
    "tests.store.contract_matches",
    "tests.store.contract_people",
    "tests.store.contract_servers",
    "tests.store.contract_standings",
    "tests.store.rows",
)
