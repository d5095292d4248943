"""Controls Chromium through WebDriver, and starts servers, with only Python's and Debian's packages."""

import json
import os
import pathlib
import re
import select
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "Sources/FaceVerifyServer/Resources"
CHROMIUM, CHROMEDRIVER = shutil.which("chromium"), shutil.which("chromedriver")
NEEDS_BROWSER = "needs Chromium (apt-get install --no-install-recommends chromium chromium-driver) and a built `faceverify serve`"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of element references in WebDriver
# A script: does the page say that an attempt was interrupted?
INTERRUPTED = "return Boolean(document.querySelector('main.screen-intro .reason'))"


def ask(method, url, body=None, headers={}, timeout=60):
    """Sends a request; returns status, headers and body. JSON is converted to and from values."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    if data is not None and "Content-Type" not in headers:
        headers = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            status, head, text = answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        status, head, text = error.code, error.headers, error.read()
    return status, head, json.loads(text) if "json" in (head.get("Content-Type") or "") and text else text


def line(process, pattern, seconds):
    """Waits for the first line of a process's output that matches the pattern; returns the match."""
    end, text = time.monotonic() + seconds, b""
    os.set_blocking(process.stdout.fileno(), False)
    while time.monotonic() < end and process.poll() is None:
        select.select([process.stdout], [], [], 0.2)
        text += process.stdout.read() or b""
        if found := re.search(pattern, text.decode(errors="replace")):
            return found
    raise RuntimeError(f"no {pattern!r} within {seconds} s: {text.decode(errors='replace')[-2000:]}")


def end(process):
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()


class Browser:
    """A browser window. `video` is the file that its camera plays repeatedly; None for no camera."""

    def __init__(self, *options, video="", size=(1280, 900)):
        self.folder = tempfile.mkdtemp(prefix="faceverify-browser-")
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={self.folder}",
                   f"--window-size={size[0]},{size[1]}", "--no-first-run", "--mute-audio", *options]
        if video is not None:
            options += ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
            if video:
                options.append(f"--use-file-for-fake-video-capture={video}")
        self.process = subprocess.Popen([CHROMEDRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        port = line(self.process, r"successfully on port (\d+)", 20)[1]
        self.base = f"http://127.0.0.1:{port}"
        self.session = ""
        chrome = {"binary": CHROMIUM, "args": options}
        capabilities = {"browserName": "chrome", "goog:chromeOptions": chrome, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        answer = self.command("POST", "", {"capabilities": {"alwaysMatch": capabilities}}, base=f"{self.base}/session")
        self.session = answer["sessionId"]

    def command(self, method, path, body=None, base=None):
        status, _, answer = ask(method, base or f"{self.base}/session/{self.session}{path}", body, timeout=120)
        if status != 200:
            raise RuntimeError(f"{path}: {answer['value'].get('error')}: {answer['value'].get('message', '')[:600]}")
        return answer["value"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.command("DELETE", "")
        except (RuntimeError, OSError):
            pass
        end(self.process)
        shutil.rmtree(self.folder, ignore_errors=True)

    def open(self, url):
        self.command("POST", "/url", {"url": url})

    def run(self, code, *arguments):
        """Runs JavaScript, which may await, and returns its result."""
        body = {"script": f"return (async () => {{ {code} }})().then(v => v === undefined ? null : v)"
                .replace("arguments[", "given["), "args": list(arguments)}
        body["script"] = "const given = arguments; " + body["script"]
        return self.command("POST", "/execute/sync", body)

    def cdp(self, name, **parameters):
        return self.command("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def logs(self, kind="browser"):
        return self.command("POST", "/se/log", {"type": kind})

    def before(self, code):
        """Adds JavaScript that runs before that of every page opened afterwards."""
        return self.cdp("Page.addScriptToEvaluateOnNewDocument", source=code)["identifier"]

    def size(self, width, height, scale=1):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 600)

    def media(self, **features):
        self.cdp("Emulation.setEmulatedMedia",
                 features=[{"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def until(self, code, seconds=5):
        """Waits until the expression is true, and returns its value."""
        end_time = time.monotonic() + seconds
        while True:
            if value := self.run(f"return {code}"):
                return value
            if time.monotonic() > end_time:
                raise AssertionError(f"not within {seconds} s: {code}; the page shows: {self.text()[:500]!r}")
            time.sleep(0.05)

    def text(self):
        return self.run("return document.body?.innerText ?? ''")

    def screen(self, *names, seconds=5):
        """Waits for one of the page's screens, and returns its name."""
        tests = " || ".join(f"document.querySelector('main.screen-{name}')" for name in names)
        self.until(f"Boolean({tests})", seconds)
        return self.run("return document.querySelector('main').className.match(/screen-([a-z]+)/)[1]")

    def click(self, selector):
        """A trusted click, which browsers count as a user gesture."""
        found = self.command("POST", "/element", {"using": "css selector", "value": selector})
        self.command("POST", f"/element/{found[ELEMENT]}/click", {})

    def press(self, selector):
        """A click that changes the screen, at least briefly."""
        self.run("document.querySelector('main').firstElementChild.dataset.pressed = ''")
        self.click(selector)
        self.until("!document.querySelector('main [data-pressed]')", 20)

    def upload(self, selector, *paths):
        found = self.command("POST", "/element", {"using": "css selector", "value": selector})
        self.command("POST", f"/element/{found[ELEMENT]}/value", {"text": "\n".join(map(str, paths))})

    def keys(self, *keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.command("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def picture(self, whole=False):
        import base64
        return base64.b64decode(self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"])


TAB, ENTER, SPACE, ESCAPE = "\ue004", "\ue007", " ", "\ue00c"


def program(name):
    """The built command, or None; `name` is faceverify or faceverify-scripted."""
    given = os.environ.get("FACEVERIFY_BINARY") if name == "faceverify" else os.environ.get("FACEVERIFY_SCRIPTED")
    path = given or str(ROOT / ".build/release" / name)
    return path if os.access(path, os.X_OK) else None


def has_server(name):
    binary = program(name)
    return binary and subprocess.run([binary, "serve", "--help"], capture_output=True).returncode == 0


class Server:
    """`faceverify serve`, optionally with a key, which disables the demonstration."""

    def __init__(self, *options, name="faceverify", key=True, port=0):
        binary = program(name)
        self.folder = tempfile.mkdtemp(prefix="faceverify-server-")
        self.key = None
        if key:
            said = subprocess.run([binary, "serve", "key", "add", "--name", "tests", "--json", "--data", self.folder],
                                  capture_output=True, text=True, check=True).stdout
            self.key = json.loads(said)["key"]
        # For development of the page: serves its files from a folder, without building the server again.
        files = ["--page", os.environ["FACEVERIFY_PAGE_FILES"]] if "FACEVERIFY_PAGE_FILES" in os.environ else []
        self.log = open(os.path.join(self.folder, "log"), "ab")
        self.command = [
            binary, "serve", "--data", self.folder, "--rate-limits", "off", "--admin-port", "0", *files, *options]
        self.start(port)

    def start(self, port):
        self.process = subprocess.Popen([*self.command, "--port", str(port)], stdout=subprocess.PIPE, stderr=self.log)
        self.url = line(self.process, r"faceverify: (http\S+?)/?\s", 120)[1]
        self.port = int(self.url.rsplit(":", 1)[1])

    def crash(self):
        """Kills the server; `start` restarts it."""
        self.process.kill()
        end(self.process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self.process)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, method, path, body=None, **headers):
        return ask(method, self.url + path, body, {"Authorization": f"Bearer {self.key}", **headers})

    def session(self, **body):
        status, _, answer = self.ask("POST", "/v1/sessions", body)
        if status != 201:
            raise AssertionError(f"{status}: {answer}")
        return answer


class Page:
    """The page without a journey, for tests with scripted views; any server that serves it is sufficient."""

    def __init__(self, *options, port=0):
        given = os.environ.get("FACEVERIFY_PAGE")
        name = next((name for name in ("faceverify-scripted", "faceverify") if has_server(name)), None)
        self.server = None if given else Server("--demo", *options, name=name, key=False, port=port)
        self.url = given or self.server.url

    @staticmethod
    def is_there():
        return bool(CHROMEDRIVER and CHROMIUM) and bool(
            os.environ.get("FACEVERIFY_PAGE") or has_server("faceverify-scripted") or has_server("faceverify"))

    def close(self):
        if self.server:
            self.server.__exit__()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
