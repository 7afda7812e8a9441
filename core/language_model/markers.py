"""The signs by which models tell whose turn it is: outside of a server's own template they are words like any other.

Many servers read them wherever they stand in a message. Whoever could write one could end their own turn in a prompt
and go on as the system or the character.
"""

import re

_MARKER = re.compile(
    r"""<(?=[|｜][^<>\n]{1,60}[|｜]>)                                  # <|im_start|>, <|eot_id|>, <｜User｜>
      | <(?=/?(?:start|end)_of_(?:turn|image)>)                         # Gemma
      | <(?=<\s*/?\s*sys\s*>>)                                          # Llama 2
      | <(?=\s*/?\s*(?:s|bos|eos|unk|pad|think|thinking|tool_call|tool_response|tools)\s*>)
      | \[(?=\s*/?\s*(?:inst|system_prompt|available_tools|tool_calls|tool_results)\s*\])
    """,
    re.VERBOSE | re.IGNORECASE,
)


def inert(text: str) -> str:
    """Return text in which those signs have lost their opening bracket."""
    return _MARKER.sub(lambda match: "‹" if match[0] == "<" else "⁅", text)
