"""How long an answer may take. Discord wants a first response within 3 seconds of the interaction, and takes a
follow-up through its token for 15 minutes
(https://discord.com/developers/docs/interactions/receiving-and-responding#responding-to-an-interaction).

All figures are seconds.
"""

from __future__ import annotations

MAX_AGE = 3.0
"""An interaction that is older when it arrives is dropped: Discord has told its sender that it failed."""
DEFER_AFTER = 2.0
"""An answer that is not given by then is deferred. The rest of the three seconds is for the way to Discord."""
FIRST_RESPONSE_WITHIN = 2.8
"""How long a first response may take to send. Then the bot stops trying, because Discord no longer takes it."""
DEFERRED_WITHIN = 15.0
"""How long an answer that was deferred may take to send. Its token lives much longer, but a person waits."""
