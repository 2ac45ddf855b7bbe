"""memo as a library. Each call runs the executable with `--json`, as the npm package does, through the same daemon."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from datetime import datetime
from typing import Any, Iterator, List, Mapping, Optional, Sequence, TypedDict, Union, cast

__all__ = ["Change", "FoundMemory", "Memo", "Memory", "MemoError", "MemoryType", "Recall"]


class Memory(TypedDict):
    """A memory; `path` is its Markdown file. In a list it also has `description`, `tags`, `days` and `created`."""

    name: str
    type: str
    scope: str
    path: str


class FoundMemory(Memory):
    """A result of a search; `passage` is the part of its text that matches best."""

    score: float
    passage: str


class Recall(TypedDict):
    """What a prompt would get: `block` is the text added to the conversation, or empty."""

    outcome: str
    block: str
    memories: List[Memory]


class Change(TypedDict):
    """A change to a memory: `what` is `add`, `supersede`, `archive`, …"""

    id: str
    at: str
    what: str
    name: str
    path: str


class MemoryType(TypedDict):
    """A type of memories."""

    name: str
    keeps: str
    strategy: str
    threshold: float
    lifespanDays: Optional[int]


Option = Union[str, int, bool, Sequence[str], None]


class MemoError(Exception):
    """Raised when memo cannot do what you asked; has a `kind` and a `hint`."""

    def __init__(self, message: str, kind: str = "internal", hint: Optional[str] = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.hint = hint


class Memo:
    """The memories that apply in a folder. Its methods take the options of the commands."""

    def __init__(
        self,
        cwd: Union[str, "os.PathLike[str]", None] = None,
        env: Optional[Mapping[str, str]] = None,
        executable: Optional[str] = None,
    ) -> None:
        found = executable or shutil.which("memo", path=None if env is None else env.get("PATH"))
        if found is None:
            hint = "Install memo, or pass `executable`"
            raise MemoError("Cannot find `memo` on the PATH", "not-found", hint)
        self._executable, self._cwd, self._env = found, cwd, env

    def recall(self, prompt: str) -> Recall:
        """Return what a prompt would get from memo."""
        return cast(Recall, self._run(["recall"], [prompt]))

    def search(self, query: str, limit: Optional[int] = None, **filters: Option) -> List[FoundMemory]:
        """Return the best matches, best first; filters: `type`, `tag`, `scope`, `since`, `before`."""
        return cast(List[FoundMemory], self._run(["search"], [query], {"k": limit, **filters}))

    def add(self, text: str, **options: Option) -> Memory:
        """Add a memory; options: `name`, `description`, `type`, `scope`, `tags`."""
        return cast(Memory, self._run(["add"], options=options, stdin=text))

    def update(self, name: str, text: str, **options: Option) -> Memory:
        """Replace the text of a memory and archive the old one. Options: `description`, `tags`."""
        return cast(Memory, self._run(["edit"], [name], {**options, "text": "-"}, stdin=text))

    def forget(self, name: str, hard: bool = False) -> Memory:
        """Archive a memory; `hard` deletes it with every version."""
        return cast(Memory, self._run(["forget"], [name], {"hard": hard, "yes": hard}))

    def list(self, **filters: Option) -> List[Memory]:
        """Return the memories; filters as for a search."""
        return cast(List[Memory], self._run(["list"], options=filters))

    def history(self, name: str, limit: int = 1000) -> List[Change]:
        """Return the changes to a memory, newest first."""
        return cast(List[Change], self._run(["log"], [name], {"n": limit}))

    def types(self) -> List[MemoryType]:
        """Return the types of memories."""
        return cast(List[MemoryType], self._run(["config", "types"]))

    def events(self, every: float = 2.0) -> Iterator[Change]:
        """Yield every change from now on, whoever makes it; asks memo every `every` seconds."""
        # A change made during the first read counts too.
        begun = time.time_ns() // 1_000_000
        before = self._run(["log"], options={"n": 1000})
        known = {change["id"] for change in before if _milliseconds(change) < begun}
        while True:
            for change in reversed(self._run(["log"], options={"n": 1000})):
                if change["id"] not in known:
                    known.add(change["id"])
                    yield cast(Change, change)
            time.sleep(every)

    def _run(
        self,
        command: List[str],
        words: Sequence[str] = (),
        options: Mapping[str, Option] = {},
        stdin: str = "",
    ) -> Any:
        args = [self._executable, *command, "--json", *_flags(options), "--", *words]
        ended = subprocess.run(
            args, input=stdin, capture_output=True, cwd=self._cwd, env=self._env, encoding="utf-8"
        )
        try:
            value = json.loads(ended.stdout)
        except ValueError:
            raise MemoError(ended.stderr.strip() or "memo exited without an answer") from None
        if isinstance(value, dict) and "error" in value:
            error = value["error"]
            raise MemoError(error["message"], error["kind"], error.get("hint"))
        return value


def _flags(options: Mapping[str, Option]) -> Iterator[str]:
    """Options as memo takes them: `tags=["a", "b"]` is `--tags=a,b`."""
    for name, value in options.items():
        if value is None or value is False:
            continue
        if len(name) == 1:
            yield from (f"-{name}", str(value))
        elif value is True:
            yield f"--{name}"
        else:
            yield f"--{name}={value if isinstance(value, (str, int)) else ','.join(value)}"


def _milliseconds(change: Change) -> int:
    return round(datetime.fromisoformat(change["at"].replace("Z", "+00:00")).timestamp() * 1000)
