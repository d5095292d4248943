"""A session that begins on a computer and continues on a phone."""

import unittest

from driver import NEEDS_BROWSER, Browser, Page, Server, free_port

READ = """const svg = document.querySelector("main .code svg"), { width, height } = svg.getBoundingClientRect();
    return [svg.getAttribute("viewBox").split(" ").map(Number), width, height, svg.firstElementChild.getAttribute("d"),
      getComputedStyle(svg.parentElement).backgroundColor, getComputedStyle(svg.firstElementChild).fill]"""


@unittest.skipUnless(Page.is_there(), NEEDS_BROWSER)
class HandOff(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        port = free_port()
        cls.server = Server("--public-url", f"http://127.0.0.1:{port}", "--allow-return", f"http://127.0.0.1:{port}",
                            name="faceverify-scripted", port=port)
        cls.addClassCleanup(cls.server.__exit__)

    def open(self, url, size=(1280, 800)):
        browser = Browser(size=size)
        self.addCleanup(browser.__exit__)
        # Keeps the link, which is drawn only as a code.
        browser.before("""const real = window.fetch; window.fetch = async (path, options) => {
            const answer = await real(path, options);
            if (path === "/v1/page/hand-off") answer.clone().json().then((link) => (window.link = link));
            return answer; };""")
        browser.open(url)
        return browser

    def test_a_phone_continues_and_the_computer_follows(self):
        made = self.server.session(requests=[{"category": "face"}], comparesFace=False, returnUrl=f"{self.server.url}/s")
        desk = self.open(made["pageUrl"])
        desk.screen("welcome")
        desk.press("main .quiet")
        desk.screen("phone")
        link = desk.until("window.link")
        box, width, height, path, back, fill = desk.run(READ)
        # Dark on light in every theme, with a quiet zone of four modules, and large enough for a camera.
        self.assertEqual((box, path), ([-4, -4, link["code"]["size"] + 8] + [link["code"]["size"] + 8], link["code"]["path"]))
        self.assertEqual((back, fill), ("rgb(255, 255, 255)", "rgb(0, 0, 0)"))
        self.assertGreater(min(width, height) / box[2], 4)
        phone = self.open(link["url"], size=(390, 844))
        phone.screen("welcome")
        self.assertEqual(phone.run("return location.hash"), "")
        desk.screen("elsewhere", seconds=10)
        self.assertNotIn("End the check", desk.text())
        # A reload of either device stays where it was; a second phone is refused.
        desk.command("POST", "/refresh", {})
        desk.screen("elsewhere", seconds=10)
        other = self.open(link["url"], size=(390, 844))
        other.screen("blocked")
        self.assertIn("already used", other.text())
        phone.press("main .primary")
        phone.screen("intro")
        phone.click("footer button:last-child")
        phone.until("document.querySelector('dialog[open]')")
        phone.click("dialog .danger")
        phone.screen("finished")
        self.assertIn("return to the device", phone.text())
        self.assertEqual(phone.run("return document.querySelectorAll('main a').length"), 0)
        desk.screen("finished", seconds=10)
        target = f"{self.server.url}/s?workflowExecutionId={made['workflowExecutionId']}&state=finished"
        self.assertEqual(desk.run("return document.querySelector('main a').href"), target)
        desk.until(f"location.href === '{target}'", 15)

    def test_another_link_in_the_same_window_begins_its_own_session(self):
        one, other = (self.server.session(requests=[{"category": kind}], comparesFace=False) for kind in ("face", "document"))
        browser = self.open(one["pageUrl"])
        browser.screen("welcome")
        self.assertIn("Your face", browser.text())
        browser.open(other["pageUrl"])
        browser.until("document.querySelector('main.screen-welcome')?.innerText.includes('A document')", 10)

    def test_who_goes_back_stays(self):
        made = self.server.session(requests=[{"category": "face"}], comparesFace=False)
        desk = self.open(made["pageUrl"])
        desk.screen("welcome")
        desk.press("main .quiet")
        desk.screen("phone")
        url = desk.until("window.link")["url"]
        desk.press("main .quiet")
        desk.screen("welcome")
        desk.press("main .primary")
        desk.screen("intro")
        phone = self.open(url, size=(390, 844))
        phone.screen("blocked")
        # The next part boundary: a new code.
        desk.run("window.link = null")
        desk.press("main .quiet")
        desk.screen("phone")
        phone = self.open(desk.until("window.link")["url"], size=(390, 844))
        phone.screen("intro")
        desk.screen("elsewhere", seconds=10)


if __name__ == "__main__":
    unittest.main()
