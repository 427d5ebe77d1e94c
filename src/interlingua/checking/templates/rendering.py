"""Renders templates as transformers does it, each template in a process of its own that renders many times.

The process of a template is started when it is first needed and then kept for a while, because starting it takes a tenth of a
second and most renderings take a thousandth. Whatever a template does, the result is a `Rendered`, a `Refused` or the error
`BrokenTemplate`: a process that takes too much time or memory is ended.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from threading import Timer
from typing import IO, Any, Literal, NamedTuple, TypeAlias

from ...errors import BrokenTemplate, excerpt

SECONDS = 5
"""The most seconds for one rendering, and for compiling a template."""
MEMORY = 512 * 2**20
"""The most bytes that the process of a template may use."""
OUTPUT = 2**24
"""The most characters that one rendering may have."""
_ENVIRONMENT = ("LD_LIBRARY_PATH", "SYSTEMROOT", "TZ")
"""The environment variables that the process gets: what Python needs to start, and the time zone. Others may be secret."""
KEPT = 4
"""The number of processes that are kept, for the most recently used templates."""

Body: TypeAlias = Mapping[str, Any]
"""The variables of a template: `messages`, and perhaps `tools`, `documents`, `add_generation_prompt` and others."""

SPECIAL_TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
"""The values for a tokenizer's special tokens, if the body has none."""

REASONING = ("reasoning_content", "thinking", "reasoning")
"""The fields for the reasoning of a message; templates read the first, and some the second."""


class Rendered(NamedTuple):
    """The text that a template prints, and the spans of it inside `{% generation %}` blocks."""

    text: str
    generated: tuple[tuple[int, int], ...]


class Refused(NamedTuple):
    """A template raised an error: on purpose, with a message in `words`, or because it failed, with the name of the error."""

    by: Literal["template", "failure"]
    words: str


class Template:
    """A template, and the process that renders it; made by `open_template`."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.now = time.time()
        self.owner = os.getpid()
        # Isolated from the environment and the folder, so that it imports the same modules as this process.
        folders = [folder or os.getcwd() for folder in sys.path]  # noqa: PTH109 -- texts, as `sys.path` has them
        start = f"import sys; sys.path[:] = {folders!r}; from {__package__}.worker import main; main()"
        self.process = subprocess.Popen(  # noqa: S603 -- this interpreter, with a text of ours
            [sys.executable, "-I", "-c", start],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="ascii",
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
        )
        self._ask({"template": source, "limits": [SECONDS, MEMORY, OUTPUT]}, SECONDS + 5)  # starting takes time, too

    def render(self, body: Body, *, keep_null: bool = False) -> Rendered | Refused:
        """What the template prints for a body, or the error that it raises. Raises `BrokenTemplate` if it exceeds a limit.

        Fields of messages that are null are left out, as in transformers since version 5; with `keep_null`, the template gets
        them.
        """
        answer = self._ask({"variables": variables(body, keep_null=keep_null), "now": self.now}, SECONDS)
        if "text" in answer:
            return Rendered(answer["text"], tuple((start, end) for start, end in answer["generated"]))
        return Refused("template" if answer["error"] == "raised" else "failure", answer["words"])

    def _ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        answer = self._answered(json.dumps(question), seconds)
        reason = answer.get("error")
        if reason in (None, "raised", "failed"):
            return answer
        self.close()
        raise BrokenTemplate(reason, answer.get("words"))

    def _answered(self, line: str, seconds: float) -> dict[str, Any]:
        """The answer of the process, or why it gave none."""
        stdin, stdout = _pipes(self.process)
        ended: list[bool] = []

        def end() -> None:
            ended.append(True)
            self.process.kill()

        timer = Timer(seconds, end)
        timer.daemon = True
        timer.start()
        answer = ""
        try:
            with suppress(BrokenPipeError):
                stdin.write(line + "\n")
                stdin.flush()
            answer = stdout.readline()
        finally:
            timer.cancel()
        if answer.endswith("\n"):
            return dict(json.loads(answer))
        return {"error": "time" if ended else "process"}

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        for pipe in _pipes(self.process):
            with suppress(OSError):
                pipe.close()
        self.process.wait()


def _pipes(process: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    if process.stdin is None or process.stdout is None:
        raise ValueError("the process must have been started with pipes")
    return process.stdin, process.stdout


_kept: dict[str, Template] = {}
"""The templates whose processes are kept, by source; the most recently used one is last."""


@contextmanager
def open_template(source: str) -> Generator[Template]:
    """A template for this caller alone; afterwards its process is kept, unless an error was raised.

    Raises `BrokenTemplate` for a template that is not Jinja, and `ImportError` without Jinja.
    """
    if type(source) is not str:
        raise TypeError("template must be text: that of a chat template")
    if find_spec("jinja2") is None:
        raise ImportError("chat templates need jinja2: pip install 'interlingua[templates]'")
    template = _kept.pop(source, None)
    if template is None or template.owner != os.getpid() or template.process.poll() is not None:
        template = Template(source)
    template.now = time.time()  # the same in all renderings, so that they differ only where their bodies do
    try:
        yield template
    except BaseException:
        template.close()
        raise
    _keep(template)


def _keep(template: Template) -> None:
    other = _kept.pop(template.source, None)
    _kept[template.source] = template
    if other is not None:
        other.close()
    while len(_kept) > KEPT:
        oldest = next(iter(_kept), None)
        if oldest is not None and (closed := _kept.pop(oldest, None)) is not None:
            closed.close()


@atexit.register
def close_templates() -> None:
    """End all processes that are kept."""
    while _kept:
        _, template = _kept.popitem()
        if template.owner == os.getpid():
            template.close()


def variables(body: Body, *, keep_null: bool = False) -> dict[str, Any]:
    """The variables of a template: those of the body, with the reasoning of messages under each name that templates read."""
    found: dict[str, Any] = {"tools": None, "documents": None, "add_generation_prompt": False}
    messages = [_aliased(each, keep_null=keep_null) for each in messages_of(body)]
    own = {name: value for name, value in body.items() if name not in _NOT_VARIABLES}
    more: dict[str, Any] = body.get("chat_template_kwargs") or {}
    return {**SPECIAL_TOKENS, **found, **own, **more, "messages": messages}


_NOT_VARIABLES = frozenset({"chat_template_kwargs", "continue_final_message"})
"""Fields of a body for the function that renders, and not for the template; the first contains variables, in datasets."""


def messages_of(body: Body) -> list[dict[str, Any]]:
    """The messages of a body."""
    return list(body["messages"])


def _aliased(message: dict[str, Any], *, keep_null: bool) -> dict[str, Any]:
    """A message without null fields, whose reasoning is also under the names that transformers gives it."""
    fields = message if keep_null else {name: value for name, value in message.items() if value is not None}
    reasoning = next((fields[name] for name in REASONING if fields.get(name) is not None), None)
    return fields if reasoning is None else {"thinking": reasoning, **fields, "reasoning_content": reasoning}


def why(refused: Refused, source: str) -> str:
    """Why a template raises, for people; its message is shown only if its source contains it, because it may repeat content."""
    if refused.by == "failure":
        return f"it fails with {refused.words}"
    words = refused.words
    return f"it says {excerpt(words)!r}" if words and words in source else "it raises an error that repeats the content"
