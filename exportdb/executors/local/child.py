"""A forked worker, seen from the parent: what it says, what it prints, what it is sent.

Owns the two ends that are held here. Nothing in it waits: the child may be stopped, may have given
its end to others, or may write without end. What is said of it, and when it has to go, is left to
``pool``; the other end of the line is ``worker``'s.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from typing import Any

#: Bytes of a child's output that are kept: a native stack is long, and comes after its reason.
TAIL = 64_000
#: Longest line, in bytes, that a child may send.
MAX_LINE = 64 * 2**20
#: What a message can be; ``worker`` says what each means.
KINDS = {"ready", "at", "value", "raised", "so_far"}


class Child:
    """The socket to talk over and the pipe that all it prints goes into."""

    def __init__(self, number: int, channel: socket.socket, output: int) -> None:
        self.number, self.channel, self.output = number, channel, output
        #: Set when the server has seen it end: the exit code, or minus the signal that ended it.
        self.exit_code: int | None = None
        #: Whether nothing more can come over the channel, and out of the pipe.
        self.mute = self.silent = False
        #: What it was sent and has not taken yet.
        self.unsent = b""
        #: The end of what was printed since :meth:`forget_output`, and the count of all its bytes.
        self.tail, self.printed = b"", 0
        self._incoming = bytearray()
        channel.setblocking(False)
        os.set_blocking(output, False)

    def send(self, data: bytes = b"") -> None:
        """Have it take these bytes, too, as far as it does; call it again for the rest."""
        self.unsent += data
        try:
            self.unsent = self.unsent[self.channel.send(self.unsent) :]
        except BlockingIOError:
            return
        except OSError:  # it is gone, which the server tells
            self.unsent = b""

    def messages(self) -> Iterator[dict[str, Any]]:
        """What it has said. Raises ValueError if that is not a line of ``worker``'s."""
        try:
            received = self.channel.recv(2**20)
            self.mute = not received
        except BlockingIOError:
            return
        except OSError:
            received, self.mute = b"", True
        self._incoming += received
        if len(self._incoming) > MAX_LINE:
            raise ValueError("a line is too long")
        if b"\n" in received:
            *lines, self._incoming = self._incoming.split(b"\n")
            for line in lines:
                yield _parsed(line)

    def read_output(self) -> None:
        """Read what it has printed, as much as is fair to the other children."""
        for _ in range(16):
            try:
                text = os.read(self.output, 65536)
            except BlockingIOError:
                return
            if not text:
                self.silent = True
                return
            self.tail = (self.tail + text)[-TAIL:]
            self.printed += len(text)

    def forget_output(self) -> None:
        """What is printed from now on belongs to another task."""
        self.tail, self.printed = b"", 0

    def close(self) -> None:
        """Close both ends. Twice is once."""
        self.channel.close()
        if self.output >= 0:
            os.close(self.output)
            self.output = -1


def _parsed(line: bytearray) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except RecursionError:
        raise ValueError("a line is nested too deeply") from None
    if not isinstance(message, dict) or len(KINDS & message.keys()) != 1:
        raise ValueError("a line is no message")
    if (raised := message.get("raised")) is not None:
        texts = raised.values() if isinstance(raised, dict) else ()
        if len(texts) != 3 or not all(isinstance(t, str) for t in texts):
            raise ValueError("a line tells of no error")
    return message
