"""Discord's refusals: HTTP status, JSON error code, and the nested paths of a faulty form.

Source: Discord's developer documentation, "Opcodes and Status Codes" and "Error Messages".
"""

from __future__ import annotations

from discord_sandbox.model.wire import JsonObject

Path = tuple[str | int, ...]


class ApiError(Exception):
    """A request is refused.

    `status` is the HTTP status, `code` Discord's JSON error code, `errors` the nested tree of a
    faulty form (50035 only), `extra` further keys of the body.
    """

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        *,
        errors: JsonObject | None = None,
        extra: JsonObject | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors
        self.extra = extra

    def body(self) -> JsonObject:
        """The JSON body of the refusal."""
        body: JsonObject = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        if self.extra is not None:
            body.update(self.extra)
        return body


class Faults:
    """The errors in one form, collected so that one answer lists them all."""

    __slots__ = ("tree",)

    def __init__(self) -> None:
        self.tree: JsonObject = {}

    def __bool__(self) -> bool:
        return bool(self.tree)

    def add(self, path: Path, code: str, message: str) -> None:
        """Record an error at `path`, e.g. ("components", 0, "label")."""
        node = self.tree
        for step in path:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def check(self) -> None:
        """Raise ApiError 50035 if any error was recorded.

        If a part has errors further down, only those are listed, because Discord validates a whole after its parts.
        """
        _prune(self.tree)
        if self.tree:
            raise ApiError(400, 50035, "Invalid Form Body", errors=self.tree)


def _prune(node: JsonObject) -> None:
    if len(node) > 1:
        node.pop("_errors", None)
    for key, inner in node.items():
        if key != "_errors":
            _prune(inner)


def unauthorized() -> ApiError:
    return ApiError(401, 0, "401: Unauthorized")


def no_such_route() -> ApiError:
    return ApiError(404, 0, "404: Not Found")


def unreadable_body() -> ApiError:
    return ApiError(400, 50109, "The request body contains invalid JSON.")


def unknown_application() -> ApiError:
    return ApiError(404, 10002, "Unknown Application")


def unknown_channel() -> ApiError:
    return ApiError(404, 10003, "Unknown Channel")


def unknown_server() -> ApiError:
    return ApiError(404, 10004, "Unknown Guild")


def unknown_member() -> ApiError:
    return ApiError(404, 10007, "Unknown Member")


def unknown_message() -> ApiError:
    return ApiError(404, 10008, "Unknown Message")


def unknown_overwrite() -> ApiError:
    return ApiError(404, 10009, "Unknown Overwrite")


def unknown_role() -> ApiError:
    return ApiError(404, 10011, "Unknown Role")


def unknown_user() -> ApiError:
    return ApiError(404, 10013, "Unknown User")


def unknown_emoji() -> ApiError:
    return ApiError(404, 10014, "Unknown Emoji")


def unknown_webhook() -> ApiError:
    return ApiError(404, 10015, "Unknown Webhook")


def unknown_interaction() -> ApiError:
    return ApiError(404, 10062, "Unknown interaction")


def unknown_command() -> ApiError:
    return ApiError(404, 10063, "Unknown application command")


def unknown_command_permissions() -> ApiError:
    return ApiError(404, 10066, "Unknown application command permissions")


def unknown_event() -> ApiError:
    return ApiError(404, 10070, "Unknown Guild Scheduled Event")


def not_for_bots() -> ApiError:
    return ApiError(403, 20001, "Bots cannot use this endpoint")


def slow_mode(wait: float) -> ApiError:
    """`wait` in seconds."""
    return ApiError(
        429,
        20016,
        "This action cannot be performed due to slowmode rate limit.",
        extra={"retry_after": round(wait, 3), "global": False},
    )


def too_many_pins(most: int) -> ApiError:
    return ApiError(400, 30003, f"Maximum number of pins reached for the channel ({most}).")


def too_many_roles(most: int) -> ApiError:
    return ApiError(400, 30005, f"Maximum number of server roles reached ({most}).")


def too_many_emojis(most: int) -> ApiError:
    return ApiError(400, 30008, f"Maximum number of emojis reached ({most}).")


def too_many_reactions(most: int) -> ApiError:
    return ApiError(400, 30010, f"Maximum number of reactions reached ({most}).")


def too_many_channels(most: int) -> ApiError:
    return ApiError(400, 30013, f"Maximum number of server channels reached ({most}).")


def too_many_command_creations(most: int) -> ApiError:
    return ApiError(400, 30034, f"Max number of daily application command creates has been reached ({most})")


def too_many_events(most: int) -> ApiError:
    return ApiError(400, 30038, f"Maximum number of uncompleted guild scheduled events reached ({most})")


def old_message_edits(wait: float) -> ApiError:
    """`wait` in seconds."""
    return ApiError(
        429,
        30046,
        "Maximum number of edits to messages older than 1 hour reached. Try again later.",
        extra={"retry_after": round(wait, 3), "global": False},
    )


def already_crossposted() -> ApiError:
    return ApiError(400, 40033, "This message has already been crossposted.")


def file_too_large() -> ApiError:
    return ApiError(413, 40005, "Request entity too large")


def not_in_direct_messages() -> ApiError:
    return ApiError(403, 50003, "Cannot execute action on a DM channel")


def wrong_channel_type() -> ApiError:
    return ApiError(400, 50024, "Cannot execute action on this channel type")


def cannot_send_here() -> ApiError:
    return ApiError(400, 50008, "Cannot send messages in a non-text channel")


def invalid_role() -> ApiError:
    return ApiError(400, 50028, "Invalid role")


def too_old_to_delete_in_bulk() -> ApiError:
    return ApiError(400, 50034, "You can only bulk delete messages that are under 14 days old.")


def system_message() -> ApiError:
    return ApiError(403, 50021, "Cannot execute action on a system message")


def thread_archived() -> ApiError:
    return ApiError(400, 50083, "Thread is archived")


def thread_exists() -> ApiError:
    return ApiError(400, 160004, "A thread has already been created for this message")


def thread_locked() -> ApiError:
    return ApiError(403, 160005, "Thread is locked")


def finished_event() -> ApiError:
    return ApiError(400, 180000, "Cannot update a finished event")


def too_many_commands() -> ApiError:
    return ApiError(400, 30032, "Maximum number of application commands reached (100).")


def already_acknowledged() -> ApiError:
    return ApiError(400, 40060, "Interaction has already been acknowledged.")


def too_many_follow_ups() -> ApiError:
    return ApiError(400, 40094, "This interaction has reached the maximum number of follow up messages")


def missing_access() -> ApiError:
    return ApiError(403, 50001, "Missing Access")


def not_the_author() -> ApiError:
    return ApiError(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> ApiError:
    return ApiError(400, 50006, "Cannot send an empty message")


def cannot_reach_user() -> ApiError:
    return ApiError(403, 50007, "Cannot send messages to this user")


def missing_permissions() -> ApiError:
    return ApiError(403, 50013, "Missing Permissions")


def dead_webhook_token() -> ApiError:
    return ApiError(401, 50027, "Invalid Webhook Token")
