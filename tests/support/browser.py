"""Headless Chromium for tests of pages, driven over its DevTools protocol through a pair of pipes.

    with Browser(folder) as browser:
        page = browser.open(path)
        page.run("document.title")
        page.hover("#v-plan .b")

Nothing is sent over a network: messages are JSON, ended by a zero byte, on the file descriptors 3 and 4 of the browser.
What the page complains about is collected in `page.complaints`.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from base64 import b64decode
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.support.tools import need_tool

PATIENCE = 120.0
"""Seconds after which a browser that says nothing is taken for dead."""

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip


class Browser:
    """One Chromium with an empty profile in `folder`; ends with the `with` block."""

    def __init__(self, folder: Path) -> None:
        chromium = need_tool("chromium", "chromium-browser")
        (folder / "profile").mkdir()
        command = [chromium, *FLAGS, f"--user-data-dir={folder / 'profile'}", "about:blank"]
        theirs_in, self.to = os.pipe()
        self.back, theirs_out = os.pipe()

        def plug() -> None:
            ends = [os.dup(theirs_in), os.dup(theirs_out)]
            while min(ends) <= 4:
                ends = [os.dup(end) if end <= 4 else end for end in ends]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        home = {"HOME": str(folder), "PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            command, pass_fds=(3, 4), preexec_fn=plug, env=home, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        self.number = 0
        self.rest = b""
        self.listeners: dict[str, Callable[[str, Mapping[str, Any]], None]] = {}

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)

    def call(self, method: str, session: str | None = None, **arguments: Any) -> Any:
        """Sends a command and gives its result; events that come in between go to their session's listener."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": arguments} | (
            {"sessionId": session} if session else {}
        )
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self.number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self._tell(answer)

    def wait_for(self, event: str, session: str) -> None:
        """Returns when the event has come."""
        while True:
            message = self._read()
            self._tell(message)
            if message.get("method") == event and message.get("sessionId") == session:
                return

    def _tell(self, message: Mapping[str, Any]) -> None:
        if listener := self.listeners.get(message.get("sessionId", "")):
            listener(message["method"], message["params"])

    def _read(self) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.back], [], [], max(deadline - time.monotonic(), 0))
            data = os.read(self.back, 1 << 16) if ready else b""
            assert data, f"Chromium says nothing more; exit code {self.process.poll()}"
            self.rest += data
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def open(self, path: Path, width: int = 1280, height: int = 900, **media: str) -> Page:
        """A page from a file, loaded, in a window of so many pixels; `media` as in `Page.emulate`."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        self.listeners[session] = page.listen
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.resize(width, height)
        page.emulate(**media)
        page.call("Page.navigate", url=path.resolve().as_uri())
        self.wait_for("Page.loadEventFired", session)
        page.settle()
        return page


class Page:
    """One tab.

    `complaints` are uncaught errors, console messages, and everything that the browser logs; `asked` are the addresses
    that it loaded.
    """

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self.browser = browser
        self.session = session
        self.target = target
        self.complaints: list[str] = []
        self.asked: list[str] = []

    def listen(self, method: str, event: Mapping[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(event["exceptionDetails"])[:400])
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(json.dumps(event["args"])[:400])
        elif method == "Log.entryAdded":
            self.complaints.append(event["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.asked.append(event["request"]["url"])

    def call(self, method: str, **arguments: Any) -> Any:
        return self.browser.call(method, self.session, **arguments)

    def close(self) -> None:
        self.browser.call("Target.closeTarget", targetId=self.target)

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression; a promise is awaited."""
        done = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def settle(self) -> None:
        """Returns after the next two frames, when layout and observers have run."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def resize(self, width: int, height: int) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def emulate(self, media: str = "", **features: str) -> None:
        """A medium (`print`), and features by their names, with underscores for hyphens."""
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.call("Emulation.setEmulatedMedia", media=media, features=named)

    def hover(self, selector: str) -> None:
        """Moves the mouse to the middle of an element."""
        x, y = self._middle(selector)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.settle()

    def click(self, selector: str) -> None:
        x, y = self._middle(selector)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            count = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **count)
        self.settle()

    def tap(self, selector: str) -> None:
        """A finger on the middle of an element."""
        x, y = self._middle(selector)
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.settle()

    def press(self, *keys: str) -> None:
        """Keys, one after the other, by their DOM names; a single character is typed."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
                 "ArrowRight": 39, "ArrowDown": 40}  # fmt: skip
        for key in keys:
            facts: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": codes.get(key, 0)}
            facts |= {"text": key} if len(key) == 1 else {"code": key}
            self.call("Input.dispatchKeyEvent", type="keyDown", **facts)
            self.call("Input.dispatchKeyEvent", type="keyUp", **{k: v for k, v in facts.items() if k != "text"})
        self.settle()

    def screenshot(self, path: Path) -> None:
        """The whole page as a PNG, for people to look at."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(b64decode(shot["data"]))

    def _middle(self, selector: str) -> tuple[float, float]:
        found = self.run(
            "(e => { if (!e) return null; e.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'}); "
            "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })"
            f"(document.querySelector({json.dumps(selector)}))"
        )
        assert found, f"no element {selector}"
        return found[0], found[1]
