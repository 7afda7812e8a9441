"""Discord's JSON errors."""

from typing import Any


class ApiError(Exception):
    """An error the REST API answers with: HTTP status, Discord's code and text, and details by field."""

    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> dict[str, Any]:
        """Return the JSON body."""
        body: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        return body


def unauthorized() -> ApiError:
    """401: no such token."""
    return ApiError(401, 0, "401: Unauthorized")


def unknown(what: str) -> ApiError:
    """404 for a thing that is not there."""
    codes = {"Channel": 10003, "Guild": 10004, "Member": 10007, "Message": 10008, "User": 10013, "Webhook": 10015}
    more = {"Interaction": 10062, "application command": 10063, "Emoji": 10014}
    return ApiError(404, (codes | more)[what], f"Unknown {what}")


def missing_access() -> ApiError:
    """403: the channel is hidden from the bot."""
    return ApiError(403, 50001, "Missing Access")


def missing_permissions() -> ApiError:
    """403: a permission is lacking."""
    return ApiError(403, 50013, "Missing Permissions")


def cannot_dm() -> ApiError:
    """403: the user takes no direct messages."""
    return ApiError(403, 50007, "Cannot send messages to this user")


def no_mutual_guild() -> ApiError:
    """403: the bot shares no server with the user (Discord words it like 50007)."""
    return ApiError(403, 50278, "Cannot send messages to this user")


def invalid_form(field: str, code: str, text: str) -> ApiError:
    """400: a field of the body is wrong."""
    return ApiError(400, 50035, "Invalid Form Body", {field: {"_errors": [{"code": code, "message": text}]}})
