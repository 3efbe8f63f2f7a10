"""Test the bounds of connections with real sockets of this machine: strangers who say nothing hold up nobody."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
import urllib.request
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason='pip install -e ".[serve]"')

import uvicorn
from starlette.responses import PlainTextResponse

from cli.web import connections
from cli.web.connections import connection_class
from tests.cli.conftest import PROGRAM, Folder, environment, interruptible

HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"  # of a head
WHOLE = HALF + b"\r\n"
FILES = 192  # that a process of a test may open
RAIN = PlainTextResponse("rain")
STRANGERS = 300  # connections
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)


async def read_first(scope: Any, receive: Any, send: Any) -> None:
    """Read the body of a request before it is answered."""
    while (message := await receive())["type"] == "http.request" and message["more_body"]:
        pass
    if message["type"] == "http.request":
        await RAIN(scope, receive, send)


@asynccontextmanager
async def serving(app: Any = RAIN, *, most: int = 100) -> AsyncIterator[Callable[[], Coroutine[Any, Any, Streams]]]:
    """Yield a function that opens a connection to a server that allows so many."""
    config = uvicorn.Config(app, log_config=None, ws="none", lifespan="off")
    config.http = connection_class(most)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        task = asyncio.create_task(server.serve(sockets=[listening]))
        address = listening.getsockname()
        opened = list[Streams]()

        async def connect() -> Streams:
            opened.append(await asyncio.open_connection(*address))
            return opened[-1]

        yield connect
        for _, writer in opened:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
        server.should_exit = server.force_exit = True
        await task


async def answer(streams: Streams) -> bytes:
    """Ask on a connection, and return the first bytes of the answer."""
    streams[1].write(WHOLE)
    async with asyncio.timeout(5):
        return await streams[0].read(1000)


async def has_ended(streams: Streams) -> bool:
    """Return whether a connection ends within a while, without any answer."""
    try:
        async with asyncio.timeout(2):
            return await streams[0].read() == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("said", [b"", HALF, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9"])
@pytest.mark.usefixtures("quick")
def test_connection_without_a_whole_head_ends(said: bytes) -> None:
    async def work() -> None:
        async with serving() as connect:
            streams = await connect()
            streams[1].write(said)
            assert await has_ended(streams)

    run(work())


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_head_letter_by_letter_ends_the_connection() -> None:
    async def work() -> None:
        async with serving() as connect:
            streams = await connect()

            async def dribble() -> None:
                while True:
                    streams[1].write(b"x")
                    await asyncio.sleep(0.02)

            dribbling = asyncio.create_task(dribble())
            assert await has_ended(streams)
            dribbling.cancel()

    run(work())


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_half_a_head_after_an_answer_ends_the_connection() -> None:
    async def work() -> None:
        async with serving() as connect:
            streams = await connect()
            assert b"rain" in await answer(streams)
            streams[1].write(HALF)
            assert await has_ended(streams)

    run(work())


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_body_letter_by_letter_ends_the_connection() -> None:
    async def work() -> None:
        async with serving() as connect:
            reader, writer = await connect()
            writer.write(HALF + b"Content-Length: 100000\r\n\r\nab")
            assert b"rain" in await reader.read(1000)
            assert await has_ended((reader, writer))

    run(work())


@pytest.mark.slow
@pytest.mark.parametrize(
    "said",
    [
        b"rain\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        HALF + b"X: " + 100_000 * b"x",
        HALF + b"X\x00: 1\r\n\r\n",
        HALF + b"Content-Length: -1\r\n\r\n",
        b"\xff\xfe\r\n\r\n",
    ],
)
def test_what_is_no_http_is_refused_in_json(said: bytes) -> None:
    async def work() -> None:
        async with serving() as connect:
            reader, writer = await connect()
            writer.write(said)
            async with asyncio.timeout(5):
                head, _, body = (await reader.read()).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 400")
            assert b"content-type: application/json" in head.lower()
            assert json.loads(body)["code"] == "L-HTTP"

    run(work())


def test_bad_part_of_a_body_is_refused_in_json() -> None:
    async def work() -> None:
        async with serving(read_first) as connect:
            reader, writer = await connect()
            writer.write(b"POST" + HALF[3:] + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n")
            async with asyncio.timeout(5):
                head, _, body = (await reader.read()).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 400")
            assert json.loads(body)["code"] == "L-HTTP"

    run(work())


@pytest.mark.slow
def test_new_connection_takes_the_place_of_the_oldest_that_waits() -> None:
    async def work() -> None:
        async with serving(most=8) as connect:
            waiting = [await connect() for _ in range(8)]
            await asyncio.sleep(0.1)
            assert b"rain" in await answer(await connect())
            assert await has_ended(waiting[0])
            assert b"rain" in await answer(waiting[-1])

    run(work())


def port_of(link: str) -> int:
    """Return the port in a link."""
    return int(link.rpartition(":")[2].strip("/"))


@contextmanager
def strangers(port: int) -> Iterator[list[socket.socket]]:
    """Yield many connections that have said half a head."""
    opened = [socket.create_connection(("127.0.0.1", port)) for _ in range(STRANGERS)]
    try:
        for each in opened:
            each.sendall(HALF)
        yield opened
    finally:
        for each in opened:
            each.close()


ODD = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(50),
    b"GET / HTTP/1.1\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    HALF + b"X: " + 100_000 * b"x",
    HALF + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    b"POST" + HALF[3:] + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST" + HALF[3:] + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    b"GET /session/" + 5000 * b"9" + b"/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /t/%ed%a0%80%00/events HTTP/1.1\r\nHost: [::\r\n\r\n",
    20 * WHOLE,
)


@pytest.mark.slow
def test_odd_requests_print_nothing(night: Folder, stopping: list[subprocess.Popen]) -> None:
    process = night.start_process("serve", "--port", "0")
    stopping.append(process)
    link = re.findall(r"http://\S+", process.stdout.readline())[0]
    with urllib.request.urlopen(link, timeout=30) as first:
        assert first.status == 200
    for request in ODD:
        with socket.create_connection(("127.0.0.1", port_of(link))) as stranger, suppress(ConnectionError):
            stranger.settimeout(5)
            stranger.sendall(request)
            answer = stranger.recv(100)
            assert answer[:9] in (b"", b"HTTP/1.1 ")
            assert answer[9:10] != b"5"
    process.terminate()
    process.wait(timeout=10)
    assert process.stderr.read() == "End with Ctrl-C.\n"


@pytest.mark.slow
def test_strangers_hold_up_nobody(night: Folder, stopping: list[subprocess.Popen]) -> None:
    words = ["sh", "-c", f'ulimit -n {FILES} && exec "$@"', "serve", str(PROGRAM), "-C", str(night.path)]
    process = subprocess.Popen(
        [*words, "serve", "--port", "0"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=interruptible,
    )
    stopping.append(process)
    link = re.findall(r"http://\S+", process.stdout.readline())[0]
    with urllib.request.urlopen(link, timeout=30) as first:
        assert first.status == 200
    with strangers(port_of(link)):
        for _ in range(3):
            with closing(urllib.request.urlopen(link, timeout=5)) as page:
                assert page.status == 200
    process.terminate()
    process.wait(timeout=10)
    lines = process.stderr.read().splitlines()
    assert lines == ["End with Ctrl-C."]
