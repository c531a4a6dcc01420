"""The same is not posted in a channel again and again."""

from __future__ import annotations

from cogs.interactions.arrivals import RecentPosts

PAUSE = 600.0
POST = (5, "m1", "animation")


def test_the_same_post_is_refused_until_some_time_after_the_first() -> None:
    posts = RecentPosts()
    assert posts.begin(POST, 1000.0, PAUSE) is None
    assert posts.begin(POST, 1001.0, PAUSE) == 1000.0
    assert posts.begin(POST, 1000.0 + PAUSE - 1, PAUSE) == 1000.0
    assert posts.begin(POST, 1000.0 + PAUSE, PAUSE) is None


def test_other_channels_matches_and_files_have_posts_of_their_own() -> None:
    posts = RecentPosts()
    assert posts.begin(POST, 1000.0, PAUSE) is None
    others = [(6, "m1", "animation"), (5, "m2", "animation"), (5, "m1", "page")]
    assert [posts.begin(other, 1000.0, PAUSE) for other in others] == [None, None, None]


def test_a_post_that_was_not_made_may_be_tried_again_at_once() -> None:
    posts = RecentPosts()
    posts.begin(POST, 1000.0, PAUSE)
    posts.withdraw(POST)
    assert posts.begin(POST, 1001.0, PAUSE) is None
