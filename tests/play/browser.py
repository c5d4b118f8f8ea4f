"""A headless Chromium, driven over WebDriver with nothing but the standard library."""

import base64
import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

SECONDS = 60  # for the page to come to what a test waits for


def missing():
    """What is not here, as a reason; None where a browser can be driven."""
    if not (shutil.which("chromium") or shutil.which("chromium-browser")):
        return "there is no chromium here"
    if not shutil.which("chromedriver"):
        return "there is no chromedriver here"
    return None


class Browser:
    def __init__(self, port, folder):
        self.driver = f"http://127.0.0.1:{port}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}",
                     "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1280,900"]  # there is no network
        options = {"args": arguments, "binary": shutil.which("chromium") or shutil.which("chromium-browser")}
        asked = {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options,
                                                  "goog:loggingPrefs": {"browser": "ALL"}}}}
        self.session = self.request("POST", "/session", asked)["sessionId"]

    def request(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.driver + path, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(asked, timeout=300) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def of_session(self, method, path, body=None):
        return self.request(method, f"/session/{self.session}{path}", body)

    def command(self, name, **parameters):
        """A command of the DevTools."""
        return self.of_session("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def open(self, address):
        self.of_session("POST", "/url", {"url": "about:blank"})  # another # alone would load nothing
        self.of_session("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        """What a function body returns in the page."""
        return self.of_session("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments, seconds=SECONDS):
        """Waits until a function body returns something, and gives that back."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.run(script, *arguments)
            if found:
                return found
            time.sleep(0.05)
        raise RuntimeError(f"the page does not come to: {script}; it says: {self.text('#notice')}")

    def text(self, selector):
        return self.run("const e = document.querySelector(arguments[0]); return e ? e.textContent : ''", selector)

    def click(self, selector):
        """A click as of a reader: in the middle of what is seen."""
        found = self.of_session("POST", "/element", {"using": "css selector", "value": selector})
        self.of_session("POST", f"/element/{next(iter(found.values()))}/click", {})

    def click_at(self, x, y):
        """A click on a place of the window."""
        move = {"type": "pointerMove", "x": round(x), "y": round(y)}
        actions = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.of_session("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]})

    def choose(self, selector, value):
        """Sets an input or a choice, as a reader does."""
        self.run("const e = document.querySelector(arguments[0]); e.value = arguments[1];"
                 "e.dispatchEvent(new Event('input', {bubbles: true}));"
                 "e.dispatchEvent(new Event('change', {bubbles: true}));", selector, value)

    def press(self, *keys):
        codes = {"ArrowRight": "\ue014", "ArrowDown": "\ue015", "Enter": "\ue007", "Tab": "\ue004"}
        actions = [{"type": kind, "value": codes.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.of_session("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def look(self, width, height=900, **features):
        """The size of the window, and what the reader prefers: prefers_color_scheme="dark"."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.command("Emulation.setEmulatedMedia", features=[{"name": name.replace("_", "-"), "value": value}
                                                             for name, value in features.items()])

    def picture(self, path, whole=True):
        """A screenshot of the page."""
        size = self.command("Page.getLayoutMetrics")["cssContentSize"]
        more = {"captureBeyondViewport": True, "clip": {**size, "scale": 1}} if whole else {}
        shot = self.command("Page.captureScreenshot", format="png", **more)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot))

    def complaints(self):
        """Errors in the console."""
        return [entry["message"] for entry in self.of_session("POST", "/se/log", {"type": "browser"})
                if entry["level"] == "SEVERE"]


@contextlib.contextmanager
def browser():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        driver = subprocess.Popen([shutil.which("chromedriver"), "--port=0"], stdout=subprocess.PIPE, text=True,
                                  stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env={**os.environ, "HOME": folder})
        made = None
        try:
            port = next(found.group(1) for found in map(re.compile(r"successfully on port (\d+)").search, driver.stdout) if found)
            made = Browser(port, f"{folder}/profile")
            yield made
        finally:
            if made is not None:
                made.of_session("DELETE", "")
            driver.terminate()
            driver.wait()
