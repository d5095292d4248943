"""The page on the real server: time, connections, reloads, tabs, pictures of documents. The people are drawn, in a
camera that is a file, and the scripted models decode them (Tests/server/drawn.py): nothing here is measured on
people."""

import http.server
import pathlib
import struct
import sys
import tempfile
import threading
import time
import unittest

from driver import CHROMEDRIVER, NEEDS_BROWSER, ROOT, Browser, Server, has_server

sys.path.append(str(ROOT / "Tests/server"))
try:
    import drawn
except ModuleNotFoundError:
    drawn = None
from proxy import Proxy

FACE = {"requests": [{"category": "face"}], "comparesFace": False, "faceModes": ["passive"], "assurance": {"presence": "passive-video"},
        "maximumTries": 10}
PAPER = {"requests": [{"category": "document"}], "documentModes": ["manual", "file"], "asksConfirmation": True, "comparesFace": False,
         "consents": [{"text": "I agree.", "isActive": True}]}
# Pictures in the camera's file, at 30 per second (Chromium's rate for MJPEG): longer than an attempt, because
# repetition is detected.
PICTURES = 600
# Seconds per attempt at a face, including delays of a busy machine; maximum number of attempts. The server interrupts
# attempts whose frames are late, and the page asks for another one: this is specified (docs/web.md). No decision is repeated.
ATTEMPT, TIMES = 40, 10
# Seconds until the page reports that the server is lost, and the timeout of its last request.
LOST, REQUEST = 15, 5
# The number of the last frame sent.
WATCH = """
window.sent = 0;
const real = window.fetch;
window.fetch = (path, options) => {
  if (path === "/v1/page/frames") {
    const data = new DataView(options.body.buffer);
    window.sent = Math.max(window.sent, data.getUint32(5) + data.getUint8(4) - 1);
  }
  return real(path, options);
};
"""


@unittest.skipUnless(CHROMEDRIVER and has_server("faceverify-scripted"), NEEDS_BROWSER)
@unittest.skipUnless(drawn, "needs NumPy and Pillow (apt-get install python3-numpy python3-pil)")
class Sessions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.video = pathlib.Path(cls.folder.name) / "person.mjpeg"
        person = drawn.DrawnPerson()
        cls.video.write_bytes(b"".join(person.next(None, 30) for _ in range(PICTURES)))
        cls.server = Server("--trust-camera-label", name="faceverify-scripted")
        cls.addClassCleanup(cls.server.__exit__)

    def open(self, body=FACE, proxy=None, video="", **more):
        """A new session with its page opened in a new window; returns both."""
        browser = Browser(video=None if video is None else str(self.video), size=(390, 844))
        self.addCleanup(browser.__exit__)
        browser.before(WATCH)
        made = self.server.session(**{**body, **more})
        browser.open(made["pageUrl"].replace(self.server.url, proxy.url if proxy else self.server.url))
        browser.screen("welcome", seconds=20)
        return browser, made

    def face(self, browser):
        """Shows a face until the end, again after an interrupted attempt."""
        for _ in range(TIMES):
            browser.screen("intro", seconds=20)
            browser.press("main .primary")
            if browser.screen("intro", "finished", seconds=ATTEMPT) == "finished":
                return
        self.fail(f"{TIMES} attempts were interrupted: this machine is too slow")

    def result(self, made):
        status, _, answer = self.server.ask("GET", f"/v1/sessions/{made['workflowExecutionId']}/result")
        self.assertEqual(status, 200, answer)
        return answer

    def proxy(self, **options):
        proxy = Proxy(lambda: self.server.url, **options)
        self.addCleanup(proxy.close)
        return proxy

    # MARK: Time

    def test_time_is_extended_on_request(self):
        begin = time.monotonic()
        browser, made = self.open(lifetime=30)
        browser.until("document.querySelector('dialog[open]')", 10)
        self.assertIn("Do you need more time?", browser.text())
        browser.click("dialog .primary")
        browser.until("!document.querySelector('dialog')")
        # At its first deadline nothing ends, and the offer is not repeated.
        time.sleep(max(0, begin + 32 - time.monotonic()))
        self.assertIsNone(browser.run("return document.querySelector('dialog')"))
        browser.click("main .primary")
        self.face(browser)
        self.assertEqual(self.result(made)["result"], "passed")

    def test_the_end_of_time_is_reported(self):
        browser, made = self.open(lifetime=30)
        browser.until("document.querySelector('dialog[open]')", 10)
        browser.click("dialog .quiet")
        browser.until("!document.querySelector('dialog')")
        browser.click("main .primary")
        browser.screen("intro")
        browser.until("document.querySelector('#left').textContent.includes('seconds')")
        browser.screen("finished", seconds=30 + 3)
        self.assertIn("The time has run out", browser.text())
        result = self.result(made)
        self.assertEqual((result["isComplete"], result["error"]["code"]), (False, "J000000"))

    # MARK: A hidden page

    def look_away(self, browser):
        """Another tab in front of it, briefly."""
        handle = browser.command("GET", "/window")
        browser.run("window.wasHidden = false; document.addEventListener('visibilitychange', () => (window.wasHidden = true))")
        other = browser.command("POST", "/window/new", {"type": "tab"})["handle"]
        browser.command("POST", "/window", {"handle": other})
        time.sleep(0.3)
        browser.command("DELETE", "/window")
        browser.command("POST", "/window", {"handle": handle})
        browser.until("window.wasHidden")

    def test_a_page_hidden_before_the_camera_is_open_ends_no_attempt(self):
        """On each screen before the camera: the first attempt is not ended by it."""
        consents = [{"text": "I agree.", "isActive": True}]
        screens = ("welcome", "consent", "intro", "trouble")
        for hidden in (*((screen,) for screen in screens), screens):
            with self.subTest(hidden=hidden):
                browser, made = self.open(consents=consents)
                browser.run("""const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices); let isFirst = true;
                    navigator.mediaDevices.getUserMedia = async (...wish) => {
                      if (isFirst) { isFirst = false; throw new DOMException("simulated", "NotReadableError"); }
                      return real(...wish); }""")
                for screen in screens:
                    browser.screen(screen, seconds=20)
                    if screen in hidden:
                        self.look_away(browser)
                        browser.screen(screen)
                    if screen == "consent":
                        browser.click("main .tick input")
                    browser.click("main .primary")
                browser.screen("face", seconds=20)
                for _ in range(TIMES):
                    if browser.screen("intro", "finished", seconds=ATTEMPT) == "finished":
                        break
                    browser.press("main .primary")
                result = self.result(made)
                self.assertTrue(result["isComplete"])
                self.assertNotIn("page-hidden", result["transport"]["faults"])
                browser.__exit__()

    def test_a_page_hidden_during_the_face_ends_the_attempt_alone(self):
        browser, made = self.open()
        browser.click("main .primary")
        browser.screen("intro")
        browser.press("main .primary")
        browser.screen("face", seconds=20)
        browser.until("window.sent > 3", 20)
        self.look_away(browser)
        browser.screen("intro", seconds=20)
        self.assertIn("page visible", browser.text())
        self.face(browser)
        result = self.result(made)
        self.assertTrue(result["isComplete"])
        # The next attempt does not suffer from it, and no frame of the first one counts for it.
        self.assertNotIn("page-hidden", result["transport"]["faults"])
        self.assertGreaterEqual(result["transport"]["attempts"], 2)

    # MARK: The face

    def test_a_declined_movement_is_in_the_result(self):
        browser, made = self.open(faceModes=["liveness"], light="on")
        browser.click("main .primary")
        browser.screen("intro")
        browser.click("main .tick input")
        browser.press("main .primary")
        browser.screen("face", seconds=20)
        token = "JSON.parse(sessionStorage['faceverify.session']).token"
        face = browser.until(f"(await (await fetch('/v1/page', {{headers: {{Authorization: `Bearer ${{{token}}}`}}}})).json()).feedback?.face", 10)
        self.assertTrue(0 < face["x"] < face["x"] + face["width"] < 1 and 0 < face["y"] < face["y"] + face["height"] < 1, face)
        browser.click("main .plain")
        browser.until("document.querySelector('dialog[open]')")
        browser.click("dialog .quiet")
        browser.screen("retrying", seconds=20)
        browser.click("footer button:last-child")
        browser.until("document.querySelector('dialog[open]')")
        browser.click("dialog .danger")
        browser.screen("finished", seconds=20)
        self.assertEqual(self.result(made)["transport"]["declined"], ["light", "movement"])

    # MARK: Pictures of documents

    def test_without_a_camera_one_attempt_suffices(self):
        browser, made = self.open(PAPER, video=None, maximumTries=1, consents=[], asksConfirmation=False)
        browser.click("main .primary")
        browser.screen("intro")
        browser.click("main .primary")
        browser.screen("trouble", seconds=20)
        browser.click("main .quiet")
        browser.screen("file", seconds=20)
        picture = pathlib.Path(self.folder.name) / "paper.jpg"
        picture.write_bytes(drawn.photo(1, 1))
        browser.upload("main input[type=file]", picture)
        browser.screen("finished", seconds=20)
        self.assertTrue(self.result(made)["isComplete"])

    def test_a_picture_is_confirmed(self):
        browser, made = self.open(PAPER)
        browser.click("main .primary")
        browser.screen("consent")
        browser.click("main .tick input")
        browser.click("main .primary")
        browser.screen("intro")
        browser.click("main .primary")
        for button in (".quiet", ".primary"):
            browser.screen("shutter", seconds=10)
            browser.until("!document.querySelector('main .primary').disabled", 10)
            browser.click("main .primary")
            browser.screen("confirm", seconds=10)
            # The picture shown is the one taken, and the camera is off meanwhile.
            browser.until("document.querySelector('img.taken').naturalWidth === 320", 10)
            self.assertIsNone(browser.run("return document.querySelector('video')?.srcObject ?? null"))
            browser.click(f"main {button}")
        browser.screen("finished", seconds=10)
        self.assertTrue(self.result(made)["isComplete"])

    # MARK: Reloads and tabs

    def test_a_reload_resumes(self):
        browser, made = self.open(PAPER)

        def again(*screens):
            browser.command("POST", "/refresh", {})
            browser.screen(*screens, seconds=20)

        again("welcome")
        browser.click("main .primary")
        browser.screen("consent")
        again("consent")
        browser.click("main .tick input")
        browser.click("main .primary")
        browser.screen("intro")
        again("intro")
        browser.click("main .primary")
        browser.screen("shutter", seconds=10)
        # The camera remains off until it is requested again; a document allows gaps.
        again("paused")
        browser.click("main .primary")
        browser.screen("shutter", seconds=10)
        browser.until("!document.querySelector('main .primary').disabled", 10)
        browser.click("main .primary")
        browser.screen("confirm", seconds=10)
        again("confirm")
        browser.until("document.querySelector('img.taken').naturalWidth === 320", 10)
        browser.click("main .primary")
        browser.screen("finished", seconds=10)
        again("finished")
        self.assertEqual(len(self.result(made)["consents"]), 1, "nothing was asked twice")

    def test_a_second_tab_takes_over(self):
        """A duplicated tab takes over; the first one reports it, and both end."""
        browser, made = self.open()
        browser.click("main .primary")
        browser.screen("intro")
        browser.click("main .primary")
        browser.screen("face", seconds=20)
        first = browser.command("GET", "/window")
        # A window opened by the page has a copy of its storage, like a duplicated tab.
        browser.run("window.open(location.href)")
        second, = set(browser.command("GET", "/window/handles")) - {first}
        browser.command("POST", "/window", {"handle": second})
        self.face(browser)
        browser.command("POST", "/window", {"handle": first})
        browser.screen("finished", seconds=30)
        self.assertIsNone(browser.run("return document.querySelector('video')?.srcObject ?? null"))
        self.assertEqual(self.result(made)["result"], "passed")

    def used(self, **more):
        """A link that another window has used, and its session."""
        made = self.server.session(**{**FACE, **more})
        token = made["pageUrl"].split("#t=")[1]
        status, _, answer = self.server.ask("POST", "/v1/page/claim", {"pageToken": token})
        self.assertEqual(status, 200)
        return made["pageUrl"], made

    def state(self, made):
        return self.server.ask("GET", f"/v1/sessions/{made['workflowExecutionId']}")[2]["state"]

    def test_a_session_belongs_to_the_link_that_began_it(self):
        """A tab with one person's unfinished session: no other link continues it, however it is opened."""
        mine, made = self.open(PAPER)
        mine.click("main .primary")
        mine.screen("consent")
        address = self.server.url + "/s"
        unknown, truncated = f"{address}#t=fvp_{'A' * 43}", f"{address}#t="
        link, _ = self.used()
        for name, url in (("used", link), ("unknown", unknown), ("truncated", truncated), ("empty", address + "#x"), ("other node", link + "&n=n9")):
            for way in ("address", "fragment", "window"):
                with self.subTest(link=name, way=way):
                    # Back to the own session, which is untouched.
                    mine.open(made["pageUrl"])
                    mine.screen("consent", seconds=20)
                    window = mine.command("GET", "/window")
                    if way == "address":
                        mine.open("about:blank")
                        mine.open(url)
                    elif way == "fragment":
                        mine.run(f"location.hash = {url.split('#')[1]!r}")
                    else:
                        mine.run(f"window.open({url!r})")
                        other, = set(mine.command("GET", "/window/handles")) - {window}
                        mine.command("POST", "/window", {"handle": other})
                    mine.screen("blocked", seconds=20)
                    self.assertNotIn("I agree", mine.text())
                    self.assertIn("Another check is still open", mine.text())
                    # A reload changes nothing, and messages of an embedding program do not reach the session.
                    mine.command("POST", "/refresh", {})
                    mine.screen("blocked", seconds=20)
                    answer = mine.run("return await faceverify.receive({action: 'createEntity', data: {a: 1}})")
                    self.assertTrue(answer["error"], answer)
                    if way == "window":
                        mine.command("DELETE", "/window")
                        mine.command("POST", "/window", {"handle": window})
        mine.open(made["pageUrl"])
        mine.screen("consent", seconds=20)
        self.assertEqual(self.state(made), "active")

    def test_the_back_button_does_not_mix_sessions(self):
        browser, first = self.open(PAPER)
        second = self.server.session(**FACE)
        browser.open("about:blank")
        browser.open(second["pageUrl"])
        browser.screen("welcome", seconds=20)
        # Back to the entry of the first link: the window's session is the second one's.
        browser.run("history.go(-2)")
        browser.screen("blocked", seconds=20)
        browser.run("history.go(2)")
        browser.screen("welcome", seconds=20)
        self.assertIn("Your face", browser.text())

    def test_frames_of_one_page_do_not_mix_sessions(self):
        """Frames of one origin share the storage of their tab."""
        class Shop(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(shop.page)

            def log_message(self, *_):
                pass

        shop = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
        threading.Thread(target=shop.serve_forever, daemon=True).start()
        self.addCleanup(shop.server_close)
        self.addCleanup(shop.shutdown)
        origin = f"http://127.0.0.1:{shop.server_port}"
        server = Server("--allow-embedding", origin, name="faceverify-scripted")
        self.addCleanup(server.__exit__)
        shop.page = "".join(f'<iframe src="{server.session(**body)["pageUrl"]}"></iframe>' for body in (PAPER, FACE)).encode()
        browser = Browser(video=None)
        self.addCleanup(browser.__exit__)
        browser.open(origin)
        seen = set()
        for index in (0, 1):
            browser.command("POST", "/frame", {"id": index})
            browser.screen("welcome", seconds=20)
            browser.run("location.reload()")
            time.sleep(1)
            # Only one of them still has its session: none has the other's.
            shown = browser.screen("welcome", "blocked", seconds=20)
            self.assertEqual(shown == "welcome" and "Your face" in browser.text(), shown == "welcome" and index == 1)
            seen.add(shown)
            browser.command("POST", "/frame", {"id": None})
        self.assertEqual(seen, {"welcome", "blocked"})

    def test_a_link_without_an_answer_does_not_fall_back_to_a_session(self):
        browser, made = self.open(PAPER)
        link, _ = self.used()
        browser.before("""const asked = window.fetch; window.fetch = (path, options) =>
            path === "/v1/page/claim" && sessionStorage.cut ? Promise.reject(new TypeError("cut")) : asked(path, options);""")
        browser.run("sessionStorage.cut = 'yes'")
        browser.open("about:blank")
        browser.open(link)
        browser.screen("lost", seconds=LOST + REQUEST)
        browser.run("delete sessionStorage.cut")
        browser.click("main .primary")
        browser.screen("blocked", seconds=20)
        self.assertEqual(self.state(made), "claimed")

    def test_the_former_session_is_ended_from_the_page(self):
        browser, made = self.open(PAPER)
        link, _ = self.used()
        browser.open("about:blank")
        browser.open(link)
        browser.screen("blocked", seconds=20)
        browser.press("main .danger")
        browser.screen("blocked", seconds=20)
        self.assertNotIn("Another check", browser.text())
        self.assertEqual(self.result(made)["error"]["code"], "G000000")
        browser.open("about:blank")
        browser.open(self.server.url + "/s")
        browser.screen("blocked", seconds=20)

    def test_a_link_works_once(self):
        browser, made = self.open()
        other = Browser(size=(390, 844))
        self.addCleanup(other.__exit__)
        other.open(made["pageUrl"])
        other.screen("blocked", seconds=20)
        self.assertIn("already used", other.text())

    # MARK: Connections

    def test_slow_and_lossy_connections_pass(self):
        """Seconds per round trip, and the fraction of responses lost."""
        for delay, lost in ((0.1, 0), (0.4, 0), (0, 0.05), (0.1, 0.05)):
            with self.subTest(delay=delay, lost=lost):
                proxy = self.proxy(delay=delay, seed=3)
                browser, made = self.open(proxy=proxy)
                browser.click("main .primary")
                browser.screen("intro", seconds=20)
                proxy.lost = lost
                self.face(browser)
                result = self.result(made)
                self.assertEqual(result["result"], "passed", result["transport"])
                # No frame counts twice, and only the last ones may be missing.
                sent, taken = browser.run("return window.sent"), result["transport"]["frames"] + result["transport"]["refused"]
                self.assertLessEqual(taken, sent)
                self.assertGreater(taken, 20)
                browser.__exit__()

    def test_an_interrupted_connection_resumes_or_is_reported(self):
        for seconds in (10, 25):
            with self.subTest(seconds=seconds):
                proxy = self.proxy()
                browser, made = self.open(proxy=proxy)
                browser.click("main .primary")
                browser.screen("intro")
                browser.click("main .primary")
                browser.screen("face", seconds=20)
                time.sleep(2)
                proxy.cut, begin = True, time.monotonic()
                if seconds < LOST:
                    # It resumes as soon as possible: a face allows no gaps.
                    time.sleep(seconds)
                    proxy.cut = False
                    browser.screen("intro", seconds=REQUEST + 5)
                    self.assertIn("connection", browser.text())
                    self.assertNotIn("page visible", browser.text())
                else:
                    browser.screen("lost", seconds=LOST + REQUEST + 2)
                    time.sleep(max(0, begin + seconds - time.monotonic()))
                    proxy.cut = False
                    browser.click("main .primary")
                    browser.screen("intro", seconds=20)
                self.face(browser)
                self.assertEqual(self.result(made)["result"], "passed")
                browser.__exit__()


if __name__ == "__main__":
    unittest.main()
