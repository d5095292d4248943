"""The page itself: size, texts, states, geometry, colours, requests."""

import json
import os
import pathlib
import re
import unittest
import urllib.request

import views
from driver import NEEDS_BROWSER, RESOURCES, ROOT, Browser, Page

# Maximum bytes per visit, uncompressed and as compressed by a proxy.
HEAVIEST, HEAVIEST_COMPRESSED = 122_000, 45_000
# Maximum milliseconds until the first screen is usable, on this machine.
SLOWEST = 500
LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "pl", "tr", "uk", "ar"]


def sources(name):
    return next((ROOT / "Sources").rglob(name)).read_text()


def names(file, kind):
    return set(re.findall(kind + r'\(rawValue: "([a-z-]+)"\)', sources(file)))


def cases(file, kind):
    body = re.search(r"enum " + kind + r"\b.*?\n(.*?)\n\n", sources(file), re.S)[1]
    return {(value or name) for name, value in re.findall(r'^\s*case (\w+)(?: = "([\w-]+)")?$', body, re.M)}


class Files(unittest.TestCase):
    # Rows: FO9
    def test_nothing_is_requested_from_other_hosts(self):
        for file in RESOURCES.rglob("*.*"):
            text = file.read_text()
            for address in re.findall(r"https?://[^\s\"'`)]+", text):
                with self.subTest(file=file.name, address=address):
                    self.assertEqual(address, "http://www.w3.org/2000/svg", "a name of a language, not an address")
            self.assertNotRegex(text, r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function")
            self.assertNotRegex(text, r"navigator\.(userAgent|platform|vendor|appVersion)", "features are detected, not browsers")

    def test_the_page_names_every_file(self):
        html = (RESOURCES / "index.html").read_text()
        for file in RESOURCES.glob("*.*"):
            if file.name != "index.html":
                self.assertIn(f"/assets/{file.name}", html)


class Words(unittest.TestCase):
    def setUp(self):
        self.words = {name: json.loads((RESOURCES / f"i18n/{name}.json").read_text()) for name in LANGUAGES}

    # Rows: J84
    def test_all_languages_have_the_same_texts(self):
        for name in LANGUAGES:
            self.assertEqual(self.words[name].keys(), self.words["en"].keys())
            for code, text in self.words[name].items():
                with self.subTest(language=name, code=code):
                    self.assertTrue(text.strip())
                    self.assertEqual(set(re.findall(r"\{\w+\}", text)), set(re.findall(r"\{\w+\}", self.words["en"][code])))

    # Rows: NV79
    def test_every_name_of_the_library_has_a_text(self):
        wanted = {f"hint.{name}" for name in names("LivenessHint.swift", "LivenessHint") | cases("JourneyEvent.swift", "DocumentHint")}
        wanted |= {f"challenge.{name}" for name in names("ChallengeScript.swift", "Challenge")}
        wanted |= {f"retry.{name}" for name in names("RetryReason.swift", "RetryReason")}
        wanted |= {f"reject.{name}" for name in names("DocumentImageCheck.swift", "Reason")}
        wanted |= {f"error.{code}" for code in re.findall(r'Code\(rawValue: "([A-Z])\d{6}"\)', sources("JourneyEvent.swift"))}
        wanted |= {f"fallback.{name}" for name in ("manual", "file", "doc-finder", "face-manual", "liveness", "strict", "passive", "barcode")}
        wanted |= {f"variant.{name}" for name in re.findall(r"enum DocumentVariant: .*?\{ case (\w+), (\w+) \}", sources("DocumentKind.swift"))[0]}
        wanted |= {f"code.{name}" for name in names("CodeFault.swift", "CodeFault")}
        wanted |= {f"reader.{name}" for name in cases("ChipTerminal.swift", "Fault")}
        kinds = set(re.findall(r'static let \w+ = Self\(rawValue: "([a-z-]+)"\)', re.search(r"struct DocumentType:.*?\n}", sources("DocumentKind.swift"), re.S)[0]))
        for axis, file, kind in (("presence", "Assurance.swift", "Presence"), ("binding", "Assurance.swift", "Binding"),
                                 ("document", "DocumentEvidence.swift", "DocumentAssurance")):
            wanted |= {f"assurance.{axis}.{name}" for name in cases(file, kind) if name != "none" or axis == "binding"}
        wanted |= {f"type.{name}" for name in kinds - {"unknown"}} | {"step.id", "step.face", "step.document"}
        self.assertGreater(len(wanted), 90)
        self.assertEqual(wanted - self.words["en"].keys(), set())

    def test_every_text_is_used(self):
        code = "".join(file.read_text() for file in RESOURCES.glob("*.js"))
        families = re.compile(r"(hint|code|challenge|retry|reject|error|fallback|step|welcome|chooser|type|variant|country|intro|trouble|blocked|finished|assurance|reader|reason)\.")
        unused = [text for text in self.words["en"] if f'"{text}"' not in code and not families.match(text)]
        self.assertEqual(unused, [])


class Colours(unittest.TestCase):
    """Contrast ratios of WCAG 2.2, 1.4.3 and 1.4.11."""

    TEXT, OUTLINE = 4.5, 3.0
    PAIRS = [
        ("text", "back", TEXT), ("text", "surface", TEXT), ("text", "soft", TEXT), ("muted", "back", TEXT), ("muted", "surface", TEXT),
        ("muted", "soft", TEXT), ("accent", "back", TEXT), ("accent", "surface", TEXT), ("accent", "accent-soft", TEXT),
        ("on-accent", "accent", TEXT), ("on-accent", "accent-press", TEXT), ("green", "green-soft", OUTLINE), ("amber", "amber-soft", OUTLINE),
        ("red", "red-soft", TEXT), ("red", "back", TEXT), ("red", "surface", TEXT), ("edge", "surface", OUTLINE), ("edge", "back", OUTLINE),
        ("text", "accent-soft", TEXT), ("back", "text", TEXT),
    ]

    @staticmethod
    def luminance(colour):
        parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    # Rows: J80 NV20
    def test_both_themes_have_sufficient_contrast(self):
        css = (RESOURCES / "app.css").read_text()
        tokens = {name: pair for name, *pair in re.findall(r"--fv-([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", css)}
        self.assertGreater(len(tokens), 12)
        for theme in (0, 1):
            for one, other, least in self.PAIRS:
                low, high = sorted(self.luminance(tokens[name][theme]) for name in (one, other))
                with self.subTest(theme=["light", "dark"][theme], text=one, back=other):
                    self.assertGreaterEqual((high + 0.05) / (low + 0.05), least)


@unittest.skipUnless(Page.is_there(), NEEDS_BROWSER)
class InBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = Page()
        cls.browser = Browser(size=(390, 844))

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.page.close()

    def put_up(self, name, **more):
        views.put_up(self.browser, self.page.url, name, **more)

    def module(self, name, code):
        return self.browser.run(f"const module = await import('/assets/{name}.js'); {code}")


class Machine(InBrowser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        views.put_up(cls.browser, cls.page.url, "welcome")
        cls.table = cls.browser.run("return (await import('/assets/machine.js')).TABLE")

    def test_every_screen_has_a_time_limit_and_an_exit(self):
        for name, row in self.table.items():
            with self.subTest(screen=name):
                targets = set(row["on"].values())
                self.assertLessEqual(targets - self.table.keys(), {"view", "ask", "poll"})
                if row.get("final"):
                    self.assertNotIn("camera", row)
                else:
                    self.assertIn("time", row["on"])
                    self.assertTrue(1 <= row["limit"] <= 60, "a wait of at most a minute")
                    self.assertIn("lost", row["on"].keys() | {"lost"} if name == "lost" else row["on"])

    def test_every_screen_can_be_reached(self):
        reached = {"boot", "stuck"} | {target for row in self.table.values() for target in row["on"].values()}
        planned = set(self.module("machine", PLANS)["screens"])
        self.assertEqual(self.table.keys() - reached - planned, set())

    def test_every_screen_is_drawn(self):
        drawn = set(self.module("screens", "return Object.keys(module.SCREENS)"))
        self.assertEqual(self.table.keys(), drawn)

    def test_every_state_of_a_journey_has_a_screen(self):
        states = cases("JourneyTable.swift", "JourneyState") | {"interrupted"}
        self.assertGreater(len(states), 15)
        plans = self.module("machine", PLANS)["plans"]
        for state in states:
            for plan in [plan for plan in plans if plan["state"] == state]:
                with self.subTest(**plan):
                    self.assertIn(plan["screen"], self.table)
                    self.assertNotEqual(plan["screen"], "stuck")
                    if plan["screen"] == "working" and state != "finishing":
                        self.assertTrue(plan["calls"], "a screen that waits for no person makes calls")
            self.assertIn(state, {plan["state"] for plan in plans})

    def test_automatic_calls_are_allowed(self):
        """The page's automatic calls are permitted by the library's table in that state."""
        allowed = {}
        for state, calls in re.findall(r"^  (\w+) --> \w+: (.*)$", (ROOT / "docs/journeys.md").read_text(), re.M):
            for call in calls.split(", "):
                allowed.setdefault(call, set()).add(state)
        for plan in self.module("machine", PLANS)["plans"]:
            for call in plan["calls"]:
                with self.subTest(**plan):
                    self.assertIn(plan["state"], allowed[call["call"]])

    def test_an_unknown_state_is_reported(self):
        self.put_up("unknown")


PLANS = """
const states = "created consenting ready configuring advising choosing scanning paused confirming rejected retrying captured failed halted finishing finished interrupted".split(" ");
const modes = ["liveness", "strict", "passive", "face-manual", "doc-finder", "manual", "file", "chip-files", "barcode"];
const m = await import("/assets/machine.js"), plans = [];
for (const state of states) for (const mode of modes) for (const camera of [true, false]) for (const trouble of [null, "denied"])
for (const reader of [null, {hasKey: true, state: "idle"}, {hasKey: true, state: "reading"}]) {
  const isFace = ["liveness", "strict", "passive", "face-manual"].includes(mode), part = isFace ? "face" : mode === "chip-files" ? "chip" : "front";
  for (const open of [[part], []]) for (const isDone of [false, true]) {
    const view = {state, credentials: [{category: "id", isDone, open, optional: []}], credential: 0, choices: [{}, {}], reader, part: {part, side: part, mode}};
    const {screen, calls} = m.plan(view, {camera, trouble, skipped: new Set()});
    plans.push({state, mode, camera, trouble, screen, calls});
    for (const more of [{mayHandOff: true}, {isElsewhere: true}]) {
      const {screen, calls} = m.plan({...view, ...more}, {camera, trouble, skipped: new Set(), link: {}});
      plans.push({state, mode, camera, trouble, screen, calls, ...more});
    }
  }
}
return {plans, screens: plans.map(({screen}) => screen)};
"""


class Oval(InBrowser):
    SIZES = [(640, 480), (480, 640), (1280, 720), (720, 1280), (480, 480)]

    def setUp(self):
        self.put_up("welcome")
        text = sources("Guidance.swift")
        self.largest, self.least = float(re.search(r"size > ([\d.]+)", text)[1]), float(re.search(r"size < ([\d.]+)", text)[1])
        found = re.search(r"centre\.x - 0\.5\) > ([\d.]+) \|\| abs\(motion\.centre\.y - 0\.5\) > ([\d.]+)", text)
        self.across, self.down = float(found[1]), float(found[2])

    def test_a_face_that_fills_the_oval_causes_no_hint(self):
        for width, height in self.SIZES:
            with self.subTest(width=width, height=height):
                oval = self.module("oval", f"return module.oval({width}, {height})")
                self.assertTrue(self.least < oval["height"] / height < self.largest)
                self.assertLessEqual(abs(oval["cx"] / width - 0.5), self.across)
                self.assertLessEqual(abs(oval["cy"] / height - 0.5), self.down)
                self.assertLessEqual(oval["width"], width)

    def test_the_oval_lies_on_the_preview(self):
        """The whole head is visible, also in the flat box of a phone in landscape."""
        for width, height in self.SIZES:
            for across, down in [(280, 240), (360, 560), (500, 400), (560, 260), (240, 300)]:
                with self.subTest(picture=(width, height), screen=(across, down)):
                    at, placed, oval = self.module("oval", f"""return [module.onScreen({width}, {height}, {across}, {down}),
                        module.placed({width}, {height}, {across}, {down}), module.oval({width}, {height})]""")
                    scale = placed["scale"]
                    self.assertAlmostEqual(placed["width"] / placed["height"], width / height)
                    # The sides are cropped equally: the oval is centred, mirrored or not.
                    self.assertAlmostEqual(at["cx"], across / 2, places=6)
                    self.assertAlmostEqual(placed["x"] + oval["cx"] * scale, across / 2, places=6)
                    self.assertAlmostEqual(at["cy"], placed["y"] + oval["cy"] * scale, places=6)
                    self.assertAlmostEqual(at["ry"], oval["height"] * scale / 2, places=6)
                    self.assertTrue(0 < at["cx"] - at["rx"] and at["cx"] + at["rx"] < across)
                    # A margin of a tenth of the picture's height above and below the oval, and gaps only at the sides.
                    self.assertTrue(0.1 * height * scale < at["cy"] - at["ry"] and at["cy"] + at["ry"] < down - 0.1 * height * scale)
                    self.assertTrue(placed["y"] <= 1e-6 and placed["y"] + placed["height"] >= down - 1e-6)

    def test_a_face_is_inside_only_with_its_chin(self):
        # The oval spans 0.18 to 0.78 of the height.
        box = lambda **more: {"x": 0.38, "y": 0.24, "width": 0.24, "height": 0.48, **more}
        for is_inside, face in [(True, box()), (True, box(y=0.28)), (False, box(y=0.31)), (False, box(height=0.55)), (False, box(y=0.16)),
                                (False, box(x=0.25)), (False, box(x=0.5)), (False, box(x=0.3, width=0.4)),
                                (False, box(x=0.2, y=0.05, width=0.6, height=0.9))]:
            with self.subTest(face=face):
                self.assertEqual(self.module("oval", f"return module.contains({json.dumps(face)}, 640, 480)"), is_inside)

    # Rows: NV21
    def test_the_oval_is_green_only_for_a_whole_face(self):
        for y, is_good in ((0.24, True), (0.40, False)):
            with self.subTest(y=y):
                face = views.face("scanning", feedback={"progress": 0.4, "face": {"x": 0.4, "y": y, "width": 0.2, "height": 0.46}})
                views.stand(self.browser, f"{self.page.url}/?lang=en&oval", [views.SCREENS["intro-face"][1][0], face], "intro")
                self.browser.click("main .primary")
                self.browser.screen("face")
                self.browser.until("document.querySelector('.plate .more').textContent")
                self.assertEqual(self.browser.run("return document.querySelector('.preview').classList.contains('good')"), is_good)
                self.assertEqual("chin" in self.browser.text(), not is_good)
                green = self.browser.run("return getComputedStyle(document.querySelector('.progress')).stroke")
                self.assertEqual(green == "rgb(47, 212, 140)", is_good, green)


class Frames(InBrowser):
    def test_the_server_reads_the_batches(self):
        self.put_up("welcome")
        got = self.module("frames", """return [...module.pack([
            {time: 1.5, light: null, flags: 0, jpeg: new Uint8Array([255, 216]).buffer},
            {time: 2.25, light: 4, flags: 3, jpeg: new Uint8Array([1]).buffer}], 57)]""")
        import struct
        frame = lambda seq, time, light, flags, jpeg: struct.pack(">IdBBI", seq, time, light, flags, len(jpeg)) + jpeg
        self.assertEqual(bytes(got), b"FVF1\x02" + frame(57, 1.5, 255, 0, b"\xff\xd8") + frame(58, 2.25, 4, 3, b"\x01"))

    def test_frames_have_the_requested_size(self):
        self.put_up("welcome")
        for width, height, short, wanted in [(1280, 960, 480, [640, 480]), (1280, 720, 480, [854, 480]), (720, 1280, 480, [480, 854]),
                                             (320, 240, 480, [320, 240]), (1920, 1080, 1080, [1920, 1080])]:
            self.assertEqual(self.module("frames", f"return module.scaled({width}, {height}, {short})"), wanted)


class Reader(InBrowser):
    """The chip on the server's reader, by scripted views."""

    def stand(self, *shown, screen="chip"):
        views.stand(self.browser, f"{self.page.url}/?lang=en&reader", list(shown), screen)
        self.browser.run("""window.asked = []; const real = window.fetch;
            window.fetch = (path, options) => { asked.push([options?.method, path, options?.body ?? null]); return real(path, options); };""")

    def asked(self, method):
        return self.browser.run("return asked.filter(([method]) => method === arguments[0])", method)

    def test_the_reading_starts_without_an_explanation(self):
        view = views.chosen("choosing", "chip", reader=views.reader()["reader"])
        views.stand(self.browser, f"{self.page.url}/?lang=en&reader", [view, views.reader()], "chip")
        self.assertEqual(self.browser.run("return scripted.calls.map(({call}) => call)"), ["start-part"])
        self.assertIn("flat on the reader", self.browser.text())

    def test_a_chip_is_read(self):
        self.stand(views.reader(), views.reader("waiting"))
        self.browser.press("main .primary")
        self.browser.screen("reading")
        self.assertEqual(self.asked("POST"), [["POST", "/v1/page/chip/reader", '{"isConfirmed":false}']])
        self.browser.until("document.getElementById('urgent').textContent === 'Place your document on the reader'", 3)
        self.browser.run("scripted.set(arguments[0])", views.reader("reading", file="EF.DG2", fraction=0.43))
        self.browser.until("document.querySelector('progress').value === 0.43 && !document.querySelector('progress').hidden", 3)
        self.assertIn("EF.DG2 · 43%", self.browser.text())
        self.browser.until("document.getElementById('urgent').textContent === 'The chip is being read'", 3)
        self.browser.run("scripted.set(arguments[0])", views.reader(fault="connection-lost", detail="The card was removed."))
        self.browser.screen("chip")
        self.assertIn("on the reader again", self.browser.run("return document.querySelector('main [role=alert]').textContent"))

    def test_a_reading_can_be_stopped_at_any_moment(self):
        self.stand(views.reader("reading"), views.reader(), screen="reading")
        # A request for the progress never returns.
        self.browser.run("const last = window.fetch; window.fetch = (path, options) => options?.method === 'GET' ? new Promise(() => {}) : last(path, options)")
        self.browser.run("await new Promise(done => setTimeout(done, 1500)); scripted.set(arguments[0])", views.reader())
        self.browser.press("main .quiet")
        self.browser.screen("chip")
        self.assertEqual(self.asked("DELETE"), [["DELETE", "/v1/page/chip/reader", None]])

    def test_a_refused_zone_is_confirmed(self):
        self.stand(views.reader(fault="password-refused", mustConfirm=True, attemptsLeft=2), views.reader("waiting"))
        self.assertIn("Attempts left: 2", self.browser.text())
        self.browser.press("main button.quiet")
        self.browser.screen("reading")
        self.assertEqual(self.asked("POST"), [["POST", "/v1/page/chip/reader", '{"isConfirmed":true}']])

    def test_a_reader_in_use_is_reported(self):
        self.stand(views.reader())
        self.browser.run("""window.fetch = async () => new Response(JSON.stringify({status: 409, view: arguments[0]}),
            {status: 409, headers: {"Content-Type": "application/problem+json"}})""", views.reader(fault="busy", detail="In use."))
        self.browser.click("main .primary")
        self.browser.until("document.querySelector('main [role=alert]')?.textContent.includes('another check')", 3)
        self.assertEqual(self.browser.run("return document.getElementById('toast').textContent"), "")

    def type(self, number):
        self.browser.run("document.querySelector('main input[type=text]').value = ''")
        self.browser.click("main input[type=text]")
        self.browser.keys(*number)

    def test_a_number_opens_the_chip_in_place_of_the_page(self):
        refused = views.reader(hasKey=False, fault="number-refused", detail="Refused.")
        self.stand(views.reader(hasKey=False), views.reader("waiting", hasKey=False))
        for number in ("", "12345", "1234 6"):
            self.type(number)
            self.browser.click("main .primary")
            self.assertEqual(self.browser.run("return document.querySelector('main .note').textContent"), "Enter the six digits.")
        self.assertEqual(self.asked("POST"), [])
        self.type("123456")
        self.browser.press("main .primary")
        self.browser.screen("reading")
        self.assertEqual(self.asked("POST"), [["POST", "/v1/page/chip/reader", '{"isConfirmed":false,"cardAccessNumber":"123456"}']])
        # After a refusal the field is empty: nothing is sent again that was not typed again.
        self.browser.run("scripted.set(arguments[0])", refused)
        self.browser.screen("chip")
        self.assertIn("did not accept this number", self.browser.text())
        self.assertEqual(self.browser.run("return document.querySelector('main input[type=text]').value"), "")
        self.type("٦٥٤٣٢١")
        self.browser.click("main .primary")
        self.assertEqual(self.asked("POST")[1][2], '{"isConfirmed":true,"cardAccessNumber":"654321"}')

    def test_a_refused_zone_can_be_replaced_by_the_number(self):
        self.stand(views.reader(fault="password-refused", mustConfirm=True), views.reader("waiting"))
        self.type("123456")
        self.browser.press("main .primary")
        self.browser.screen("reading")
        self.assertEqual(self.asked("POST"), [["POST", "/v1/page/chip/reader", '{"isConfirmed":false,"cardAccessNumber":"123456"}']])

    def test_without_a_reader_only_files_are_offered(self):
        self.stand(views.CHIP)
        self.assertIn("EF.COM", self.browser.text())
        self.assertNotIn("Read the chip", self.browser.text())


class Visit(InBrowser):
    def test_every_screen_obeys_the_content_policy(self):
        self.browser.before("addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>"
                            " (window.violations ??= []).push(violatedDirective + ' ' + blockedURI));")
        for name in views.SCREENS:
            with self.subTest(screen=name):
                self.put_up(name)
                self.assertIsNone(self.browser.run("return window.violations"))
                bad = [entry["message"] for entry in self.browser.logs() if entry["level"] == "SEVERE"]
                self.assertEqual(bad, [])
        asked = {message["params"]["request"]["url"] for entry in self.browser.logs("performance")
                 for message in [json.loads(entry["message"])["message"]] if message["method"] == "Network.requestWillBeSent"}
        self.assertTrue(asked)
        foreign = {url for url in asked if url.startswith(("http", "ws")) and not url.startswith(self.page.url)}
        self.assertEqual(foreign, set())

    def test_a_visit_transfers_few_bytes(self):
        """As served: without indentation and comments."""
        if "FACEVERIFY_PAGE_FILES" in os.environ:
            self.skipTest("files of a folder are served as they are")
        common = [f"/assets/{file.name}" for file in RESOURCES.glob("*.*") if file.name != "index.html"] + ["/s"]
        for language in LANGUAGES:
            visit = [*common, f"/assets/i18n/{language}.json"]
            plain = sum(len(self.served(path)) for path in visit)
            small = sum(len(self.served(path, **{"Accept-Encoding": "gzip"})) for path in visit)
            with self.subTest(language=language, plain=plain, compressed=small):
                # Half of the letters of Arabic and Ukrainian have two bytes.
                self.assertLessEqual(plain, HEAVIEST + (12_000 if language in ("ar", "uk") else 0))
                self.assertLessEqual(small, HEAVIEST_COMPRESSED)

    def served(self, path, **headers):
        with urllib.request.urlopen(urllib.request.Request(self.page.url + path, headers=headers)) as answer:
            return answer.read()

    def test_served_scripts_are_those_of_the_folder(self):
        """Only indentation and lines of comments are missing."""
        if "FACEVERIFY_PAGE_FILES" in os.environ:
            self.skipTest("files of a folder are served as they are")
        for file in [*sorted(RESOURCES.glob("*.js")), RESOURCES / "app.css"]:
            text = re.sub(r"^ */\*.*?\*/\n", "", file.read_text(), flags=re.S | re.M)
            kept = [line.lstrip(" ") for line in text.split("\n") if line.strip(" ") and not line.lstrip(" ").startswith("//")]
            served = self.served(f"/assets/{file.name}").decode()
            if file.suffix == ".css":
                served, kept = (re.sub(r"\s|;(?=\s*\})", "", text) for text in (served, "".join(kept)))
                self.assertEqual(served, kept)
            else:
                self.assertEqual(served, "\n".join(kept) + "\n", file.name)

    # Rows: J27
    def test_the_first_screen_is_shown_in_time(self):
        self.browser.before("""new MutationObserver((_, observer) => {
            if (!document.querySelector("main.screen-welcome h1")) return;
            window.shownAfter = performance.now();
            observer.disconnect();
          }).observe(document, {subtree: true, childList: true, attributes: true});""")
        times = []
        for _ in range(5):
            self.put_up("welcome")
            times.append(self.browser.run("return window.shownAfter"))
        self.assertLessEqual(min(times), SLOWEST, times)

    # Rows: J84 V6-language
    def test_the_language_is_selectable(self):
        for language in LANGUAGES + ["fi"]:
            self.put_up("select-many", language=language)
            own = language if language in LANGUAGES else "en"
            self.assertEqual(self.browser.run("return [document.documentElement.lang, document.documentElement.dir]"),
                             [own, "rtl" if own == "ar" else "ltr"])
            words = json.loads((RESOURCES / f"i18n/{own}.json").read_text())
            self.assertIn(words["help"], self.browser.text())
            self.assertEqual(self.browser.run("return [...document.querySelectorAll('.languages option')].map(({value}) => value).sort()"), sorted(LANGUAGES))
            # Countries are named and sorted by the browser's data, and found by their names.
            named = self.browser.run("""const words = await import("/assets/words.js");
                return ["AUT", "D", "POL", "TUR", "UKR"].map((code) => [words.country(code), new Intl.DisplayNames(words.language, {type: "region"}).of(code === "D" ? "DE" : {AUT: "AT", POL: "PL", TUR: "TR", UKR: "UA"}[code])])""")
            self.assertEqual([name for name, _ in named], [name for _, name in named])
            self.browser.run("const field = document.querySelector('input[type=search]'); field.value = arguments[0]; field.dispatchEvent(new Event('input', {bubbles: true}))", named[0][0])
            self.assertEqual(self.browser.run("return document.querySelector('.field select').value"), "AUT", language)
            self.assertNotRegex(self.browser.text(), r"\{\w+\}")
        self.assertEqual(self.module("words", "return module.LANGUAGES && Object.keys(module.LANGUAGES).sort()"), sorted(LANGUAGES))

    def test_reasons_of_the_record_are_marked_as_english(self):
        """WCAG 2.2, 3.1.2: a screen reader uses the voice of their language."""
        self.put_up("not-confirmed", language="ar")
        shown = self.browser.run("return [...document.querySelectorAll('.reasons li')].map((one) => [(one.firstElementChild ?? one).closest('[lang]').lang, one.textContent])")
        self.assertEqual([language for language, _ in shown], ["ar", "ar", "en"])
        self.assertEqual(shown[2][1], "A reason without a text.")
        self.assertNotIn("flat picture", self.browser.text(), "why a face was rejected is not stated")

    # Rows: DR9
    def test_a_result_states_only_what_was_proved(self):
        for name, said, unsaid in [
                ("passed", [], ["match", "compared", "face", "document"]),
                ("passed-face", ["Passed", "not compared", "movements"], ["match", "document"]),
                ("passed-chip", ["Passed", "chip are authentic", "matches the photo on your document’s chip"], ["not compared"]),
                ("not-confirmed", ["did not confirm"], ["Passed", "matches"]), ("not-checked", ["Not everything"], ["Passed", "matches"]),
                ("cancelled", ["ended"], ["Passed", "matches"])]:
            with self.subTest(screen=name):
                self.put_up(name)
                shown = self.browser.run("return document.querySelector('main').innerText")
                self.assertEqual([words for words in said if words not in shown], [])
                self.assertEqual([words for words in unsaid if words in shown], [])
                self.assertNotRegex(shown, "who you say")

    def test_the_host_receives_the_outcome(self):
        hear = "window.webkit = {messageHandlers: {performAction: {postMessage: m => (window.told ??= []).push(m)}}};"
        identifier = self.browser.before(hear)
        self.addCleanup(lambda: self.browser.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=identifier))
        for name, is_complete, result, error in [("finished", True, None, None), ("passed-face", True, "passed", None),
                                                 ("not-confirmed", True, "failed", None), ("not-checked", True, "not-checked", None),
                                                 ("cancelled", False, None, "G000000")]:
            with self.subTest(screen=name):
                self.put_up(name)
                told = [message["data"] for message in self.browser.run("return window.told") if message["action"] == "STATE"]
                self.assertEqual(told[-1], {"state": "finished", "workflowExecutionId": "n1-1", "isComplete": is_complete, "result": result, "error": error})

    def test_countries_are_searchable(self):
        options = "[...document.querySelectorAll('.field select option')].map(({value}) => value)"
        self.put_up("select-many")
        self.assertGreater(len(self.browser.run(f"return {options}")), 280)
        self.browser.click("input[type=search]")
        self.browser.keys(*"united")
        self.browser.until(f"{options}.length < 12")
        found = self.browser.run(f"return {options}")
        self.assertLessEqual({"ARE", "GBR", "USA"}, set(found))
        self.assertIn(f"Countries found: {len(found)}", self.browser.text())
        self.assertEqual(self.browser.run("return document.querySelector('.field select').value"), "USA", "the country of en-US is still chosen")
        # Without accents, and by code; a single match is selected.
        for words, code in (("cote d'iv", "CIV"), ("åland", "ALA"), ("AUT", "AUT"), ("zzz", "")):
            with self.subTest(words=words):
                self.browser.run("""const field = document.querySelector('input[type=search]'); field.value = arguments[0];
                    field.dispatchEvent(new Event('input', {bubbles: true}))""", words)
                self.assertEqual(self.browser.run("return document.querySelector('.field select').value"), code)
                self.assertEqual(self.browser.run("return document.querySelectorAll('.kinds input').length"), 1 if code else 0)
        # A selection that no longer matches is cleared.
        self.assertEqual(self.browser.run("return document.querySelector('.kinds').children.length"), 0)
        self.put_up("select")
        self.assertFalse(self.browser.run("return Boolean(document.querySelector('input[type=search]'))"), "ten countries need no search")

    def test_the_page_leads_back_to_the_shop(self):
        back = f"{self.page.url}/s?order=7&state=x"
        views.stand(self.browser, f"{self.page.url}/?lang=en&return", [{**views.ended(), "returnUrl": back}], "finished")
        target = f"{self.page.url}/s?order=7&state=finished&workflowExecutionId=n1-1"
        link = self.browser.run("const {href, textContent, rel} = document.querySelector('main a'); return [href, textContent, rel]")
        self.assertEqual(link, [target, f"Return to {self.page.url.split('//')[1]}", "noreferrer"])
        self.assertIn("in a few seconds", self.browser.text())
        self.browser.until(f"location.href === '{target}'", 15)
        # Who stays, reads the result or an open dialog, stays.
        for view, stay in ((views.ended(), "main .quiet"), (views.proved("challenge-answered", "none", "none"), None), (views.ended(), "footer button")):
            views.stand(self.browser, f"{self.page.url}/?lang=en&stay", [{**view, "returnUrl": back}], "finished")
            if stay:
                self.browser.click(stay)
            self.browser.run("await new Promise(done => setTimeout(done, 10500))")
            self.assertIn("stay", self.browser.run("return location.search"))
            self.assertTrue(self.browser.run("return Boolean(document.querySelector('main a'))"))

    def test_a_movement_that_is_accepted_sounds_and_vibrates_if_it_was_turned_on(self):
        self.browser.before("""window.signals = [];
            navigator.vibrate = (time) => signals.push(time);
            window.AudioContext = class { currentTime = 0;
              createOscillator() { return {frequency: {}, connect: (other) => other, start: () => signals.push("tone"), stop() {}}; }
              createGain() { return {gain: {setValueAtTime() {}, exponentialRampToValueAtTime() {}}, connect: (other) => other}; }
              close() {} };""")
        for motion, expected in (("no-preference", ["tone", 60]), ("reduce", ["tone"])):
            self.browser.media(prefers_reduced_motion=motion)
            self.put_up("face-challenge")
            moved = lambda *answers: self.browser.run("scripted.set(arguments[0]); await new Promise(done => setTimeout(done, 500))",
                                                      views.face("scanning", feedback={"challenge": "blink", "phase": "moving", "answers": list(answers)}))
            moved("turn-left")
            self.assertEqual(self.browser.run("return signals"), [], "off at first")
            self.browser.click(".tool[aria-pressed=false]")
            self.assertEqual(self.browser.run("return signals.splice(0)"), expected)
            moved("turn-left", "blink")
            self.assertEqual(self.browser.run("return signals.splice(0)"), expected)
            moved("turn-left", "blink")
            self.assertEqual(self.browser.run("return signals"), [], "once each")
            self.browser.click(".tool[aria-pressed=true]")
            moved("turn-left", "blink", "smile")
            self.assertEqual(self.browser.run("return signals"), [])
        self.browser.media(prefers_reduced_motion="no-preference")

    def test_a_phone_offers_no_phone(self):
        self.put_up("welcome-phone")
        self.assertIn("on your phone", self.browser.text())
        self.browser.cdp("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        self.browser.size(390, 844)
        try:
            self.put_up("welcome-phone")
            self.assertTrue(self.browser.run("return matchMedia('(pointer: coarse)').matches"))
            self.assertNotIn("on your phone", self.browser.text())
        finally:
            self.browser.cdp("Emulation.setTouchEmulationEnabled", enabled=False)

    def test_a_lost_connection_is_reported(self):
        for reason, words in (("frames-missing", "connection"), ("frames-late", "connection"), ("clock-rate", "connection"), ("page-hidden", "page visible")):
            with self.subTest(reason=reason):
                views.stand(self.browser, f"{self.page.url}/?lang=en&lost", [views.interrupted(reason)], "intro")
                note = self.browser.run("return document.querySelector('main .reason').textContent")
                self.assertIn(words, note)
                self.assertEqual("page visible" in note, reason == "page-hidden")

    def test_a_missing_text_is_english(self):
        self.browser.before("""const real = window.fetch; window.fetch = async (path, options) => {
          if (path !== "/assets/i18n/de.json") return real(path, options);
          const words = await (await real(path)).json();
          delete words["welcome.go"];
          return new Response(JSON.stringify(words), {headers: {"Content-Type": "application/json"}});
        };""")
        self.put_up("welcome", language="de")
        self.browser.until("document.querySelector('main .primary').textContent === 'Start'", 3)
        self.assertIn("Hilfe", self.browser.text())

    # Rows: V4.18-b J35
    def test_consent_links_lead_only_to_web_pages(self):
        view = views.view("consenting", consents=[
            {"text": "one bad two", "url": "javascript:alert(1)", "link": "bad", "isActive": True, "decision": None},
            {"text": "one good two", "url": "https://example.org/", "link": "good", "isActive": False, "decision": None}])
        views.stand(self.browser, f"{self.page.url}/?lang=en&links", [view], "consent")
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('main a')].map(a => [a.href, a.target, a.rel])"),
                         [["https://example.org/", "_blank", "noopener noreferrer"]])


if __name__ == "__main__":
    unittest.main()
