"""What the functions of harmony share: the family, and the state of a dump."""

from __future__ import annotations

from typing import Any

from ...codec.dump import Dump
from ...codec.ids import Unanswered

FAMILY = "harmony"


class HarmonyDump(Dump):
    """A dump to harmony, whose results have the name of their function and no id."""

    at = "/prompt"
    """The pointer of the text that is written."""

    def begin(self) -> None:
        """Begin without calls."""
        self.called: dict[str, tuple[int, str]] = {}
        """The number and the function of each call, by the source's id."""
        self.without_id = Unanswered()
        """The calls without an id that have no result yet, by number."""
        self.written: dict[str, str] = {}
        """The names with which these calls were written, by number."""
        self.count = 0
        """The number of calls so far."""

    def note_call(self, call: Any, name: str) -> None:
        """Remember a call, and the name with which it was written, for its result."""
        self.count += 1
        if call.id is not None:
            self.called[call.id] = self.count, name
        else:
            self.without_id.add(str(self.count), call.name)
            self.written[str(self.count)] = name

    def answered(self, result: Any) -> tuple[int, str | None]:
        """The number and the function of the call that a result answers; 0, and the result's own name, if it answers none."""
        id: str | None = result.tool_call_id if "role" in vars(result) else result.tool_use_id
        if id is not None:
            return self.called.get(id, (0, result.name))
        found = self.without_id.take(result.name)
        return (0, result.name) if found is None else (int(found[0]), self.written[found[0]])
