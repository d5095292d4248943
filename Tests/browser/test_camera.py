"""The camera: every reason why it is available or not, and that it is off unless its preview is visible."""

import unittest

import views
from driver import NEEDS_BROWSER, Browser, Page, free_port, has_server

# Maximum seconds until a state is shown.
SOON = 2
# Records the tracks and the calls of the page. Errors that a browser without cameras cannot produce are thrown by a
# stub and labelled as simulated.
WATCH = """
if (navigator.mediaDevices) {
  const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  window.tracks = [];
  window.asked = [];
  navigator.mediaDevices.getUserMedia = async constraints => {
    window.asked.push(constraints);
    if (window.throws) throw new DOMException("simulated", window.throws);
    const stream = await (window.later ? new Promise(() => {}) : real(constraints));
    window.tracks.push(...stream.getTracks());
    return stream;
  };
}
"""
ENDED = "window.tracks.every(track => track.readyState === 'ended')"
# Video tracks that a program feeds instead of the camera, by name in the address (`track=NAME`).
PROGRAMS = """
const device = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
const programs = {
  async canvas(stream) {
    const video = Object.assign(document.createElement("video"), {srcObject: stream, muted: true});
    await video.play();
    const canvas = Object.assign(document.createElement("canvas"), {width: video.videoWidth, height: video.videoHeight});
    const draw = () => { canvas.getContext("2d").drawImage(video, 0, 0); video.requestVideoFrameCallback(draw); };
    draw();
    return canvas.captureStream(30);
  },
  generator(stream) {
    const generator = new MediaStreamTrackGenerator({kind: "video"});
    new MediaStreamTrackProcessor({track: stream.getVideoTracks()[0]}).readable.pipeTo(generator.writable);
    return new MediaStream([generator]);
  },
  async connection(stream) {
    const [near, far] = [new RTCPeerConnection(), new RTCPeerConnection()];
    near.onicecandidate = ({candidate}) => far.addIceCandidate(candidate);
    far.onicecandidate = ({candidate}) => near.addIceCandidate(candidate);
    const arrived = new Promise(done => (far.ontrack = ({streams}) => done(streams[0])));
    near.addTrack(stream.getVideoTracks()[0], stream);
    await near.setLocalDescription();
    await far.setRemoteDescription(near.localDescription);
    await far.setLocalDescription();
    await near.setRemoteDescription(far.localDescription);
    return arrived;
  },
  async disguised(stream) {
    const fed = await programs.canvas(stream), [track] = fed.getVideoTracks(), [camera] = stream.getVideoTracks();
    Object.defineProperty(track, "label", {get: () => camera.label});
    track.getSettings = () => camera.getSettings();
    return fed;
  },
};
const program = programs[new URLSearchParams(location.search).get("track")];
if (program) navigator.mediaDevices.getUserMedia = async constraints => program(await device(constraints));
"""
# Asks the track for a quarter of the size and 8 frames per second, and returns what arrives.
ASK = """
const [track] = window.tracks, video = document.querySelector("video"), height = Math.round(video.videoHeight / 4);
await track.applyConstraints({height: {exact: height}, frameRate: {exact: 8}});
const sleep = seconds => new Promise(done => setTimeout(done, seconds * 1000));
await sleep(1);
const times = [], next = now => { times.push(now); video.requestVideoFrameCallback(next); };
video.requestVideoFrameCallback(next);
await sleep(2);
return [video.videoHeight === height, (times.length - 1) / (times.at(-1) - times[0]) * 1000];
"""


@unittest.skipUnless(Page.is_there(), NEEDS_BROWSER)
class Camera(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = Page()
        cls.addClassCleanup(cls.page.close)
        cls.plain = None

    def browser(self, *options, url=None, first="intro-face", after="face-challenge", **more):
        """A window before the button that opens the camera, followed by the second view.

        Without options, all tests share one window, with the page reloaded.
        """
        browser = type(self).plain
        if options or more or not browser:
            browser = Browser(*options, size=(390, 844), **more)
            browser.before(WATCH)
            if options or more:
                self.addCleanup(browser.__exit__)
            else:
                type(self).plain = browser
                self.addClassCleanup(browser.__exit__)
        views.stand(browser, f"{url or self.page.url}/?lang=en", [views.SCREENS[first][1][0], views.SCREENS[after][1][-1]], "intro")
        return browser

    def assert_off(self, browser):
        browser.until(ENDED, SOON)
        self.assertIsNone(browser.run("return document.querySelector('video')?.srcObject ?? null"))

    def calls(self, browser):
        return browser.run("return window.scripted.calls")

    def test_a_track_of_a_program_is_not_listed(self):
        """Measured for docs/liveness-signals.md; the browser adapts the frames of each track to a request."""
        browser = Browser(size=(390, 844))
        self.addCleanup(browser.__exit__)
        browser.before(PROGRAMS + WATCH)
        for name, is_listed in (("camera", True), ("canvas", False), ("generator", False), ("connection", False), ("disguised", True)):
            with self.subTest(track=name):
                views.stand(browser, f"{self.page.url}/?lang=en&track={name}", [views.SCREENS["intro-face"][1][0], views.SCREENS["face-challenge"][1][-1]], "intro")
                browser.click("main .primary")
                browser.screen("face", seconds=SOON + 8)
                camera = self.calls(browser)[0]["camera"]
                self.assertEqual(camera["isListed"], is_listed)
                self.assertFalse({"deviceId", "groupId"} & set(camera), "ids stay in the page")
                has_followed, rate = browser.run(ASK)
                self.assertTrue(has_followed)
                self.assertAlmostEqual(rate, 8, delta=2.5)

    def test_an_unknown_list_of_cameras_is_no_evidence(self):
        browser = Browser(size=(390, 844))
        self.addCleanup(browser.__exit__)
        browser.before(WATCH + "navigator.mediaDevices.enumerateDevices = async () => [];")
        views.stand(browser, f"{self.page.url}/?lang=en", [views.SCREENS["intro-face"][1][0], views.SCREENS["face-challenge"][1][-1]], "intro")
        browser.click("main .primary")
        browser.screen("face", seconds=SOON + 2)
        self.assertIsNone(self.calls(browser)[0]["camera"]["isListed"])

    # Rows: FO11 NV19 ST16
    def test_the_camera_is_requested_on_a_click(self):
        browser = self.browser()
        self.assertEqual(browser.run("return window.asked"), [], "nothing is asked before the button is pressed")
        browser.click("main .primary")
        browser.screen("face", seconds=SOON + 2)
        call = self.calls(browser)[0]
        self.assertEqual((call["call"], call["part"], call["mode"], call["mirrored"]), ("start-part", "face", None, False))
        self.assertIn(call["clock"], ("captureTime", "presentationTime"))
        self.assertTrue(call["camera"]["label"])
        self.assertGreaterEqual(call["camera"]["devices"], 1)
        self.assertEqual((call["camera"]["width"] > 0, call["camera"]["height"] > 0), (True, True))
        asked = browser.run("return window.asked[0]")
        self.assertEqual(asked["video"]["facingMode"], "user")
        self.assertFalse(asked["audio"])
        self.assertFalse({"exact", "min"} & set(str(asked).replace("'", " ").split()), "wishes, never demands")
        # At the end, for any result, the camera is off.
        browser.run("window.scripted.set(arguments[0])", views.SCREENS["finished"][1][0])
        browser.screen("finished")
        self.assert_off(browser)

    # Rows: NV19 J26
    def test_documents_use_the_back_camera(self):
        browser = self.browser(first="intro-front", after="finder")
        browser.click("main .primary")
        browser.screen("finder", seconds=SOON + 2)
        self.assertEqual(browser.run("return window.asked[0].video.facingMode"), "environment")
        self.assertFalse(browser.run("return document.querySelector('video').classList.contains('mirrored')"))

    def test_the_camera_is_off_without_its_preview(self):
        for name in ("retrying", "paused", "rejected", "confirm", "failed", "halted", "interrupted", "cancelled"):
            with self.subTest(screen=name):
                browser = self.browser()
                browser.click("main .primary")
                browser.screen("face", seconds=SOON + 2)
                browser.run("window.scripted.set(arguments[0])", views.SCREENS[name][1][-1])
                browser.screen(views.SCREENS[name][0])
                self.assert_off(browser)

    # Rows: FO8 ST16
    def test_a_denied_camera_can_be_allowed_later(self):
        # Without the option that grants all permissions.
        browser = self.browser("--use-fake-device-for-media-stream", video=None)
        browser.cdp("Browser.setPermission", permission={"name": "camera"}, setting="denied", origin=self.page.url)
        browser.click("main .primary")
        browser.screen("trouble", seconds=SOON)
        self.assertIn("not allowed", browser.text())
        self.assert_off(browser)
        # When allowed afterwards, the journey continues.
        browser.cdp("Browser.setPermission", permission={"name": "camera"}, setting="granted", origin=self.page.url)
        browser.click("main .primary")
        browser.screen("face", seconds=SOON + 2)

    def test_without_a_camera_no_attempt_is_used_up(self):
        """A mode without a camera is requested by name, once; if there is none, no button offers it."""
        both = ["liveness", "passive", "face-manual"]
        for part, modes, mode in (("front", ["doc-finder", "manual", "file"], "file"), ("face", both, "face-manual"), ("front", ["doc-finder", "manual"], None),
                                  ("face", ["liveness", "passive"], None)):
            with self.subTest(part=part, modes=modes):
                browser = self.browser(first=f"intro-{part}")
                credential = 1 if part == "face" else 0
                shown = views.chosen("choosing", part, credential=credential)
                shown["credentials"][credential]["modes"] = modes
                views.stand(browser, f"{self.page.url}/?lang=en&without", [shown, (views.face if part == "face" else views.document)("scanning", mode=mode or modes[0]), (views.face if part == "face" else views.document)("paused", mode=mode or modes[0])], "intro")
                browser.run("window.throws = 'NotFoundError'")
                browser.click("main .primary")
                browser.screen("trouble", seconds=SOON)
                self.assertEqual("Continue without a camera" in browser.text(), mode is not None)
                if mode:
                    browser.click("main .quiet")
                    browser.screen("file", seconds=SOON)
                    self.assertEqual([(call["call"], call.get("mode")) for call in self.calls(browser)], [("start-part", mode), ("pause", None)])

    def test_without_a_camera_a_running_part_continues(self):
        for state, tries, calls in (("paused", 1, ["fallback", "fallback"]), ("rejected", 2, ["retake", "fallback", "fallback"])):
            with self.subTest(state=state):
                browser = self.browser(first="intro-front")
                views.stand(browser, f"{self.page.url}/?lang=en&goes-on", [views.document(state), views.document("paused", mode="file", fallback=None)], state)
                browser.run("window.throws = 'NotFoundError'")
                browser.click("main .primary")
                browser.screen("trouble", seconds=SOON)
                browser.click("main .quiet")
                browser.screen("file", seconds=SOON)
                self.assertEqual([call["call"] for call in self.calls(browser)], calls, "one request")

    def test_a_declined_movement_is_sent(self):
        browser = self.browser()
        browser.click("main .primary")
        browser.screen("face", seconds=SOON + 2)
        for button, call in ((0, "finish-part"), (1, "fallback")):
            browser.click("main .plain")
            browser.until("document.querySelector('dialog[open]')")
            self.assertIn("The result says what you declined", browser.text())
            browser.run("document.querySelectorAll('dialog .quiet')[arguments[0]].click()", button)
            browser.until("!document.querySelector('dialog')")
            self.assertEqual(self.calls(browser)[-1], {"call": call, "declined": "movement"})

    def test_a_missing_camera_is_reported(self):
        browser = self.browser("--use-fake-device-for-media-stream=device-count=0", "--use-fake-ui-for-media-stream", video=None)
        browser.click("main .primary")
        browser.screen("trouble", seconds=SOON)
        self.assertIn("No camera", browser.text())

    def test_a_busy_camera_is_reported_simulated(self):
        for name, words in (("NotReadableError", "in use"), ("AbortError", "in use"), ("NotFoundError", "No camera"), ("NotAllowedError", "not allowed"),
                            ("SecurityError", "cannot be used here"), ("TypeError", "cannot be used here")):
            with self.subTest(error=name):
                browser = self.browser()
                browser.run(f"window.throws = '{name}'")
                browser.click("main .primary")
                browser.screen("trouble", seconds=SOON)
                self.assertIn(words, browser.text())

    def test_overconstrained_requests_are_retried_without_constraints(self):
        browser = self.browser()
        browser.run("""window.throws = "OverconstrainedError"; const mine = navigator.mediaDevices.getUserMedia;
            navigator.mediaDevices.getUserMedia = constraints => { if (constraints.video === true) window.throws = null; return mine(constraints); };""")
        browser.click("main .primary")
        browser.screen("face", seconds=SOON + 2)
        self.assertEqual(browser.run("return window.asked.map(({video}) => video === true)"), [False, True])

    def test_an_insecure_origin_is_reported(self):
        # Another host name than localhost, without HTTPS: mediaDevices is undefined.
        port = free_port()
        page = Page("--public-url", f"http://lan.test:{port}", port=port)
        self.addCleanup(page.close)
        browser = self.browser("--host-resolver-rules=MAP lan.test 127.0.0.1", url=f"http://lan.test:{port}")
        self.assertEqual(browser.run("return [isSecureContext, navigator.mediaDevices === undefined]"), [False, True])
        browser.click("main .primary")
        browser.screen("trouble", seconds=SOON)
        self.assertIn("HTTPS", browser.text())

    def test_a_pending_permission_is_explained_and_ends(self):
        browser = self.browser()
        browser.run("window.later = true; const real = window.setTimeout; window.setTimeout = (f, ms, ...more) => real(f, ms / 20, ...more);")
        browser.click("main .primary")
        browser.screen("asking", seconds=SOON)
        browser.until("document.querySelector('main .fine')?.textContent.length > 20", 3)  # 20 s, shortened
        browser.screen("trouble", seconds=5)  # 60 s, shortened
        self.assertIn("in time", browser.text())

    # Rows: NV78
    def test_several_cameras_have_a_menu(self):
        browser = self.browser("--use-fake-device-for-media-stream=device-count=3", "--use-fake-ui-for-media-stream", video=None)
        browser.click("main .primary")
        browser.screen("face", seconds=SOON + 2)
        labels = browser.run("return [...document.querySelectorAll('main select option')].map(({text}) => text)")
        self.assertEqual(len(labels), 3)
        self.assertEqual(len(set(labels)), 3)
        browser.run("""const menu = document.querySelector("main select"); menu.selectedIndex = (menu.selectedIndex + 1) % 3;
            menu.dispatchEvent(new Event("change", {bubbles: true}))""")
        browser.until("window.tracks.length === 2 && window.tracks[1].readyState === 'live'", SOON + 2)
        self.assertEqual(browser.run("return [window.tracks[0].readyState, window.tracks[0].label !== window.tracks[1].label]"), ["ended", True])
        self.assertEqual(browser.screen("face"), "face")

    def test_one_camera_needs_no_menu(self):
        browser = self.browser()
        browser.click("main .primary")
        browser.screen("face", seconds=SOON + 2)
        self.assertFalse(browser.run("return Boolean(document.querySelector('main select'))"))

    def look_away(self, browser):
        """Another tab in front of it, briefly."""
        handle = browser.command("GET", "/window")
        other = browser.command("POST", "/window/new", {"type": "tab"})["handle"]
        browser.command("POST", "/window", {"handle": other})
        browser.command("DELETE", "/window")
        browser.command("POST", "/window", {"handle": handle})

    # Rows: J82
    def test_a_hidden_tab_stops_the_camera_and_veils_the_page(self):
        for first, after, screen, call in (("intro-face", "face-challenge", "intro", "cancel-part"), ("intro-front", "finder", "paused", "pause")):
            with self.subTest(screen=after):
                browser = self.browser(first=first, after=after)
                browser.click("main .primary")
                browser.screen(*{views.SCREENS[after][0]}, seconds=SOON + 2)
                state = "choosing" if call == "cancel-part" else "paused"
                browser.run("window.next = arguments[0]; const real = window.fetch; window.fetch = (path, options) => {"
                            "if (options?.body?.includes?.(arguments[1])) window.scripted.set(window.next); return real(path, options); }"
                            .replace("arguments[1]", repr(call)),
                            views.SCREENS[first][1][0] if state == "choosing" else views.document("paused"))
                browser.run("window.veiled = []; document.addEventListener('visibilitychange', () => veiled.push(document.body.classList.contains('veiled')))")
                self.look_away(browser)
                browser.screen(screen, seconds=SOON)
                self.assertEqual(browser.run("return veiled"), [True, False], "what is secret is invisible meanwhile")
                self.assert_off(browser)
                self.assertEqual(self.calls(browser)[-1]["call"], call)
                if call == "cancel-part":
                    self.assertIn("interrupted", browser.text())

    def test_a_disconnected_camera_is_reported_simulated(self):
        browser = self.browser()
        browser.click("main .primary")
        browser.screen("face", seconds=SOON + 2)
        browser.run("window.scripted.set(arguments[0]); const [track] = window.tracks; track.dispatchEvent(new Event('ended'))",
                    views.SCREENS["intro-face"][1][0])
        browser.screen("trouble", seconds=SOON)
        self.assertIn("switched off", browser.text())
        self.assert_off(browser)

    # Rows: J26 NV77
    def test_a_torch_is_offered_if_there_is_one_simulated(self):
        for has in (False, True):
            with self.subTest(torch=has):
                browser = self.browser(first="intro-front", after="finder")
                if has:
                    browser.run("MediaStreamTrack.prototype.getCapabilities = () => ({torch: true});"
                                "MediaStreamTrack.prototype.applyConstraints = async wish => { window.wish = wish; }")
                browser.click("main .primary")
                browser.screen("finder", seconds=SOON + 2)
                self.assertEqual(browser.run("return Boolean(document.querySelector('main button.tool'))"), has)
                if has:
                    browser.click("main button.tool")
                    self.assertEqual(browser.run("return [window.wish.advanced[0].torch, document.querySelector('main button.tool').ariaPressed]"), [True, "true"])


if __name__ == "__main__":
    unittest.main()
