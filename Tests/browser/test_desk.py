"""A desk: the page, the server, and the chip of a synthetic page's passport on a smart card reader."""

import os
import sys
import unittest

from driver import CHROMEDRIVER, ENTER, NEEDS_BROWSER, ROOT, Browser, Server

sys.path.insert(0, str(ROOT / "Tests/server"))
import drawn
import test_reader
import virtual_reader


class Desk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not CHROMEDRIVER:
            raise unittest.SkipTest(NEEDS_BROWSER)
        if reason := test_reader.wants():
            raise unittest.SkipTest(reason)
        cls.reader = virtual_reader.VirtualReader()
        cls.addClassCleanup(cls.reader.close)
        cls.photo, cls.zone = test_reader.page()
        cls.portrait = cls.reader.folder / "portrait.jpg"
        cls.portrait.write_bytes(drawn.photo())
        os.environ.update(cls.reader.environment)
        cls.server = Server("--reader", "--trust", cls.reader.authority(), name="faceverify-scripted")
        cls.addClassCleanup(cls.server.__exit__)

    def insert(self, *more):
        self.reader.insert("cam", "--zone", self.zone, "--portrait", self.portrait, *more)

    def at_the_reader(self, **more):
        """A session whose page has taken the photo."""
        browser = Browser(video=None, size=(390, 844))
        self.addCleanup(browser.__exit__)
        self.addCleanup(self.reader.remove)
        made = self.server.session(**{**test_reader.SESSION, **more})
        browser.open(made["pageUrl"])
        browser.screen("welcome")
        browser.click("main .primary")
        browser.screen("intro")
        browser.click("main .primary")
        browser.screen("file")
        browser.upload("main input[type=file]", self.photo)
        browser.screen("chip", seconds=60)
        return browser, made

    def test_a_document_is_placed_on_the_reader(self):
        browser, made = self.at_the_reader()
        # Removed too early, and placed again.
        self.insert("--remove-after", 20)
        browser.press("main .primary")
        browser.until("document.querySelector('main [role=alert]')?.textContent.includes('connection')", 40)
        self.reader.remove()
        browser.press("main .primary")
        browser.screen("reading")
        self.insert()
        browser.screen("finished", seconds=60)
        _, _, result = self.server.ask("GET", f"/v1/sessions/{made['workflowExecutionId']}/result")
        self.assertEqual((result["result"], result["assurance"]["document"]), ("passed", "chip-authentic"))

    def test_the_number_of_the_card_is_asked_for_after_a_refusal(self):
        browser, made = self.at_the_reader()
        self.reader.insert("cam", "--zone", "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F3012316ZE184226B<<<<<18", "--portrait", self.portrait)
        browser.press("main .primary")
        browser.until("document.querySelector('main [role=alert]')?.textContent.includes('did not accept the data')", 40)
        browser.click("main input[type=text]")
        browser.keys(*"111111")
        browser.press("main .primary")
        browser.until("document.querySelector('main [role=alert]')?.textContent.includes('did not accept this number')", 40)
        self.assertEqual(browser.run("return document.querySelector('main input[type=text]').value"), "")
        self.reader.remove()
        self.insert()
        browser.click("main input[type=text]")
        browser.keys(*"123456", ENTER)
        browser.screen("finished", seconds=60)
        _, _, result = self.server.ask("GET", f"/v1/sessions/{made['workflowExecutionId']}/result")
        self.assertEqual((result["result"], result["assurance"]["document"]), ("passed", "chip-authentic"))

    def test_a_clone_is_not_confirmed(self):
        browser, _ = self.at_the_reader(ui={"showsResult": True})
        self.insert("--fault", "wrongSignature")
        browser.press("main .primary")
        browser.screen("finished", seconds=60)
        self.assertIn("Not confirmed", browser.text())

    def test_the_person_may_stop_and_continue_without_the_chip(self):
        browser, _ = self.at_the_reader(requiresChip=False, assurance={"accepted": ["page-only"]})
        browser.press("main .primary")
        browser.screen("reading")
        browser.press("main .quiet")
        browser.screen("chip", seconds=10)
        self.assertEqual(browser.run("return document.querySelectorAll('main [role=alert].reason').length"), 0)
        browser.press("main .actions button:last-child")
        browser.screen("finished", seconds=30)


if __name__ == "__main__":
    unittest.main()
