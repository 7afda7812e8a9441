from core.language_model.types import ChatMessage, ChatRequest, Role


def ask(text: str = "こんにちは", *, max_output_tokens: int = 64) -> ChatRequest:
    return ChatRequest(
        messages=(ChatMessage(Role.SYSTEM, "You are Hinata."), ChatMessage(Role.USER, text)),
        max_output_tokens=max_output_tokens,
    )
