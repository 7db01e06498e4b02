"""A headless Chromium, driven through its DevTools pipe with nothing but the standard library."""

import base64
import json
import os
import select
import shutil
import subprocess
import time

#: Names that Chromium goes by.
NAMES = ("chromium", "chromium-browser", "google-chrome")

#: Set where a missing browser is a failure and no reason to skip.
NEEDED = bool(os.environ.get("CAMICIA_NEED_BROWSER"))

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)

#: Seconds to wait for an answer; a busy machine starts a browser slowly.
PATIENCE = 120


def chromium():
    """The path of a Chromium, None if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One browser with one page; what goes wrong on the page is in `problems`."""

    def __init__(self, folder):
        # Chromium reads commands from descriptor 3 and writes answers to 4; a shell can give it these.
        commands, answers = folder / "commands", folder / "answers"
        os.mkfifo(commands)
        os.mkfifo(answers)
        script = 'exec "$@" 3<"$COMMANDS" 4>"$ANSWERS"'
        self._process = subprocess.Popen(
            ["sh", "-c", script, "sh", chromium(), *FLAGS, f"--user-data-dir={folder / 'profile'}"],
            env=os.environ | {"COMMANDS": str(commands), "ANSWERS": str(answers)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._out = open(commands, "wb", buffering=0)  # noqa: SIM115 - closed by `close`
        self._in = open(answers, "rb", buffering=0)  # noqa: SIM115
        self._rest = b""
        self._number = 0
        self._session = None
        self._loaded = False
        self.problems = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def close(self):
        """End the browser, with all its processes."""
        try:
            self._call("Browser.close")
            self._process.wait(PATIENCE)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._out.close()
        self._in.close()

    def open(self, path, fragment=""):
        """Load a file, and wait until it is loaded."""
        self.problems.clear()
        # A change of the fragment alone would not load the page anew.
        self.navigate("about:blank")
        self.navigate(path.resolve().as_uri() + fragment)

    def navigate(self, url):
        """Go to an address, and wait until it is loaded."""
        self._loaded = False
        self._call("Page.navigate", url=url)
        while not self._loaded:
            self._take()

    def value(self, expression):
        """The value of a JavaScript expression on the page."""
        answer = self._call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def text(self, id_):
        """The text of an element."""
        return self.value(f"document.getElementById({id_!r}).textContent")

    def press(self, key, shift=False):
        """Press a key."""
        event = {"key": key, "modifiers": 8 if shift else 0}
        if len(key) == 1:
            event |= {"text": key}
        codes = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, " ": 32, "Tab": 9}
        event["windowsVirtualKeyCode"] = codes.get(key, ord(key[0].upper()))
        for type_ in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=type_, **event)

    def window(self, width, height, dark=False):
        """Make the window so large, and ask for light or dark colours."""
        self.media(**{"prefers-color-scheme": "dark" if dark else "light"})
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def media(self, kind="", **features):
        """Let the page be on a medium, such as print, and of one who asks for such features."""
        wanted = [{"name": name, "value": value} for name, value in features.items()]
        self._call("Emulation.setEmulatedMedia", media=kind, features=wanted)

    def swipe(self, start, *points):
        """Put a finger on the page at a point, move it to others, and lift it."""
        self._call("Emulation.setTouchEmulationEnabled", enabled=True)
        for type_, where in [
            ("touchStart", [start]),
            *(("touchMove", [p]) for p in points),
            ("touchEnd", []),
        ]:
            self._call(
                "Input.dispatchTouchEvent", type=type_, touchPoints=[{"x": x, "y": y} for x, y in where]
            )
        self._call("Emulation.setTouchEmulationEnabled", enabled=False)

    def click(self, x, y):
        """Click with the mouse."""
        for type_ in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=type_, x=x, y=y, button="left", clickCount=1)

    def paste(self, text):
        """Put a text where the cursor stands."""
        self._call("Input.insertText", text=text)

    def clipboard(self):
        """What was copied."""
        self.value("document.body.insertAdjacentHTML('beforeend', '<textarea id=pasted></textarea>')")
        self.value("document.getElementById('pasted').focus()")
        self._call("Input.dispatchKeyEvent", type="keyDown", key="v", modifiers=2, commands=["paste"])
        return self.value(
            "(() => { const e = document.getElementById('pasted'), t = e.value; e.remove(); return t; })()"
        )

    def back(self, steps=-1):
        """Go through the history of the page, and wait until it has heard of it."""
        self.value(
            "new Promise((done) => { addEventListener('hashchange', done, {once: true}); "
            f"history.go({steps}); }})"
        )

    def screenshot(self, path):
        """Write a picture of the whole page."""
        data = self._call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))

    def _call(self, method, **parameters):
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._out.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._take()
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]

    def _take(self):
        """Read one message; note what it tells of the page."""
        until = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0, until - time.monotonic()))
            data = os.read(self._in.fileno(), 1 << 16) if ready else b""
            if not data:
                raise TimeoutError(f"no answer from the browser (exit code {self._process.poll()})")
            self._rest += data
        text, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(text)
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.exceptionThrown":
            self.problems.append(parameters["exceptionDetails"])
        elif method == "Runtime.consoleAPICalled":
            self.problems.append(parameters["args"])
        elif method == "Log.entryAdded":
            self.problems.append(parameters["entry"])
        elif method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            if not url.startswith(("file:", "data:", "about:")):
                self.problems.append(f"asked for {url}")
        return message
