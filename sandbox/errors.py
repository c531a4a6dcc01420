"""Discord's refusals: HTTP status, JSON error code, and the nested paths of a faulty form.

Source: Discord's developer documentation, "Opcodes and Status Codes" and "Error Messages".
"""

from __future__ import annotations

from sandbox.wire import JsonObject

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
    """The faults found in one form, gathered so that all of them are told at once."""

    __slots__ = ("tree",)

    def __init__(self) -> None:
        self.tree: JsonObject = {}

    def __bool__(self) -> bool:
        return bool(self.tree)

    def add(self, path: Path, code: str, message: str) -> None:
        """Note a fault at `path`, e.g. ("components", 0, "label")."""
        node = self.tree
        for step in path:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def check(self) -> None:
        """Raise ApiError 50035 if any fault was noted."""
        if self.tree:
            raise ApiError(400, 50035, "Invalid Form Body", errors=self.tree)


def unauthorized() -> ApiError:
    return ApiError(401, 0, "401: Unauthorized")


def no_such_route() -> ApiError:
    return ApiError(404, 0, "404: Not Found")


def method_not_allowed() -> ApiError:
    return ApiError(405, 0, "405: Method Not Allowed")


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


def too_many_commands() -> ApiError:
    return ApiError(400, 30032, "Maximum number of application commands reached (100).")


def already_acknowledged() -> ApiError:
    return ApiError(400, 40060, "Interaction has already been acknowledged.")


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
