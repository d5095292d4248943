"""A session that continues on another device, and pages that lead back to the shop."""

import json
import urllib.parse

from harness import FACE_ONLY, Client, Person, ServerCase, Together, free_port

PORT = free_port()
PUBLIC = f"http://127.0.0.1:{PORT}"


class HandOff(ServerCase):
    options = ("--rate-limits", "off", "--port", str(PORT), "--public-url", PUBLIC, "--allow-return", "https://shop.example")

    def link(self, person):
        answer = person.client.call("POST", "/v1/page/hand-off", token=person.token)
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def claim(self, link):
        token = urllib.parse.parse_qs(link["url"].split("#")[1])["t"][0]
        return Client(self.server.url).call("POST", "/v1/page/claim", {"pageToken": token})

    def phone(self, link):
        answer = self.claim(link)
        self.assertEqual(answer.status, 200, answer)
        return Person(self.server, token=answer.json["sessionToken"], view=answer.json["view"])

    def kinds(self, session):
        lines = self.server.call("GET", "/v1/audit", token=self.key).body.decode().splitlines()
        return [entry["kind"] for entry in map(json.loads, lines) if entry["session"] == session.id]

    def test_another_device_takes_over_and_the_first_one_watches(self):
        session = self.session({**FACE_ONLY, "returnUrl": "https://shop.example/done?order=7"})
        desk = session.person()
        self.assertTrue(desk.view["mayHandOff"])
        desk.must("start")
        link = self.link(desk)
        self.assertTrue(link["url"].startswith(f"{PUBLIC}/s#t=fvp_"))
        self.assertTrue(link["url"].endswith("&n=n1"))
        self.assertEqual(link["secondsLeft"], 600)
        self.assertRegex(link["code"]["path"], r"^(M\d+ \d+h\d+v1h-\d+z)+$")
        phone = self.phone(link)
        self.assertEqual((phone.view["state"], phone.view["wasHandedOff"], phone.view["isElsewhere"]), ("ready", True, False))
        # The link is used up, and the first device may only look.
        self.assertProblem(self.claim(link), 409)
        for method, path, body in (("POST", "/v1/page/calls", {"calls": [{"call": "cancel"}]}), ("POST", "/v1/page/hand-off", None),
                                   ("POST", "/v1/page/extend", None), ("GET", "/v1/page/picture", None), ("POST", "/v1/entities", {"payload": {}})):
            with self.subTest(path=path):
                problem = self.assertProblem(desk.send(method, path, body), 409)
                self.assertTrue(problem["view"]["isElsewhere"])
        self.assertEqual(desk.client.call("POST", "/v1/page/again", token=desk.token).status, 401)
        phone.must({"call": "start-credential", "credential": 0}, {"call": "start-part", "part": "face"})
        desk.look()
        self.assertEqual((desk.view["state"], desk.view["isElsewhere"], desk.view["part"], desk.view["events"]), ("scanning", True, None, []))
        phone.must("cancel")
        desk.look()
        self.assertEqual((desk.view["state"], desk.view["returnUrl"]), ("finished", "https://shop.example/done?order=7"))
        self.assertIsNone(desk.view["result"]["result"])
        phone.look()
        self.assertEqual((phone.view["state"], phone.view["returnUrl"]), ("finished", None))
        self.assertEqual(session.result().json["transport"]["handOffs"], 1)
        self.assertEqual(self.kinds(session)[:4], ["created", "claimed", "hand-off-offered", "handed-off"])

    def test_of_many_claims_one_succeeds(self):
        desk = self.session().person()
        link = self.link(desk)
        together = Together(*[lambda: self.claim(link).status for _ in range(8)])
        self.assertEqual(sorted(together.results), [200] + [409] * 7)

    def test_a_link_is_void_after_the_next_step_and_the_next_link(self):
        desk = self.session().person()
        first = self.link(desk)
        second = self.link(desk)
        self.assertProblem(self.claim(first), 409)
        desk.must("start")
        self.assertProblem(self.claim(second), 409)
        self.assertEqual(desk.look().status, 200, "who guesses takes nothing away")
        # Not within a part.
        desk.must({"call": "start-credential", "credential": 0})
        third = self.link(desk)
        desk.must({"call": "start-part", "part": "face"})
        self.assertProblem(self.claim(third), 409)
        self.assertFalse(desk.view["mayHandOff"])
        self.assertProblem(desk.client.call("POST", "/v1/page/hand-off", token=desk.token), 409)
        desk.must("cancel")
        self.assertProblem(self.claim(third), 409)

    def test_it_can_be_handed_on(self):
        desk = self.session().person()
        phone = self.phone(self.link(desk))
        other = self.phone(self.link(phone))
        for watcher in (desk, phone):
            watcher.look()
            self.assertTrue(watcher.view["isElsewhere"])
        other.must("start")

    def test_the_new_device_restarts_an_interrupted_session(self):
        desk = self.session().person()
        phone = self.phone(self.link(desk))
        phone.must("start")
        self.server.crash()
        for person, status in ((desk, 401), (phone, 200)):
            person.client = Client(self.server.url)
            self.assertEqual(person.send("POST", "/v1/page/again").status, status)

    def test_where_a_page_may_lead(self):
        for url in ("https://shop.example", "https://shop.example/", "https://shop.example/a/b?c=d&e", "https://shop.example?x"):
            with self.subTest(url=url):
                self.session({**FACE_ONLY, "returnUrl": url})
        hostile = [
            "https://shop.example.evil.example/", "https://shop.example@evil.example/", "https://shop.example:8443/", "http://shop.example/",
            "HTTPS://shop.example/", "//shop.example/", "/done", "javascript:alert(1)//https://shop.example/", "data:text/html,x",
            "https://shop.example\\@evil.example/", "https://shop.example/\\evil", "https://shop.example\t/", " https://shop.example/",
            "https://shop.example/\n", "https://shop.example/#x", "https://shop.example/../x", "https://shop.example/%2e%2e/x",
            "https://user:pw@shop.example/", "https://shop.example%2eevil.example/", "https://evil.example/?https://shop.example/",
            "https://shop.exampl\u0435/", "https://shop.example/\u202e", "https://shop.example/" + "x" * 3000, ""]
        for url in hostile + [7, ["https://shop.example/"], {"url": "https://shop.example/"}]:
            with self.subTest(url=url):
                answer = Client(self.server.url).call("POST", "/v1/sessions", {**FACE_ONLY, "returnUrl": url}, self.key)
                self.assertIn("returnUrl", self.assertProblem(answer, 400)["detail"])


class Local(ServerCase):
    def test_a_local_server_hands_nothing_off_and_leads_nowhere(self):
        desk = self.session().person()
        self.assertFalse(desk.view["mayHandOff"])
        self.assertIn("--public-url", self.assertProblem(desk.send("POST", "/v1/page/hand-off"), 409)["detail"])
        answer = Client(self.server.url).call("POST", "/v1/sessions", {**FACE_ONLY, "returnUrl": "https://shop.example/"}, self.key)
        self.assertIn("--allow-return", self.assertProblem(answer, 400)["detail"])

    def test_origins_are_checked_on_start(self):
        for origin in ("shop.example", "http://shop.example", "https://shop.example/", "https://shop.example/x", "https://a@b", "ftp://x",
                       "http://localhost.evil.example", "javascript:x"):
            with self.subTest(origin=origin):
                done = self.server.command("--allow-return", origin)
                self.assertEqual((done.returncode, "--allow-return must be" in done.stderr), (2, True), done.stderr)
