"""WCAG 2.2 AA, as far as it can be tested automatically: axe on every screen, and criteria that axe does not cover."""

import os
import pathlib
import re
import struct
import time
import unittest
import zlib

import views
from driver import ENTER, ESCAPE, NEEDS_BROWSER, ROOT, SPACE, TAB, Browser, Page

AXE = pathlib.Path(os.environ.get("FACEVERIFY_AXE", ROOT / ".deps/browser/axe.min.js"))
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# CSS pixels: a target's side (2.5.8 requires 24), a narrow screen (1.4.10).
TARGET, NARROW = 44, 320


@unittest.skipUnless(Page.is_there(), NEEDS_BROWSER)
class Access(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = Page()
        cls.browser = Browser("--force-device-scale-factor=1", size=(1280, 800))

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.page.close()

    def setUp(self):
        self.browser.media(prefers_color_scheme="light", prefers_reduced_motion="no-preference")
        self.browser.size(1280, 800)

    def put_up(self, name, language="en"):
        views.put_up(self.browser, self.page.url, name, language)

    def settled(self):
        """Waits for the end of animations."""
        self.browser.until("document.getAnimations().every(a => a.effect.getTiming().iterations === Infinity || a.playState === 'finished')", 4)


class Screens(Access):
    """Every screen, loaded once in each language."""

    CLIPPED = """return [...document.querySelectorAll("main *, header *, footer *, dialog *, #toast *")].filter(e => e.children.length === 0 && e.textContent.trim()
        && !e.closest(".unseen, .steps, option, svg, select")).map(e => [e, e.getBoundingClientRect()]).filter(([e, box]) => {
          if (box.right > innerWidth + 1 || box.left < -1) return true;
          for (let up = e; up; up = up.parentElement) {
            const style = getComputedStyle(up), frame = up.getBoundingClientRect();
            if (style.overflow === "hidden" && (box.right > frame.right + 1 || box.bottom > frame.bottom + 1)) return true;
          }
          return false;
        }).map(([e]) => e.textContent.slice(0, 40))"""
    SPACED = """const sheet = new CSSStyleSheet();
        sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }");
        document.adoptedStyleSheets = [sheet];"""
    SMALL = """return [...document.querySelectorAll("button, select, label:has(input), label.button")].map(e => [e, e.getBoundingClientRect()])
        .filter(([e, box]) => box.width && (box.width < arguments[0] || box.height < arguments[0] - 0.5))
        .map(([e, box]) => [e.textContent.slice(0, 20), box.width, box.height])"""

    def assert_fits(self):
        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth - innerWidth"), 0, "no scrolling sideways")
        self.assertEqual(self.browser.run(self.CLIPPED), [])

    def axe(self):
        return self.browser.run("return (await axe.run({runOnly: arguments[0], resultTypes: ['violations']})).violations.map(v => "
                                "[v.id, v.help, v.nodes.map(n => n.target.join(' ') + ': ' + n.failureSummary)])", TAGS)

    def look(self, language, source):
        """Axe, 1.4.4, 1.4.10, 1.4.12, 2.5.8, and consistent help (3.2.6)."""
        for width in (1280, NARROW) if source and language != "de" else ():
            self.browser.size(width, 568)
            for theme in ("dark", "light"):
                self.browser.media(prefers_color_scheme=theme)
                self.settled()
                self.assertEqual(self.axe(), [], (width, theme))
                self.seen += 1
        self.browser.size(NARROW, 568)
        self.assert_fits()
        self.assertEqual(self.browser.run(self.SMALL, TARGET), [])
        if language == "en":
            self.assertEqual(self.browser.run("return document.querySelector('footer button').textContent"), "Help")
            self.browser.run(self.SPACED)
            self.assert_fits()
        if language == "de":
            self.browser.size(640, 800)
            self.browser.run("document.documentElement.style.fontSize = '200%'")
            self.settled()
            self.assert_fits()

    # Rows: NV5 V4.14-b
    def test_every_screen_is_accessible(self):
        source, self.seen = AXE.read_text() if AXE.exists() else None, 0
        for language in ("en", "de", "ar"):
            for name in views.SCREENS:
                with self.subTest(screen=name, language=language):
                    self.browser.size(1280, 568)
                    self.put_up(name, language)
                    self.settled()
                    if source:
                        self.browser.cdp("Runtime.evaluate", expression=source)
                    self.look(language, source)
        # Without axe its checks are skipped, as test_axe_detects_faults reports.
        self.assertEqual(self.seen, 8 * len(views.SCREENS) if source else 0)

    def test_axe_detects_faults(self):
        """The tool finds the faults of a faulty page."""
        if not AXE.exists():
            self.skipTest("needs axe.min.js: Tests/browser/fetch_axe")
        self.put_up("welcome")
        self.browser.run("const button = document.createElement('button'); document.querySelector('main').append(button)")
        self.browser.cdp("Runtime.evaluate", expression=AXE.read_text())
        self.assertIn("button-name", [name for name, *_ in self.axe()])

    def test_landscape_fits(self):
        self.browser.size(844, 390)
        for name in ("welcome", "face-challenge", "finder", "confirm"):
            with self.subTest(screen=name):
                self.put_up(name)
                self.settled()
                self.assert_fits()
                self.assertGreater(self.browser.run("return document.querySelector('main').getBoundingClientRect().width"), 300)

    # Rows: ST17
    def test_landscape_shows_face_and_instruction(self):
        """On phones in landscape, without scrolling: the text above or next to the preview, and the whole oval."""
        for width, height in ((844, 390), (667, 375), (568, 320)):
            for name in ("face-challenge", "face-hint", "face-manual", "finder"):
                for language in ("en", "de", "ar"):
                    with self.subTest(screen=name, size=(width, height), language=language):
                        self.browser.size(width, height)
                        self.put_up(name, language)
                        self.settled()
                        self.browser.until("document.querySelector('.guide').getBoundingClientRect().height > 0")
                        found = self.browser.run("""const box = (e) => { const { left, right, top, bottom } = document.querySelector(e).getBoundingClientRect(); return [left, top, right, bottom]; };
                            return [box(".plate h1"), box(".preview"), box(".guide"), box("video")]""")
                        words, preview, guide, video = found
                        for left, top, right, bottom in (words, preview, guide):
                            self.assertTrue(left >= 0 and top >= 0 and right <= width and bottom <= height, found)
                        self.assertAlmostEqual(guide[0] + guide[2], video[0] + video[2], delta=1, msg="the guide is where the picture is")
                        self.assertGreater(guide[3] - guide[1], height * 0.35, "the face is not a stamp")
                        self.assertLessEqual(words[1], preview[3])

    def test_endless_words_stay_inside(self):
        word = "x" * 3000
        consents = [{**views.CONSENTS[0], "text": f"I agree {word}", "link": word}, {**views.CONSENTS[1], "text": word, "url": f"https://example.org/{word}", "link": None}]
        for screen, shown in (("consent", views.view("consenting", consents=consents)), ("advice", views.view("advising", credential=0, advice=word)),
                              ("finished", views.ended("failed", reasons=[{"code": "none.known", "text": word}])), ("failed", views.view("failed", error={"code": "X000000", "message": word, "isRetryable": True}))):
            for width in (NARROW, 1280):
                with self.subTest(screen=screen, width=width):
                    self.browser.size(width, 568)
                    views.stand(self.browser, f"{self.page.url}/?lang=en&word", [shown], screen)
                    self.settled()
                    self.assert_fits()
                    self.browser.run("faceverify.showToast(arguments[0])", word)
                    self.assert_fits()


class Names(Access):
    def tree(self):
        nodes = self.browser.cdp("Accessibility.getFullAXTree")["nodes"]
        value = lambda node, key: (node.get(key) or {}).get("value", "")
        return [(value(node, "role"), value(node, "name")) for node in nodes if not node.get("ignored")]

    def test_the_face_screen_has_names(self):
        self.put_up("face-challenge")
        tree = self.tree()
        self.assertIn(("image", "Your camera picture, mirrored. Turn your head to your left"), tree)
        self.assertIn(("heading", "Turn your head to your left"), tree)
        self.assertIn(("button", "I cannot do this"), tree)
        self.assertIn(("button", "Help"), tree)
        self.assertNotIn("Video", [role for role, _ in tree])
        # The instruction comes first, in the upper part of the picture, and hides little of the oval.
        plate, preview, guide = self.browser.run("return ['.plate', '.preview', '.guide'].map((one) => document.querySelector(one).getBoundingClientRect())")
        self.assertTrue(preview["top"] < plate["top"] and plate["bottom"] < preview["top"] + preview["height"] / 4, (plate, preview))
        self.assertLess(plate["bottom"], guide["top"] + guide["height"] / 8)
        self.assertEqual(self.browser.run("return document.querySelector('.plate').compareDocumentPosition(document.querySelector('.preview'))"), 4)

    def test_the_steps_have_names(self):
        self.put_up("select")
        self.assertEqual(self.browser.run("""return [...document.querySelectorAll("ol.steps li")].map(li => [li.innerText.trim(), li.ariaCurrent])"""),
                         [["Consent", None], ["Document", "step"], ["Face", None], ["Done", None]])


class Keyboard(Access):
    def focus(self):
        return self.browser.run("return [document.activeElement.tagName, document.activeElement.textContent.trim().slice(0, 60)]")

    def tab_to(self, words, most=14):
        for _ in range(most):
            self.browser.keys(TAB)
            if words in self.browser.run("const e = document.activeElement; return (e.closest('label') ?? e).textContent"):
                shown = self.browser.run("""const e = document.activeElement, s = getComputedStyle(e), l = getComputedStyle(e.closest(".button, .choice") ?? e);
                    const box = (e.closest("label") ?? e).getBoundingClientRect();
                    return [s.outlineStyle !== "none" || l.outlineStyle !== "none", box.top >= 0 && box.bottom <= innerHeight]""")
                self.assertEqual(shown, [True, True], f"the focus on {words!r} can be seen")
                return
        self.fail(f"{words!r} cannot be reached; the focus is at {self.focus()}")

    # Rows: V4.14-b
    def test_the_keyboard_reaches_the_end(self):
        """From the first screen to the camera with only Tab, Enter, Space and the arrow keys."""
        # Each consent is requested individually.
        consented = [{**views.CONSENTS[0], "decision": True}, views.CONSENTS[1]]
        chain = [views.view("created"), views.view("consenting"), views.view("consenting", consents=consented),
                 views.view("configuring", credential=0, choices=views.CHOICES), views.chosen("choosing", "front"),
                 views.document("scanning", mode="manual", fallback="file", taken=3), views.document("confirming", hasPicture=True), views.view("finished", **{"result": {"isComplete": True, "result": None, "reasons": None}})]
        views.stand(self.browser, f"{self.page.url}/?lang=en&keyboard", chain, "welcome")
        self.assertEqual(self.focus()[0], "H1", "the focus goes to the heading of each step")
        self.tab_to("Start")
        self.browser.keys(ENTER)
        self.browser.screen("consent")
        self.assertEqual(self.focus(), ["H1", "Before we start"])
        self.tab_to("Agree and continue")
        self.browser.keys(ENTER)
        self.browser.until("document.activeElement.type === 'checkbox'")
        self.assertIn("Tick every box", self.browser.text())
        self.browser.keys(SPACE)
        self.tab_to("Agree and continue")
        self.browser.keys(ENTER)
        self.browser.screen("select")
        self.tab_to("Issued by")
        self.browser.keys("A")
        self.browser.until("document.querySelector('.field select').value === 'AUT'")
        self.tab_to("Passport")
        self.browser.keys(SPACE)
        self.tab_to("Continue")
        self.browser.keys(ENTER)
        self.browser.screen("intro")
        self.tab_to("Open the camera")
        self.browser.keys(ENTER)
        self.browser.screen("shutter")
        self.tab_to("Take the picture")
        self.browser.keys(ENTER)
        self.browser.screen("confirm")
        self.tab_to("Use this picture")
        self.browser.keys(ENTER)
        self.browser.screen("finished")
        self.assertEqual(self.focus()[0], "H1")

    def test_keys_select_a_country(self):
        self.put_up("select-many")
        self.tab_to("Find a country")
        self.browser.keys(*"united")
        self.tab_to("Issued by", most=1)
        # The country of the browser's language is selected.
        self.browser.until("document.querySelector('.field select').value === 'USA'")
        self.browser.keys("\ue013")  # up
        self.browser.until("document.querySelector('.field select').value !== 'USA'")
        self.browser.until("document.querySelector('.kinds input')")
        self.tab_to("Passport", most=1)

    # Rows: V4.12-d NV79
    def test_dialogs_open_and_close(self):
        self.put_up("select")
        self.tab_to("Help")
        self.browser.keys(ENTER)
        self.browser.until("document.querySelector('dialog[open]')")
        self.assertEqual(self.focus(), ["H2", "Help"])
        self.browser.keys(ESCAPE)
        self.browser.until("!document.querySelector('dialog')")
        self.tab_to("End the check")
        self.browser.keys(ENTER)
        self.browser.until("document.querySelector('dialog[open]')")
        self.browser.keys(ESCAPE)
        self.browser.until("!document.querySelector('dialog')")
        self.assertEqual(self.browser.run("return window.scripted.calls"), [], "who closes it has ended nothing")


class Time(Access):
    """2.2.1 and 4.1.3."""

    def test_more_time_is_offered(self):
        soon = views.view("created")
        soon["session"]["secondsLeft"] = 58.0
        later = views.view("created")
        later["session"].update(secondsLeft=600.0, mayExtend=False)
        views.stand(self.browser, f"{self.page.url}/?lang=en&time", [soon, later], "welcome")
        self.browser.until("document.querySelector('dialog[open]')", 4)
        self.assertIn("Do you need more time?", self.browser.text())
        self.assertRegex(self.browser.text(), r"Time left: 5\d seconds")
        self.browser.click("dialog .primary")
        self.browser.until("document.querySelector('#left').textContent === ''", 3)
        self.browser.screen("welcome")

    # Rows: FO12
    def test_the_live_region_is_rate_limited(self):
        self.put_up("face-hint")
        self.browser.run("""window.said = []; const region = document.querySelector("#urgent");
            new MutationObserver(() => said.push([performance.now(), region.textContent])).observe(region, {childList: true, characterData: true, subtree: true});
            let n = 0; const view = arguments[0], hints = ["move-face-closer", "face-too-close", "centre-face", "raise-chin"];
            window.ticker = setInterval(() => { view.feedback = {...view.feedback, hint: hints[n++ % 4]}; scripted.set(structuredClone(view)); }, 150)""",
                         views.SCREENS["face-hint"][1][1])
        time.sleep(8)
        said = self.browser.run("clearInterval(ticker); return window.said")
        self.assertGreaterEqual(len(said), 3)
        for (before, old), (after, new) in zip(said, said[1:]):
            self.assertGreaterEqual(after - before, 1450)
            self.assertNotEqual(old, new)
        self.assertEqual(self.browser.run("return document.querySelector('#urgent').getAttribute('role')"), "alert")


def luminances(png):
    """The mean relative luminance (WCAG 2.2) of the pixels of an 8-bit PNG."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", png[at + 8:at + 18])
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += 12 + length
    assert depth == 8 and colours in (2, 6)
    size, raw, line, rows = (3 if colours == 2 else 4), zlib.decompress(data), bytes(width * 4), []
    stride = width * size
    line = bytearray(stride)
    linear = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in range(256)]
    total = 0.0
    for row in range(height):
        kind, now = raw[row * (stride + 1)], bytearray(raw[row * (stride + 1) + 1:(row + 1) * (stride + 1)])
        for i in range(stride):
            left, up, corner = (now[i - size] if i >= size else 0), line[i], (line[i - size] if i >= size else 0)
            if kind == 1:
                now[i] = (now[i] + left) & 255
            elif kind == 2:
                now[i] = (now[i] + up) & 255
            elif kind == 3:
                now[i] = (now[i] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
                now[i] = (now[i] + near) & 255
        line = now
        total += sum(0.2126 * linear[now[i]] + 0.7152 * linear[now[i + 1]] + 0.0722 * linear[now[i + 2]] for i in range(0, stride, size))
    return total / (width * height)


class Movement(Access):
    """2.2.2, 2.3.1, 2.3.3."""

    # A colour lasts at least half a second, so there are at most two changes per second (ColourSequence).
    def palette(self):
        text = next((ROOT / "Sources").rglob("ColourSequence.swift")).read_text()
        return [tuple(map(float, found)) for found in re.findall(r"SIMD3\(([\d.]+), ([\d.]+), ([\d.]+)\)", text)]

    def test_nothing_flashes(self):
        """A flash is a pair of opposing luminance changes of 0.1 with the darker below 0.8: no two colours differ that
        much."""
        self.browser.size(NARROW, 568)
        self.put_up("face-light")
        measured = []
        for index, colour in enumerate(self.palette()):
            view = views.face("scanning", feedback={}, light={"index": index, "rgb": colour, "seconds": 0.5})
            self.browser.run("scripted.set(arguments[0])", view)
            rgb = "rgb({}, {}, {})".format(*(int(part * 255 + 0.5) for part in colour))
            self.browser.until(f"getComputedStyle(document.body).backgroundColor === '{rgb}'", 3)
            time.sleep(0.1)
            measured.append(luminances(self.browser.picture()))
        self.assertEqual(len(measured), 4)
        self.assertLess(max(measured) - min(measured), 0.1, measured)
        # It is off when the screen no longer shows a face.
        self.browser.run("scripted.set(arguments[0])", views.SCREENS["face-manual"][1][1])
        self.browser.screen("shutter")
        self.assertFalse(self.browser.run("return document.body.classList.contains('lit')"))

    def test_movement_is_reduced_on_request(self):
        self.browser.media(prefers_reduced_motion="reduce")
        for name in views.SCREENS:
            with self.subTest(screen=name):
                self.put_up(name)
                moving = self.browser.run("return document.getAnimations().map(a => a.animationName ?? a.transitionProperty)")
                self.assertLessEqual(set(moving), {"turn"}, "the wheel alone, slowly")
        self.put_up("face-light")
        self.assertFalse(self.browser.run("return document.body.classList.contains('lit')"), "no light is shown")
        self.assertEqual(self.browser.run("return scripted.calls[0].light"), False)

    def test_light_can_be_refused(self):
        shown = [views.SCREENS["intro-light"][1][0], views.SCREENS["face-light"][1][1]]
        views.stand(self.browser, f"{self.page.url}/?lang=en&refused", shown, "intro")
        self.assertIn("sensitive to light", self.browser.text())
        self.browser.click("main .tick input")
        self.browser.click("main .primary")
        self.browser.screen("face")
        time.sleep(0.5)
        self.assertFalse(self.browser.run("return document.body.classList.contains('lit')"))
        self.assertEqual(self.browser.run("return scripted.calls[0].light"), False)

    def test_refusing_light_states_its_cost(self):
        self.put_up("intro-light")
        self.assertNotIn("proves less", self.browser.text())
        self.browser.click("main .tick input")
        self.assertIn("proves less", self.browser.text())
        self.browser.click("main .tick input")
        self.assertNotIn("proves less", self.browser.text())


class Contrast(Access):
    def test_forced_colours_are_respected(self):
        self.browser.media(forced_colors="active")
        for name in ("welcome", "select", "face-challenge", "finished"):
            with self.subTest(screen=name):
                self.put_up(name)
                self.assertTrue(self.browser.run("return matchMedia('(forced-colors: active)').matches"))
                # Buttons have a visible edge with any colours.
                bare = self.browser.run("""return [...document.querySelectorAll("main button.primary, main button.quiet")].filter(e => {
                    const s = getComputedStyle(e); return s.borderStyle === "none" || parseFloat(s.borderWidth) < 1; }).length""")
                self.assertEqual(bare, 0)


if __name__ == "__main__":
    unittest.main()
