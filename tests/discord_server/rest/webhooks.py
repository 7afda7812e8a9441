"""What a bot answers to an interaction: callback, original response, follow-ups. The token in the path is the key."""

from tests.discord_server import message_payloads
from tests.discord_server.interactions import Interaction
from tests.discord_server.message import Message
from tests.discord_server.message_payloads import Viewer
from tests.discord_server.model import Json
from tests.discord_server.rest.call import Call, Context


def callback(context: Context, call: Call) -> Json | None:
    """The first answer, within three seconds."""
    interaction = context.desk.opened(call.params["interaction_id"], call.params["interaction_token"])
    context.desk.answer(interaction, call.body, call.uploads)
    if call.query.get("with_response") not in {"1", "true"}:
        return None
    return _callback_response(interaction)


def original(context: Context, call: Call) -> Json:
    """The message that answered the interaction."""
    interaction = _interaction(context, call)
    return _message(interaction, context.desk.original(interaction))


def edit_original(context: Context, call: Call) -> Json:
    """Edit that message; fills one that was deferred."""
    interaction = _interaction(context, call)
    message = context.desk.original(interaction)
    return _message(interaction, context.board.edit(message, call.body, call.uploads))


def delete_original(context: Context, call: Call) -> None:
    """Delete that message."""
    interaction = _interaction(context, call)
    context.board.delete(context.desk.original(interaction))


def follow_up(context: Context, call: Call) -> Json:
    """Send a further message."""
    interaction = _interaction(context, call)
    return _message(interaction, context.desk.follow_up(interaction, call.body, call.uploads))


def get_follow_up(context: Context, call: Call) -> Json:
    """One of the messages."""
    interaction = _interaction(context, call)
    return _message(interaction, context.desk.message(interaction, call.params["message_id"]))


def edit_follow_up(context: Context, call: Call) -> Json:
    """Edit one of the messages."""
    interaction = _interaction(context, call)
    message = context.desk.message(interaction, call.params["message_id"])
    return _message(interaction, context.board.edit(message, call.body, call.uploads))


def delete_follow_up(context: Context, call: Call) -> None:
    """Delete one of the messages."""
    interaction = _interaction(context, call)
    context.board.delete(context.desk.message(interaction, call.params["message_id"]))


def _interaction(context: Context, call: Call) -> Interaction:
    return context.desk.by_token(call.params["webhook_id"], call.params["webhook_token"])


def _message(interaction: Interaction, message: Message) -> Json:
    return message_payloads.message(message, Viewer(app=interaction.app, intents=interaction.app.intents_allowed))


def _callback_response(interaction: Interaction) -> Json:
    told: Json = {"id": str(interaction.id), "type": interaction.kind}
    resource: Json = {"type": interaction.callback}
    if interaction.original is not None:
        told |= {
            "response_message_id": str(interaction.original.id),
            "response_message_loading": interaction.original.is_loading,
            "response_message_ephemeral": interaction.original.is_ephemeral,
        }
        resource["message"] = _message(interaction, interaction.original)
    return {"interaction": told, "resource": resource}
