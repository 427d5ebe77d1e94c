"""Texts that try to leave the place where a page shows them, and conversations with such a text in every field."""

import json
from typing import cast

import interlingua as il
from interlingua.model.base import Json
from laws.everything import EVERYTHING

HOSTILE = [
    "<script>window.ran = 1; alert(1)</script>",
    "</script><script>window.ran = 2</script>",
    '<img src="x" onerror="window.ran = 3"><svg onload="window.ran = 4"><body onload=window.ran=5>',
    '"><a href="javascript:window.ran=6" autofocus onfocus="window.ran = 7">press</a>',
    "' onmouseover='window.ran = 8' autofocus onfocus='window.ran = 9' x='",
    '" onmouseover="window.ran = 10" autofocus onfocus="window.ran = 11" style="position:fixed" x="',
    "javascript:window.ran=12",
    "data:text/html,<script>parent.ran=13</script>",
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='parent.ran=14'/>",
    'data:image/png;base64," onerror="window.ran=15',
    "</style></title></textarea></details></pre></code></template></noscript><script>window.ran = 16</script>",
    "--><!--<![CDATA[ ]]><script>window.ran = 17</script><?php ?>",
    "<plaintext><xmp><iframe src=http://example.invalid/frame srcdoc='<script>parent.ran=18</script>'></iframe>",
    "<link rel=stylesheet href=//example.invalid/a.css><style>@import 'http://example.invalid/b.css';</style>",
    "<meta http-equiv=refresh content='0;url=http://example.invalid/'><base href=http://example.invalid/>",
    "<form action=http://example.invalid/><input type=submit autofocus><video src=http://example.invalid/v autoplay>",
    "https://example.invalid/image.png?a=1&lt;b&quot;c",
    "line\u2028line\u2029paragraph\x85next",
    "left \u202eoverride\u2066 isolate \u200fmark",
    "'",
    '"',
    "&",
    "`",
    "&lt;script&gt; &amp;amp; &#60;script&#62; &#x3c; &NewLine; &nbsp;",
    "nul \x00 escape \x1b[31m bell \x07 delete \x7f feed \x0c tab \t return \r\n",
    "\ufeffzero\u200bwidth\u00adhyphen",
    "W" * 400,
    "אבג" * 100,
    "<" * 200,
    "\n" * 50,
    "{{7*7}} ${7*7} %s {0} \\x3cscript\\x3e \\u003cscript\\u003e",
    "",
]
"""Each of them tries something else; the scripts set `ran`, and every address is in a domain that does not exist."""


_TAGS = ("role", "type", "unit")
"""The fields whose texts say what an object is."""


def conversation(text: str) -> list[il.Message]:
    """Messages with every field that there is, and with a text in each that takes it."""
    return il.validate(_filled(cast("Json", EVERYTHING), text))


def request(text: str) -> il.Request:
    """A request with a text in each field that takes it, as keys of free JSON, too."""
    return il.Request(
        messages=conversation(text),
        model=text,
        tools=[
            il.Tool(name=text, description=text, parameters={text: text}),
            il.OpaqueTool(format=text, value={text: text, "name": text}),
        ],
        tool_choice=il.ToolChoice(type="tool", name=text),
        stop=[text],
        reasoning_effort=text,
        response_format=il.ResponseFormat(type="json_schema", name=text, description=text, json_schema={text: text}),
        metadata={text: text},
        user=text,
        provider_data={text: {text: text}},
    )


def response(text: str) -> il.Response:
    """A response with a text in each field that takes it."""
    answer = next(message for message in conversation(text) if isinstance(message, il.AssistantMessage))
    choice = il.Choice(message=answer, stop_reason=text, native_stop_reason=text, stop_sequence=text)
    return il.Response(id=text, model=text, choices=[choice, choice], usage=il.Usage(input_tokens=1), origin=text)


def _filled(value: Json, text: str, name: str = "") -> Json:
    """JSON with a text in place of all others but tags; a call's arguments are the JSON text of an object with it."""
    if isinstance(value, dict):
        return {name: _filled(item, text, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, text) for item in value]
    if not isinstance(value, str) or name in _TAGS:
        return value
    return json.dumps({text: text, "more": [text]}) if name in ("arguments", "input") else text
