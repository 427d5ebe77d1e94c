"""Plants faults in a copy of the package, one at a time, and reports which of them the tests find.

`python tools/mutants.py` runs the suite against each fault until a test fails; `python tools/mutants.py NAME...` only against
those named, and `--check` only says whether each fault still has its place in the sources. Fails if more than two are missed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE = Path("src/interlingua")
MOST_MISSED = 2
FIRST = (
    *("spoke", "matrix", "laws", "responses", "streams", "written_streams", "native", "requests", "errors", "refused", "ids"),
    *("anthropic", "openai_chat", "openai_responses", "gemini", "bedrock", "checking"),
)
"""The tests that run after those named like the fault's area or file, and before the others: they find most faults."""
OUTER = {"adopters", "arrow", "cli", "display", "house", "schemas"}
"""The folders of tests that run last: they test what is built on conversions, and take longest."""


class Fault(NamedTuple):
    """A text of one of the package's files, which stands there once, and what to put in its place."""

    area: str
    what: str
    file: str
    text: str
    instead: str


FAULTS = (
    Fault(
        "load",
        "the error mark of an Anthropic result is not read",
        "formats/anthropic/blocks.py",
        'reader.move(out, "tool_use_id", "is_error")',
        'reader.move(out, "tool_use_id")',
    ),
    Fault(
        "load",
        "an Anthropic signature has no issuer",
        "formats/anthropic/blocks.py",
        'out | {"signature": signature, "issuer": issuer_of(signature, FAMILY)}',
        'out | {"signature": signature}',
    ),
    Fault(
        "load",
        "a name beside a Chat message is not read",
        "formats/openai_chat/messages.py",
        'fields.move(out, "name")',
        "pass",
    ),
    Fault(
        "load",
        "more cached tokens are counted than there is input",
        "codec/usage.py",
        'min(out[name], out["input_tokens"])',
        "out[name]",
    ),
    Fault(
        "load",
        "a field that is left over hides the record of spellings",
        "codec/fields.py",
        '        if record:\n            out["wire"]',
        '        elif record:\n            out["wire"]',
    ),
    Fault(
        "dump",
        "the oldest marks of messages go before that of the system text",
        "formats/anthropic/caching.py",
        '{"system": 0, "messages": 1, "tools": 2}',
        '{"system": 1, "messages": 0, "tools": 2}',
    ),
    Fault(
        "dump",
        "text in front of the last result but one moves without a report",
        "codec/turns.py",
        "in pieces[:last]:",
        "in pieces[: last - 1]:",
    ),
    Fault(
        "dump",
        "repeated keys of arguments are not reported",
        "codec/arguments.py",
        "raise KeyError",
        "return",
    ),
    Fault(
        "dump",
        "a second user message joins the results as well",
        "codec/turns.py",
        '        if self.joins == "results":\n            d.run.results_join = True\n'
        "            if not _is_of_results(message):\n                d.run.message = None\n",
        "",
    ),
    Fault(
        "dump",
        "what was written is replaced by what was recorded",
        "codec/fields.py",
        "    if key not in out:\n        out[key] = copy_wire(value)",
        "    if key not in out or not isinstance(value, dict):\n        out[key] = copy_wire(value)",
    ),
    Fault(
        "dump",
        "a developer message becomes one of the system without a report",
        "formats/openai_chat/messages.py",
        '        d.report("changed", path, at, f"{d.target.name} has no developer role: it becomes a system message")\n',
        "",
    ),
    Fault(
        "losses",
        "a warning shows the places of losses, and so comes again in a loop",
        "conversion/losses.py",
        '_INDEX.sub("/*", loss.path)[:200]',
        "loss.path[:200]",
    ),
    Fault(
        "losses",
        "a warning has the place of the code that was called last before ours",
        "conversion/losses.py",
        "startswith(_NOT_THE_USERS)",
        "startswith(_NOT_THE_USERS[0])",
    ),
    Fault(
        "pointers",
        "the place of a block counts the parts that were dropped",
        "formats/anthropic/blocks.py",
        'f"{at}/content/{len(blocks)}"',
        'f"{at}/content/{i}"',
    ),
    Fault(
        "pointers",
        "a field that the wire has in no spelling is named by the first spelling",
        "codec/pointers.py",
        "if depth >= deepest:",
        "if depth > deepest:",
    ),
    Fault(
        "pointers",
        "a loss in the input of a block points at its arguments",
        "codec/arguments.py",
        '("/input" if "input" in vars(call) else "/arguments")',
        '"/arguments"',
    ),
    Fault(
        "pointers",
        "the system text is not counted among Anthropic's messages",
        "codec/pointers.py",
        "index -= 1  # the list has the others",
        "index -= 0  # the list has the others",
    ),
    Fault(
        "pointers",
        "tokens are escaped in the wrong order",
        "errors/texts.py",
        'token.replace("~", "~0").replace("/", "~1")',
        'token.replace("/", "~1").replace("~", "~0")',
    ),
    Fault(
        "ids",
        "an answered id stays open",
        "codec/ids.py",
        "mapped = self.open.pop(raw)",
        "mapped = self.open[raw]",
    ),
    Fault(
        "ids",
        "an id that is the hash of another one stays as it is",
        "codec/ids.py",
        "self.rules.accepts(id) and id not in self.hashes",
        "self.rules.accepts(id)",
    ),
    Fault(
        "ids",
        "a shortened tool name is one character too long",
        "codec/ids.py",
        "[: longest - 9]",
        "[: longest - 8]",
    ),
    Fault(
        "ids",
        "an id that only looks like an escape is not escaped",
        "codec/ids.py",
        "self.accepts(text) and self.read(text) == text else escape_id(text)",
        "self.accepts(text) else escape_id(text)",
    ),
    Fault(
        "ids",
        "results without an id are answered in the wrong order",
        "codec/ids.py",
        "id = self.ids[name].popleft()",
        "id = self.ids[name].pop()",
    ),
    Fault(
        "stream",
        "a line break that two pieces of a body share counts twice",
        "conversion/framing.py",
        '        if text.endswith("\\r"):\n            self._after_cr = True\n',
        "",
    ),
    Fault(
        "restreaming",
        "a stream that was cut off is taken for a whole one",
        "conversion/streams.py",
        "if not (self._fold.complete or self.error is not None):",
        "if False:",
    ),
    Fault(
        "restreaming",
        "the name of an event is not used",
        "conversion/streams.py",
        "field is None or field in wire",
        "field is None or field not in wire",
    ),
    Fault(
        "restreaming",
        "a source stays open",
        "conversion/restreaming.py",
        "        close(pieces)\n        close(source)\n",
        "",
    ),
    Fault(
        "restreaming",
        "an async source stays open",
        "conversion/restreaming.py",
        "        await aclose(pieces)\n        await aclose(source)\n",
        "",
    ),
    Fault(
        "restreaming",
        "losses are not reported as they are found",
        "conversion/restreaming.py",
        "if len(self._losses) != self._count:",
        "if False:",
    ),
    Fault(
        "restreaming",
        "a failed stream ends as a whole one does",
        "conversion/restreaming.py",
        "if self._format.end_mark is not None and not self._has_failed():",
        "if self._format.end_mark is not None:",
    ),
    Fault(
        "restreaming",
        "the name of an event can be several lines",
        "conversion/restreaming.py",
        'if type(name) is not str or "\\n" in name or "\\r" in name:',
        "if type(name) is not str:",
    ),
    Fault(
        "stream",
        "an empty signature is repeated behind the real one",
        "codec/streams/part_events.py",
        'part.empty_signature = issuer if signature == "" else None',
        'part.empty_signature = issuer if signature == "" else part.empty_signature',
    ),
    Fault(
        "stream",
        "a new field that is null is not kept",
        "formats/openai_chat/open_choice.py",
        "if old.get(name, MISSING) != item}",
        "if old.get(name) != item}",
    ),
    Fault(
        "stream",
        "a fragment without an id begins another call",
        "formats/openai_chat/deltas.py",
        "    if call is not None and id and call.id not in (None, id):",
        "    if call is not None and call.id not in (None, id):",
    ),
    Fault(
        "stream",
        "a null in a later report of usage removes the count",
        "formats/openai_chat/stream.py",
        "if key in old and reported.get(key) is None}",
        "if key in old and key not in reported}",
    ),
    Fault(
        "stream",
        "a block without an index takes the place of the last one",
        "formats/anthropic/stream.py",
        "self._next = max(self._next, number + 1)",
        "self._next = number",
    ),
    Fault(
        "fold",
        "choices stand in the order in which they began",
        "model/folding.py",
        "for _, choice in sorted(self._choices.items()):",
        "for _, choice in self._choices.items():",
    ),
    Fault(
        "fold",
        "a flat text loses its other fields",
        "model/folding.py",
        'any(part.kind != "text" or part.data for part in content)',
        'any(part.kind != "text" for part in content)',
    ),
    Fault(
        "fold",
        "a call without arguments has a text as its input",
        "model/folding.py",
        'exact_object(text or "{}")',
        "exact_object(text)",
    ),
    Fault(
        "fold",
        "a list that is merged replaces what was there",
        "model/folding.py",
        "            old += _own(value)",
        "            old[:] = _own(value)",
    ),
    Fault(
        "schema",
        "an Anthropic system message without content is no longer open",
        "formats/anthropic/wire.py",
        'return "<message>" if role == "system" and value.get("content") is not None else "<other>"',
        'return "<message>" if role == "system" else "<other>"',
    ),
    Fault(
        "schema",
        "a Chat tool without a type is only an object",
        "formats/openai_chat/wire.py",
        'return "<function>" if kind == "function" or (kind is None and "function" in value) else "<other>"',
        'return "<function>" if kind == "function" else "<other>"',
    ),
    Fault(
        "schema",
        "null is a default",
        "schemas/json_schema.py",
        'if key != "default" or value is not None}',
        "}",
    ),
    Fault(
        "schema",
        "a schema lacks what only its definitions refer to",
        "schemas/json_schema.py",
        "            ahead += _references(definitions[name])\n    return seen",
        "            ahead += _references(definitions[name]) if len(seen) == 1 else ()\n    return seen",
    ),
    Fault(
        "errors",
        "a body without any field of a response is one",
        "conversion/responses.py",
        "        _check_response(wire, format, status)\n",
        "        pass\n",
    ),
    Fault(
        "errors",
        "the type of an error is read from its envelope",
        "codec/error_bodies.py",
        'if owner is not body or owner.get("type") != "error"',
        "if owner",
    ),
    Fault(
        "errors",
        "an error shows base64",
        "errors/__init__.py",
        'line(BASE64.sub("…", f"the provider',
        'line(str(f"the provider',
    ),
    Fault(
        "errors",
        "no error says what a payload looks like",
        "conversion/requests.py",
        "return detection.hint(data, kind, format)",
        "return None",
    ),
    Fault(
        "gemini",
        "a signature is sent to anyone at Gemini",
        "formats/gemini/parts.py",
        "(signature := d.sent_signature(owner, path))",
        "(signature := owner.signature)",
    ),
    Fault(
        "gemini",
        "Gemini's thoughts are read as text",
        "formats/gemini/parts.py",
        'if reader.wire.get("thought") is not True:',
        'if reader.wire.get("thought") is None or True:',
    ),
    Fault(
        "gemini",
        "Gemini's thinking budget is not read",
        "formats/gemini/maps.py",
        '_load_integers(thinking, out, "thinkingBudget")',
        '_load_integers(thinking, {}, "thinkingBudget")',
    ),
    Fault(
        "gemini",
        "citations at the end of Gemini's stream are lost",
        "formats/gemini/stream.py",
        "            _cite(answer, events)\n            _close(answer, events)",
        "            _close(answer, events)",
    ),
    Fault(
        "gemini",
        "citations are left out of requests to Gemini without a report",
        "formats/gemini/parts.py",
        '        _drop_citations(part.citations, path + "/citations", d)\n    may_be_empty',
        "        pass\n    may_be_empty",
    ),
    Fault(
        "bedrock",
        "Bedrock's cache points are not written",
        "formats/bedrock_converse/blocks.py",
        "return [out, cache_point(owner, path, d)]",
        "return out",
    ),
    Fault(
        "bedrock",
        "a refusal becomes text at Bedrock without a report",
        "formats/bedrock_converse/blocks.py",
        '    d.report("changed", path, at, "Converse has no refusals: the refusal becomes text")\n',
        "    d.places[at] = path\n",
    ),
    Fault(
        "bedrock",
        "what Bedrock read from the cache is counted as written",
        "formats/bedrock_converse/responses.py",
        '"cache_read_tokens": ("cacheReadInputTokens",),',
        '"cache_read_tokens": ("cacheWriteInputTokens",),',
    ),
    Fault(
        "bedrock",
        "the usage of Bedrock's stream is not read",
        "formats/bedrock_converse/stream.py",
        '        if "usage" in out:\n            events.append(UsageUpdate',
        '        if "use" in out:\n            events.append(UsageUpdate',
    ),
    Fault(
        "responses",
        "outputs of Responses lose the id of their call",
        "formats/openai_responses/items.py",
        'reader.move_typed(out, str, "name", call_id="tool_call_id")',
        'reader.move_typed(out, str, "name")',
    ),
    Fault(
        "responses",
        "calls of Responses are no reason to stop",
        "formats/openai_responses/responses.py",
        'ends_calls=("completed",),',
        'ends_calls=("complete",),',
    ),
    Fault(
        "responses",
        "what Responses wrote to the cache is what it read",
        "formats/openai_responses/responses.py",
        '"cache_write_tokens": ("input_tokens_details", "cache_write_tokens"),',
        '"cache_write_tokens": ("input_tokens_details", "cached_tokens"),',
    ),
    Fault(
        "stream",
        "text of a streamed part is an event and not kept",
        "codec/streams/part_events.py",
        "        self.pieces.append(text)\n",
        "",
    ),
    Fault(
        "responses",
        "items of Responses that stood apart are joined",
        "formats/openai_responses/items.py",
        '        _spell(made[0][1], "item", "new")',
        "        pass",
    ),
    Fault(
        "check",
        "results of one run are looked for in its first message only",
        "codec/rules/pairing.py",
        "        found += results[at]\n        at += 1\n",
        "        found += results[at]\n        break\n",
    ),
    Fault(
        "check",
        "an empty list of calls is no more than a call",
        "formats/openai_chat/rules/request.py",
        'message.keys() == _CALLS and message["tool_calls"]',
        "message.keys() == _CALLS",
    ),
    Fault(
        "check",
        "a text that is cut inside a character is not seen",
        "formats/openai_chat/rules/request.py",
        "if len(content) > _LONG or not content.isascii():",
        "if len(content) > _LONG:",
    ),
    Fault(
        "check",
        "the greatest value of a setting is refused",
        "codec/rules/settings.py",
        "value > greatest",
        "value >= greatest",
    ),
    Fault(
        "check",
        "an SDK's objects in a body are not looked into",
        "checking/checks.py",
        "unwrapped = unwrap(body)",
        "unwrapped = body",
    ),
    Fault(
        "check",
        "base64 of any length is taken",
        "codec/rules/media.py",
        "len(letters) % 4 != 1",
        "len(letters) >= 0",
    ),
    Fault(
        "arrow",
        "structs keep the nulls that Arrow fills in",
        "arrow/batches.py",
        "for name, item in value.items() if item is not None}",
        "for name, item in value.items()}",
    ),
    Fault(
        "arrow",
        "an error names the row of a piece of the table",
        "arrow/batches.py",
        "zip(pieces, starts, strict=False)]",
        "zip(pieces, [0] * len(pieces), strict=False)]",
    ),
    Fault(
        "arrow",
        "a field that is null becomes absent",
        "arrow/columns.py",
        "            nulls.append(field)\n",
        "            pass\n",
    ),
)


def misplaced(root: Path) -> list[str]:
    """The faults whose text does not stand exactly once in its file."""
    counts = {fault: (root / PACKAGE / fault.file).read_text(encoding="utf-8").count(fault.text) for fault in FAULTS}
    return [f"{fault.file}: {count} times: {fault.text!r}" for fault, count in counts.items() if count != 1]


def sources() -> list[str]:
    """The files of the repository, those that are new included."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def copied(folder: Path) -> Path:
    """A copy of the repository in this folder."""
    for source in map(ROOT.joinpath, sources()):
        target = folder / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    modules = ROOT / "tests/schemas/interop/node_modules"
    if modules.exists():
        (folder / "tests/schemas/interop/node_modules").symlink_to(modules.resolve())
    return folder


def planted(fault: Fault, sound: Path) -> str | None:
    """The first test that fails in a copy with the fault; None where none does."""
    with tempfile.TemporaryDirectory() as folder:
        # The copy has the bytecode that the tests without a fault have left, so that only the broken file is compiled anew.
        copy = Path(shutil.copytree(sound, Path(folder) / "copy", symlinks=True))
        broken = copy / PACKAGE / fault.file
        broken.write_text(broken.read_text(encoding="utf-8").replace(fault.text, fault.instead), encoding="utf-8")
        return first_failure(copy, fault)


def first_failure(copy: Path, fault: Fault | None = None) -> str | None:
    """The first test of a copy that fails, beginning with those that are likely to find the fault; None where none does."""
    groups = in_order(sorted((copy / "tests").rglob("test_*.py")), fault)
    return next((test for tests in groups if tests and (test := failure(copy, tests))), None)


def in_order(tests: list[Path], fault: Fault | None) -> list[list[Path]]:
    """All tests in groups, those that are likely to find the fault first."""
    parts = () if fault is None else (fault.area, *Path(fault.file).with_suffix("").parts)
    words = {*parts} - {"codec", "formats", "model"}
    near = [test for test in tests if any(word in test.stem or word in test.parts[-3:-1] for word in words)]
    first = [test for test in tests if test not in near and test.stem.removeprefix("test_") in FIRST]
    left = [test for test in tests if test not in near and test not in first]
    wing = [test for test in left if fault is not None and Path(fault.file).parts[0] in test.parts[:-1]]
    outer = [test for test in left if test not in wing and not OUTER.isdisjoint(test.parts)]
    return [near, first, wing, [test for test in left if test not in wing and test not in outer], outer]


def failure(copy: Path, tests: list[Path]) -> str | None:
    """The first of these tests that fails; None where none does."""
    command = [sys.executable, "-m", "pytest", "-n", "auto", "-x", "-q", "--no-header", "--tb=no", *map(str, tests)]
    command += ["-m", "not traffic and not rivals and not clients and not engines and not browser and not pythons"]
    environment = os.environ | {"PYTHONPATH": str(copy / "src")}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    if found is None:
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
    return found[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="words of what the fault does, or its area; default: all faults"
    )
    parser.add_argument("--check", action="store_true", help="only check that each fault still has its place")
    asked = parser.parse_args()
    if wrong := misplaced(ROOT):
        print("These faults have no place any more:", *wrong, sep="\n")
        return 1
    if asked.check:
        return 0
    chosen = [fault for fault in FAULTS if not asked.names or any(name in (fault.area, fault.what) for name in asked.names)]
    missed: list[Fault] = []
    with tempfile.TemporaryDirectory() as folder:
        sound = copied(Path(folder))
        if test := first_failure(sound):
            print(f"Without any fault, this fails: {test}")
            return 1
        for fault in chosen:
            start = time.monotonic()
            test = planted(fault, sound)
            if test is None:
                missed.append(fault)
            print(f"{time.monotonic() - start:4.0f} s  {fault.area}: {fault.what}: {test or 'MISSED'}", flush=True)
    print(f"{len(chosen) - len(missed)} of {len(chosen)} faults were found.")
    return int(len(missed) > MOST_MISSED)


if __name__ == "__main__":
    sys.exit(main())
