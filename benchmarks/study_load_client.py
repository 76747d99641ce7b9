"""Simulated participants of study_load.py, all at once in one process; what was acknowledged goes into a file.

python benchmarks/study_load_client.py LOG PORT PARTICIPANTS TRIALS THINK SEED
"""

import asyncio
import json
import random
import sys
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECONDS_BEFORE_NEXT_ATTEMPT = 0.25
SECONDS_TO_ANSWER = 30
ARRIVALS_SECONDS = 3
"""All participants arrive within this time."""


@dataclass
class Participant:
    """A participant with one connection, who sends everything until it is acknowledged."""

    name: str
    port: int
    trials: int
    think: float
    rng: random.Random
    acknowledged: list[dict[str, Any]] = field(default_factory=list)
    connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def take_part(self) -> None:
        """Start, answer all trials, finish."""
        await asyncio.sleep(self.rng.uniform(0, ARRIVALS_SECONDS))
        started, _ = await self.insist("/api/start", {"panel_id": self.name})
        token = started["token"]
        assert len(started["view"]["trials"]) == self.trials
        for trial in range(started["next"], self.trials):
            await asyncio.sleep(self.rng.expovariate(1 / self.think))
            key = str(uuid.UUID(int=self.rng.getrandbits(128)))
            answer = {"position": self.rng.randrange(2), "rt": self.rng.uniform(300, 3000), "by": "key"}
            body = {"token": token, "key": key, "trial": trial, "answer": answer, "lost_focus": 0}
            sent = time.monotonic()
            stored, attempts = await self.insist("/api/answer", body)
            assert stored == {"stored": True, "next": trial + 1}, stored
            self.acknowledged.append(
                {"participant": self.name, "trial": trial, "key": key, "sent": sent, "acknowledged": time.monotonic(),
                 "attempts": attempts}
            )  # fmt: skip
        done, _ = await self.insist("/api/finish", {"token": token})
        assert done["code"]
        self.disconnect()

    async def insist(self, path: str, body: dict[str, Any]) -> tuple[dict[str, Any], int]:
        """Send a request until it is answered; the answer, and how often it was sent."""
        for attempt in range(1, 1000):
            with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                async with asyncio.timeout(SECONDS_TO_ANSWER):
                    status, answer = await self.send(path, body)
                if status == 200:
                    return answer, attempt
                if status not in (429, 503):
                    sys.exit(f"{path} answered {status}: {answer}")
            kept_open = self.connection is not None
            self.disconnect()
            if not (attempt == 1 and kept_open):  # a connection kept open may be closed: try a new one at once
                await asyncio.sleep(SECONDS_BEFORE_NEXT_ATTEMPT * self.rng.uniform(0.5, 1.5))
        sys.exit(f"{path} is not answered")

    async def send(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Send a request over the open connection, or a new one."""
        if self.connection is None:
            self.connection = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.connection
        content = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
        length = next(int(line.partition(":")[2]) for line in lines if line.startswith("content-length:"))
        return int(lines[0].split()[1]), json.loads(await reader.readexactly(length))

    def disconnect(self) -> None:
        """Forget the connection."""
        if self.connection is not None:
            self.connection[1].close()
            self.connection = None


async def take_part_together(log: Path, port: int, participants: int, trials: int, think: float, seed: int) -> None:
    """Let all participants take part."""
    people = [
        Participant(f"P{n}", port, trials, think, random.Random(seed * 1_000_003 + n)) for n in range(participants)
    ]
    async with asyncio.TaskGroup() as group:
        for person in people:
            group.create_task(person.take_part())
    lines = (json.dumps(one) for person in people for one in person.acknowledged)
    log.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    file, port, participants, trials, think, seed = sys.argv[1:]
    asyncio.run(
        take_part_together(Path(file), int(port), int(participants), int(trials), float(think), int(seed))
    )  # fmt: skip
