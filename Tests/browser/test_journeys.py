"""Complete journeys: the real server, the real models, and Chromium with a file as its camera."""

import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from driver import CHROMEDRIVER, INTERRUPTED, NEEDS_BROWSER, ROOT, Browser, Server, ask, has_server, program

SHARED = pathlib.Path(os.environ.get("FACEVERIFY_SHARED", "/nonexistent")) / "testdata/video"
DOCUMENTS = pathlib.Path(os.environ.get("FACEVERIFY_DOCUMENTS", ROOT / ".deps/documents"))
LIVING, REPLAY = SHARED / "tvl_real.mp4", SHARED / "tvl_replay.mp4"
# Seconds per attempt, and maximum number of attempts. On a busy machine the server interrupts attempts whose frames are
# late or missing, and the page asks for another one and states why: this is specified (docs/web.md). No decision is
# repeated.
ATTEMPT, TIMES = 60, 10
# The presence level of a recording, which a session must accept explicitly.
RECORDED = {"presence": "passive-video"}


@unittest.skipUnless(CHROMEDRIVER and has_server("faceverify"), NEEDS_BROWSER)
class Journeys(unittest.TestCase):
    """Tests that need clips of people, which are not part of the project, are skipped without them."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        trust = DOCUMENTS / "chips/trust"
        cls.server = Server("--trust-camera-label", *(["--trust", str(trust)] if trust.exists() else []))
        cls.addClassCleanup(cls.server.__exit__)

    def clip(self, name, *options):
        """Made by ffmpeg from a recording's frames in their order; the camera plays it repeatedly."""
        file = pathlib.Path(self.folder.name) / f"{name}.mjpeg"
        if not file.exists():
            subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, options), "-an", "-pix_fmt", "yuvj420p", "-q:v", "2", str(file)], check=True)
        return str(file)

    def recording(self, file, *filters):
        if not file.exists():
            self.skipTest(f"needs shared data: {file.name}")
        return self.clip("-".join([file.stem, *map(lambda text: "".join(filter(str.isalnum, text)), filters)]), "-i", file,
                         *(["-vf", ",".join(filters)] if filters else []))

    def browser(self, video):
        browser = Browser(video=video, size=(390, 844))
        self.addCleanup(browser.__exit__)
        return browser

    def session(self, browser, **body):
        """A new session, with its page opened and started."""
        made = self.server.session(**{"requests": [{"category": "face"}], "comparesFace": False, "maximumTries": TIMES, **body})
        browser.open(made["pageUrl"])
        browser.screen("welcome")
        self.assertNotIn("fvp_", browser.run("return location.href"), "the link's token is gone from the address")
        browser.click("main .primary")
        return made

    def result(self, made):
        status, _, answer = self.server.ask("GET", f"/v1/sessions/{made['workflowExecutionId']}/result")
        self.assertEqual(status, 200, answer)
        if answer.get("transport", {}).get("faults"):
            # Caused by a busy machine; if it is frequent, the page is at fault.
            print(f"{self.id()}: attempts interrupted by {answer['transport']['faults']}", flush=True)
        return answer

    def face(self, browser, *ends, seconds=ATTEMPT):
        """Opens the camera, again after an interrupted attempt, until one of the screens is shown."""
        for _ in range(TIMES):
            browser.screen("intro")
            browser.press("main .primary")
            if (found := browser.screen("intro", *ends, seconds=seconds)) != "intro":
                return found
            self.assertTrue(browser.run(INTERRUPTED), "the page asks for another attempt without a reason")
        self.fail(f"{TIMES} attempts were interrupted: this machine is too slow")

    def hint(self, browser, words, seconds=40):
        """Opens the camera, again after an interrupted attempt, until the text is shown."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            browser.screen("intro")
            browser.press("main .primary")
            found = browser.until(f"document.querySelector('main').innerText.includes({words!r}) ? 'words' : document.querySelector('main.screen-intro') && 'intro'", seconds)
            if found == "words":
                return
            self.assertTrue(browser.run(INTERRUPTED), "the page asks for another attempt without a reason")
        self.fail(f"not within {seconds} s: {words}")

    def liveness(self, result):
        return next(c["liveness"]["result"] for c in self.credentials(result) if c["liveness"])

    def credentials(self, result):
        return result["record"]["body"]["credentials"]

    def command(self, *arguments):
        done = subprocess.run([program("faceverify"), *map(str, arguments), "--json"], capture_output=True, text=True)
        return json.loads(done.stdout)

    # MARK: The face

    def test_page_and_command_agree_on_a_clip(self):
        for file, words, verdict in ((LIVING, "live", "passed"), (REPLAY, "presentation-attack", "failed")):
            with self.subTest(clip=file.name):
                video = self.recording(file)
                browser = self.browser(video)
                made = self.session(browser, faceModes=["passive"], assurance=RECORDED)
                self.face(browser, "finished")
                result = self.result(made)
                self.assertEqual(self.liveness(result), words, result["record"]["body"])
                self.assertEqual(self.command("liveness", file, "--policy", "passive-only")["result"], words)
                self.assertEqual(result["result"], verdict)
                self.assertGreater(result["transport"]["frames"], 20)
                self.assertEqual(result["transport"]["camera"]["clock"], "captureTime")
                # Only the operator is informed, unless the session shows the result.
                self.assertIn("All done", browser.text())
                self.assertNotRegex(browser.text().lower(), "attack|passed|confirmed|score")
                browser.__exit__()

    def test_an_empty_picture_causes_a_hint(self):
        browser = self.browser(self.clip("nobody", "-f", "lavfi", "-i", "gradients=s=640x480:r=30:d=4:speed=0.02"))
        made = self.session(browser, faceModes=["liveness"])
        self.hint(browser, "Move your face into the picture")
        self.assertIn("Move your face", browser.run("return document.querySelector('.preview').ariaLabel"))
        browser.click("footer button:last-child")
        browser.until("document.querySelector('dialog[open]')")
        browser.click("dialog .danger")
        browser.screen("finished")
        result = self.result(made)
        self.assertEqual((result["isComplete"], result["error"]["code"]), (False, "G000000"))

    def test_two_people_cause_a_hint(self):
        browser = self.browser(self.recording(LIVING, "split[a][b];[b]hflip[c];[a][c]hstack"))
        self.session(browser, faceModes=["liveness"])
        self.hint(browser, "Only one person")

    def test_darkness_causes_a_hint(self):
        browser = self.browser(self.recording(LIVING, "eq=brightness=-0.36:contrast=0.55"))
        self.session(browser, faceModes=["liveness"])
        self.hint(browser, "Too dark")

    def test_attempts_are_limited_to_three(self):
        browser = self.browser(self.recording(LIVING))
        made = self.session(browser, maximumTries=3, faceModes=["liveness"], challenges=["tilt-left", "look-down", "move-back", "hold-still"])
        texts = []
        for turn in range(3):
            # An unanswered challenge leads to a retry with other challenges.
            end = self.face(browser, "retrying", "finished", "halted") if turn == 0 else self.again(browser)
            texts.append(browser.text())
            if end != "retrying":
                break
        self.assertNotEqual(end, "retrying", "the third try is the last")
        if end == "halted":
            browser.click("main .primary")
            browser.screen("finished")
        result = self.result(made)
        self.assertNotEqual(result["result"], "passed")
        self.assertEqual(browser.run("return document.querySelector('video')?.srcObject ?? null"), None)

    def again(self, browser):
        browser.press("main .primary")
        found = browser.screen("retrying", "finished", "halted", "intro", seconds=ATTEMPT)
        return found if found != "intro" else self.face(browser, "retrying", "finished", "halted")

    def test_a_reload_continues(self):
        browser = self.browser(self.recording(LIVING))
        made = self.session(browser, faceModes=["passive"], assurance=RECORDED)
        browser.screen("intro")
        browser.command("POST", "/refresh", {})
        browser.screen("intro")
        browser.click("main .primary")
        browser.screen("face", seconds=10)
        browser.command("POST", "/refresh", {})
        # Frames are missing: the face is repeated in the same session.
        browser.screen("intro", seconds=10)
        self.face(browser, "finished")
        self.assertEqual(self.result(made)["transport"]["attempts"] >= 2, True)
        # Elsewhere the link was already used.
        other = self.browser(self.recording(LIVING))
        other.open(made["pageUrl"])
        other.screen("blocked")

    def test_a_lost_server_interrupts(self):
        with Server("--trust-camera-label") as server:
            made = server.session(requests=[{"category": "face"}], comparesFace=False)
            browser = self.browser("")
            browser.open(made["pageUrl"])
            browser.screen("welcome")
            server.crash()
            browser.click("main .primary")
            browser.screen("lost", seconds=30)
            server.start(server.port)
            browser.click("main .primary")
            # The server lost the journey; the person restarts the same session.
            browser.screen("interrupted", seconds=20)
            browser.click("main .primary")
            browser.screen("welcome")
            browser.click("main .primary")
            browser.screen("intro")

    # MARK: Documents before the camera

    def passport(self):
        """A faultless page, and its printed text."""
        pages = DOCUMENTS / "pages"
        if not (pages / "pages.json").exists():
            self.skipTest("needs test documents: scripts/test")
        for page in json.loads((pages / "pages.json").read_text()):
            if page["format"] == "TD3" and page["kind"] == "clean" and not [
                    check for check in self.command("document", pages / page["file"], "--date", "2026-06-01")["pages"][0]["checks"]
                    if check["status"] == "failed"]:
                return pages / page["file"], page

    def still(self, name, file, *before):
        """A still picture in front of the camera, optionally preceded by others."""
        fits = "scale=1280:720:force_original_aspect_ratio=decrease,pad=1280:720:(ow-iw)/2:(oh-ih)/2:gray,fps=10,setsar=1"
        return self.clip(name, *before, "-loop", "1", "-t", "6", "-i", file, "-filter_complex",
                         f"[1:v]{fits}[p];[0:v]{fits}[b];[b][p]concat" if before else f"[0:v]{fits}")

    def document_session(self, browser, page, **body):
        return self.session(browser, requests=[{"category": "id", "countries": [page["lines"][0][2:5].rstrip("<")], "types": ["passport"]}],
                            readsChip=False, date="2026-06-01", **body)

    def assert_read(self, made, kind):
        result = self.result(made)
        self.assertTrue(result["isComplete"], result["error"])
        document = self.credentials(result)[0]["document"]
        self.assertEqual((document["type"], document["fields"]["documentNumber"], document["fields"]["dateOfBirth"]), (kind, "passed", "passed"))

    def test_a_page_is_captured_automatically(self):
        file, page = self.passport()
        browser = self.browser(self.still("finder", file, "-f", "lavfi", "-t", "5", "-i", "color=gray:s=1280x720:r=10"))
        made = self.document_session(browser, page, documentModes=["doc-finder", "manual"])
        browser.screen("intro")
        browser.click("main .primary")
        browser.screen("finder", seconds=10)
        browser.until("document.querySelector('main h1').textContent.includes('into the picture')", 20)
        browser.screen("finished", seconds=60)
        self.assert_read(made, "passport")

    def test_a_page_is_captured_manually(self):
        """After switching from the finder to the shutter."""
        file, page = self.passport()
        browser = self.browser(self.still("shutter", file))
        made = self.document_session(browser, page, documentModes=["doc-finder", "manual"], asksConfirmation=True)
        browser.screen("intro")
        browser.click("main .primary")
        # It may be faster than this script; then the picture is retaken.
        if browser.screen("finder", "confirm", seconds=20) == "finder":
            browser.run("document.querySelector('main .quiet')?.click()")
        if browser.screen("shutter", "confirm", seconds=20) == "shutter":
            browser.until("!document.querySelector('main .primary').disabled", 20)
            browser.click("main .primary")
        browser.screen("confirm", seconds=30)
        browser.until("document.querySelector('img.taken').naturalWidth > 300", 10)
        browser.click("main .primary")
        browser.screen("finished", seconds=30)
        self.assert_read(made, "passport")

    # MARK: Driving licences

    # The example of a licence of Virginia: only its code.
    CODE = ROOT / "Tests/DocumentImagingTests/Fixtures/codes/pdf417.png"

    def licence(self, browser, **body):
        """A session that is about to scan the back of a driving licence."""
        portrait = pathlib.Path(os.environ.get("FACEVERIFY_SAMPLES", ROOT / ".deps/samples")) / "obama.jpg"
        if not portrait.exists():
            self.skipTest("needs sample photos: models/fetch.py --samples")
        made = self.session(browser, requests=[{"category": "id", "countries": ["USA"], "types": ["driving-licence"]}], date="2024-06-01", **body)
        browser.screen("intro")
        browser.click("main .primary")
        browser.screen("file", seconds=10)
        browser.upload("main input[type=file]", portrait)
        browser.until("document.querySelector('main h1').textContent.includes('code')", 30)
        return made

    def test_a_licence_code_is_read_from_a_photo(self):
        browser = self.browser("")
        made = self.licence(browser, documentModes=["file"])
        browser.click("main .primary")
        browser.screen("file")
        self.assertIn("barcode", browser.text())
        browser.upload("main input[type=file]", self.CODE)
        browser.screen("finished", seconds=30)
        self.assert_read(made, "driving-licence")

    def test_a_licence_code_is_read_by_the_camera(self):
        browser = self.browser(self.still("code", self.CODE, "-f", "lavfi", "-t", "5", "-i", "color=gray:s=1280x720:r=10"))
        made = self.licence(browser, documentModes=["barcode", "file"])
        browser.click("main .primary")
        browser.screen("finder", seconds=10)
        browser.until("document.querySelector('main h1').textContent.includes('No barcode visible')", 20)
        browser.screen("finished", seconds=40)
        self.assert_read(made, "driving-licence")

    # MARK: Everything

    # Rows: FO10
    def test_document_chip_and_face_are_checked(self):
        pages, chips = DOCUMENTS / "pages", DOCUMENTS / "chips"
        if not (pages / "pages.json").exists() or not (chips / "td3-jpeg").exists():
            self.skipTest("needs test documents: scripts/test")
        # A passport, and the chip of another one: the differences are those that the command reports. And one of
        # another state, which is not the chosen document.
        passports = [page for page in json.loads((pages / "pages.json").read_text()) if page["format"] == "TD3" and page["kind"] == "clean"]
        chip, (page, good) = chips / "td3-jpeg", self.passport()
        country = good["lines"][0][2:5].rstrip("<")
        other = next(pages / page["file"] for page in passports if page["lines"][0][2:5].rstrip("<") != country)
        browser = self.browser(self.recording(LIVING))
        made = self.session(
            browser, requests=[{"category": "id"}, {"category": "face"}], readsChip=True, comparesFace=True, faceModes=["passive"], assurance=RECORDED, documentModes=["file"],
            date="2026-06-01", ui={"showsResult": True},
            consents=[{"text": "I agree to everything that is done here.", "isActive": True, "url": "https://example.org/", "link": "everything"}])
        browser.screen("consent")
        browser.click("main .tick input")
        browser.click("main .primary")
        browser.screen("select")
        browser.run("""const menu = document.querySelector(".field select"); menu.value = arguments[0]; menu.dispatchEvent(new Event("change", {bubbles: true}))""", country)
        browser.click("main input[value=passport]")
        browser.click("main .primary")
        browser.screen("intro")
        browser.click("main .primary")
        browser.screen("file")
        # A file that is not a picture is reported and requested again.
        browser.upload("main input[type=file]", chips / "chips.json")
        browser.until("document.querySelector('main .note').textContent.length > 10", 10)
        browser.upload("main input[type=file]", other)
        browser.screen("rejected", seconds=60)
        self.assertIn("not the document", browser.text())
        browser.click("main .primary")
        browser.screen("file")
        browser.upload("main input[type=file]", page)
        browser.screen("intro", seconds=60)
        self.assertIn("chip", browser.text())
        browser.click("main .primary")
        browser.screen("chip")
        browser.upload("main input[type=file]", *sorted(file for file in chip.iterdir() if file.is_file()))
        browser.until("document.querySelector('main h1').textContent.includes('face')", 30)
        self.face(browser, "finished")
        result = self.result(made)
        document, face = self.credentials(result)
        self.assertEqual(document["category"], "id")
        self.assertTrue(document["document"]["chip"])
        said = self.command("verify", "--selfie", LIVING, "--policy", "passive-only", "--document", page, "--chip", chip,
                            "--trust", chips / "trust", "--date", "2026-06-01")
        self.assertEqual(result["result"], said["result"]["result"])
        codes = lambda reasons: {reason["code"] for reason in reasons}
        self.assertEqual(codes(result["record"]["body"]["result"]["reasons"]), codes(said["result"]["reasons"]))
        self.assertEqual([reason for reason in browser.run("return [...document.querySelectorAll('.reasons li')].map(li => li.textContent)")],
                         [reason["text"] for reason in result["record"]["body"]["result"]["reasons"]])
        self.assertEqual(len(result["consents"]), 1)

    # MARK: The bridge

    # Rows: FO2 FO3 FO5
    def test_the_bridge_passes_values(self):
        browser = self.browser("")
        self.session(browser)
        browser.screen("intro")
        browser.run("""window.got = []; window.actionCallback = (action, data) => got.push([action, data]);
            window.posted = []; window.webkit = {messageHandlers: {perfromAction: {postMessage: m => posted.push(m)}}};
            window.told = []; addEventListener("faceverify:action", ({detail}) => told.push(detail));""")
        for text in ("'", "\\", "\n", "\u2028\u2029", "</script><b>", "🙂\u0000é", "'); alert(1); ('"):
            with self.subTest(text=text):
                payload = {"name": text, text: [text]}
                browser.run("got.length = posted.length = told.length = 0; await faceverify.receive({action: 'CREATE_ENTITY', data: arguments[0]})", payload)
                (action, data), = browser.run("return got")
                self.assertEqual(action, "CREATE_ENTITY")
                entity = json.loads(data)
                self.assertEqual(entity["payload"], payload)
                self.assertTrue(entity["entityId"])
                self.assertEqual(browser.run("return told"), [{"action": action, "data": data, "error": None}])
                self.assertEqual(browser.run("return posted"), [{"action": "actionCallback", "data": {"action": action, "data": data, "error": None}}])
        self.assertEqual(browser.run("return document.querySelectorAll('b').length"), 0)

    # Rows: FO4 FO6 FO7 FO2
    def test_the_bridge_answers_every_message(self):
        browser = self.browser("")
        self.session(browser)
        browser.screen("intro")
        answer = lambda code: browser.run(f"return (await faceverify.{code}).error")
        for name in ("receive", "performAction", "perfromAction"):
            for action in ("CREATE_ENTITY", "createEntity", "createIntity"):
                self.assertIsNone(answer(f"{name}({{action: '{action}', data: {{}}}})"))
        self.assertIsNone(answer("receive(JSON.stringify({action: 'CREATE_ENTITY', data: {a: 1}}))"))
        self.assertEqual(answer("receive({action: 'OTHER', data: {}})"), "bridge.unknownAction")
        for bad in ("'{'", "null", "{action: 'CREATE_ENTITY'}", "{data: {}}", "{action: 1, data: {}}", "{action: 'CREATE_ENTITY', data: 'x'}"):
            with self.subTest(message=bad):
                self.assertEqual(answer(f"receive({bad})"), "bridge.badMessage")
        # 64 KiB for the whole request, exactly; one more byte is refused.
        least = len('{"payload":{"x":""}}')
        browser.run("window.got = []; window.actionCallback = (...all) => got.push(all)")
        self.assertIsNone(answer(f"receive({{action: 'CREATE_ENTITY', data: {{x: 'y'.repeat({65536 - least})}}}})"))
        self.assertEqual(len(json.loads(browser.run("return got[0][1]"))["payload"]["x"]), 65536 - least)
        self.assertEqual(answer(f"receive({{action: 'CREATE_ENTITY', data: {{x: 'y'.repeat({65537 - least})}}}})"), "bridge.tooLarge")
        browser.run("faceverify.showToast('<b>hello</b>')")
        self.assertEqual(browser.run("return [document.querySelector('#polite').textContent, document.querySelectorAll('b').length]"), ["<b>hello</b>", 0])

    def test_foreign_messages_are_ignored(self):
        browser = self.browser("")
        self.session(browser)
        browser.screen("intro")
        browser.run("window.got = []; window.actionCallback = (...all) => got.push(all);"
                    "for (const origin of [location.origin, 'https://evil.example', 'null']) for (const source of [window, null])"
                    "  dispatchEvent(new MessageEvent('message', {data: {action: 'CREATE_ENTITY', data: {}}, origin, source}))")
        time.sleep(1)
        self.assertEqual(browser.run("return got"), [])

    # Rows: FO1
    def test_only_the_allowed_host_exchanges_messages(self):
        """Pages that may embed the page exchange messages with it; others receive nothing."""
        import http.server
        import threading

        class Parent(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = b"<!doctype html><title>parent</title><script>onmessage = e => (window.got ??= []).push([e.origin, e.data])</script>"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Parent) as parent:
            threading.Thread(target=parent.serve_forever, daemon=True).start()
            try:
                friend, stranger = f"http://127.0.0.1:{parent.server_port}", f"http://localhost:{parent.server_port}"
                with Server("--allow-embedding", friend) as server:
                    for origin, is_heard in ((friend, True), (stranger, False)):
                        with self.subTest(origin=origin):
                            made = server.session(requests=[{"category": "face"}], comparesFace=False)
                            browser = self.browser("")
                            browser.open(origin + "/")
                            browser.run("const frame = document.createElement('iframe'); frame.src = arguments[0]; frame.allow = 'camera'; document.body.append(frame)", made["pageUrl"])
                            time.sleep(3)
                            browser.run("document.querySelector('iframe').contentWindow.postMessage({action: 'CREATE_ENTITY', data: {a: \"'\"}}, '*')")
                            if is_heard:
                                browser.until("window.got?.some(([, m]) => m.action === 'actionCallback')", 5)
                                replies = browser.run("return window.got")
                                self.assertEqual({origin for origin, _ in replies}, {server.url})
                                data = next(m["data"] for _, m in replies if m["action"] == "actionCallback")
                                self.assertEqual(json.loads(data["data"])["payload"], {"a": "'"})
                                browser.command("POST", "/frame", {"id": 0})
                                browser.screen("welcome")
                                browser.click("footer button:last-child")
                                browser.until("document.querySelector('dialog[open]')")
                                browser.click("dialog .danger")
                                browser.screen("finished")
                                browser.command("POST", "/frame", {"id": None})
                                browser.until("window.got.some(([, m]) => m.data.state === 'finished')", 5)
                                told = browser.run("return window.got.map(([, m]) => m.data).find(({state}) => state === 'finished')")
                                self.assertEqual(told, {"state": "finished", "workflowExecutionId": made["workflowExecutionId"],
                                                        "isComplete": False, "result": None, "error": "G000000"})
                            else:
                                time.sleep(1)
                                self.assertIsNone(browser.run("return window.got"))
                            browser.__exit__()
            finally:
                parent.shutdown()


if __name__ == "__main__":
    unittest.main()
