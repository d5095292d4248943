"""Each endpoint follows the OpenAPI description, and every described status code is reached.

harness.ServerCase checks the shape and the headers of every response of every test.
"""

import base64
import datetime
import json
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest
import urllib.parse

import numpy

import drawn
import harness
import specification
from harness import CONSENT, FACE_ONLY, FRAMES, RECORDING, Person, ServerCase, Session, batch, form, until

# Codes reached by other modules, or in states that no test creates.
ELSEWHERE = {"408", "421", "429", "500", "503"}
# test_network restarts a server, test_reader has a smart card reader, and test_handoff a public URL.
ELSEWHERE_ALONE = {"POST /v1/page/again 200", "POST /v1/page/chip/reader 200", "POST /v1/page/hand-off 200"}


class Description(unittest.TestCase):
    def test_every_schema_member_is_supported_here(self):
        for schema in specification.SPECIFICATION["components"]["schemas"].values():
            def walk(node):
                if isinstance(node, dict):
                    list(specification.faults({}, node))
                    for name in ("properties",):
                        for child in node.get(name, {}).values():
                            walk(child)
                    for name in ("anyOf", "oneOf"):
                        for child in node.get(name, []):
                            walk(child)
                    if "items" in node:
                        walk(node["items"])
            walk(schema)

    def test_every_body_has_valid_examples(self):
        """All JSON of requests, responses and the webhook; files of the page and the description itself are none."""
        contents = [(f"{method} {path}", described) for path, method, described in specification.operations()
                    if not path.startswith("/assets/") and path != "/openapi.json"]
        contents.append(("webhook", specification.SPECIFICATION["webhooks"]["session"]["post"]))
        found = 0
        for name, described in contents:
            bodies = [("request", described.get("requestBody", {}))]
            bodies += [(status, specification.resolved(response)) for status, response in described["responses"].items()]
            for part, body in bodies:
                for kind, content in body.get("content", {}).items():
                    if "json" not in kind or kind == "application/x-ndjson":
                        continue
                    with self.subTest(name=name, part=part):
                        examples = specification.resolved(content["schema"]).get("examples", [])
                        self.assertTrue(examples)
                        for example in examples:
                            self.assertEqual(list(specification.faults(example, content["schema"])), [])
                        found += 1
        self.assertGreater(found, 200)

    def test_faults_are_found(self):
        view = {"workflowExecutionId": "n1-1", "accountId": "a", "state": "nowhere", "extra": 1}
        found = "\n".join(specification.faults(view, {"$ref": "#/components/schemas/Session"}))
        for words in ("$ has no runs", "$.extra is not described", "nowhere"):
            self.assertIn(words, found)


class Sessions(ServerCase):
    # Rows: J24 J23
    def test_a_session_is_created(self):
        body = {
            "workflowDefinition": {"key": "document-face", "credentials": [
                {"category": "ID", "type": {"values": ["PASSPORT"]}, "country": {"values": ["AUT"]}},
                {"category": "FACE"}]},
            "customerInternalReference": "order-17", "consents": [CONSENT], "lifetime": 300, "startBy": 20, "light": "off",
            "ui": {"language": "de", "scannerTimeout": 30}, "retention": {"images": 0, "result": 60}}
        session = self.session(body)
        self.assertTrue(session.id.startswith("n1-"))
        self.assertEqual(session.answer.json["state"], "created")
        self.assertRegex(session.page_url, r"^http://127\.0\.0\.1:\d+/s#t=fvp_[A-Za-z0-9_-]{43}$")
        person = session.person()
        self.assertEqual([each["category"] for each in person.view["credentials"]], ["id", "face"])
        self.assertEqual(person.view["credentials"][0]["countries"], ["AUT"])
        self.assertEqual(person.view["ui"]["language"], "de")
        self.assertEqual(session.state, "claimed")

    def test_a_chip_is_requested_only_where_it_can_be_read(self):
        """This server has neither a reader nor trust anchors."""
        documents = {"requests": [{"category": "id", "countries": ["UTO"], "types": ["passport"]}], "assurance": {"accepted": ["page-only"]}}

        def configuration(**more):
            session = self.session({**documents, **more})
            session.person().must("cancel")
            return session.result().json["record"]["body"]["configuration"]["readsChip"], session.answer.json["warnings"]

        self.assertEqual(configuration(), (False, []))
        self.assertEqual(configuration(readsChip=None), (False, []))
        self.assertEqual(configuration(readsChip=True), (True, []))

    def test_settings_with_which_no_visitor_passes_are_warned_of(self):
        face, passport = {"category": "face"}, {"category": "id", "countries": ["UTO"], "types": ["passport"]}
        licence, paper = {"category": "id", "countries": ["USA"], "types": ["driving-licence"]}, {"category": "document"}
        page, code = {"accepted": ["page-only"]}, {"accepted": ["licence-code"]}
        fine = [
            {"requests": [face], "comparesFace": False}, {"requests": [passport, face], "assurance": page},
            {"requests": [licence], "assurance": code}, {"requests": [passport], "assurance": {**page, "document": "chip-authentic"}},
            {"requests": [face], "portrait": base64.b64encode(drawn.photo()).decode()},
            {"requests": [passport, face], "assurance": page, "extractsOnly": True},
            {"requests": [{"category": "id"}], "assurance": code},
        ]
        unpassable = [
            ({}, "assurance.accepted"), ({"requests": [face]}, "portrait"), ({"requests": [passport]}, "assurance.accepted"),
            ({"requests": [passport], "assurance": code}, "assurance.accepted"), ({"requests": [licence], "assurance": page}, "assurance.accepted"),
            ({"requests": [passport], "assurance": page, "requiresChip": True}, "--reader"),
            ({"requests": [passport], "assurance": page, "readsPages": False}, "--trust"),
            ({"requests": [passport, face], "assurance": {**page, "binding": "chip-portrait"}}, "page-portrait"),
            ({"requests": [face], "portrait": base64.b64encode(drawn.photo()).decode(), "assurance": {"binding": "enrolled-template"}}, "supplied-photo"),
            ({"requests": [licence], "assurance": code, "documentModes": ["doc-finder"]}, "assurance.accepted"),
            ({"requests": [{**passport, "countries": ["GRC"], "types": ["id-card"], "variants": ["paper"]}], "assurance": page}, "document"),
            ({"requests": [paper]}, "neither"), ({"requests": [passport, paper], "assurance": page, "documentModes": ["doc-finder"]}, "manual"),
            ({**FACE_ONLY, "faceModes": ["face-manual"], "assurance": {"presence": "photo"}, "light": "on"}, "light"),
            ({**FACE_ONLY, "faceModes": ["passive"]}, "presence"),
        ]
        for body in fine:
            with self.subTest(body={**body, "portrait": None}):
                self.assertEqual(self.session(body).answer.json["warnings"], [])
        for body, word in unpassable:
            with self.subTest(body={**body, "portrait": None}):
                warnings = self.session(body).answer.json["warnings"]
                self.assertTrue([warning for warning in warnings if word in warning and " pass" in warning], warnings)

    # Rows: NV12 NV14 J23
    def test_names_of_other_products_are_aliases(self):
        session = self.session({**RECORDING, "merchantScanReference": "order-18", "customerId": "c"})
        person = session.person()
        person.must("cancel")
        identifiers = session.result().json["record"]["body"]["identifiers"]
        self.assertEqual((identifiers["customerInternalReference"], identifiers["userReference"]), ("order-18", "c"))

    def test_invalid_bodies_are_rejected(self):
        for body in (
            {"nonce": "00" * 16}, {"token": "x"}, {"tokenKey": "x"}, {"camera": {}}, {"keepsPictures": True},
            {"script": [{"challenge": "blink"}]}, {"nothing": 1}, {"customerInternalReference": "x" * 101},
            {"lifetime": 29}, {"lifetime": 3601}, {"startBy": 4}, {"startBy": 604_801}, {"id": "00000000-0000-4000-8000-000000000000"},
            {"timeout": 60}, {"challengeCount": -1}, {"challengeCount": 0}, {"challengeCount": 50}, {"challenges": ["fly"]},
            {"challenges": []}, {"ui": {"showPreview": True}}, {"ui": {"showErrors": True}}, {"ui": {"showSecurityCheck": True}},
            {"ui": {"showRFIDStatus": True}}, {"ui": {"scannerTimeout": 9.999}},
            {"ui": {"scannerTimeout": 60.001}}, {"requests": []}, {"requests": [{"category": "data"}]}, {"light": "maybe"},
            {"retention": {"images": -1}}, {"workflowDefinition": {"credentials": [{"category": "DATA"}]}},
            {"requests": [{"category": "face"}], "workflowDefinition": {"credentials": [{"category": "FACE"}]}}, [],
        ):
            with self.subTest(body=body):
                answer = self.server.call("POST", "/v1/sessions", body, self.key)
                self.assertProblem(answer, 400)
        for body in ("{", "", "null", "\ufffe", '{"lifetime": 1e400}', '{"a":' * 50_000):
            with self.subTest(body=body[:20]):
                answer = self.server.call("POST", "/v1/sessions", body.encode(), self.key, kind="application/json")
                self.assertProblem(answer, 400)
        answer = self.server.call("POST", "/v1/sessions", {**RECORDING, "requiredVersion": "99"}, self.key)
        self.assertProblem(answer, 409)
        self.assertEqual(answer.json["logicalError"], "dependency-wrong-version")
        for seconds in (10, 60):
            self.session({**RECORDING, "ui": {"scannerTimeout": seconds}})

    # Rows: V6-tokens V6-token-late
    def test_a_link_lives_for_days_and_the_session_from_its_opening(self):
        session = self.session({**RECORDING, "startBy": 604_800, "lifetime": 60})
        seconds = lambda name: datetime.datetime.fromisoformat(session.call("GET").json[name]).timestamp() - time.time()
        self.assertAlmostEqual(seconds("startBy"), 604_800, delta=5)
        person = session.person()
        self.assertAlmostEqual(seconds("expires"), 60, delta=5)
        self.assertLessEqual(person.view["session"]["secondsLeft"], 60)

    def test_content_types_and_sizes_of_bodies_are_checked(self):
        self.assertProblem(self.server.call("POST", "/v1/sessions", b"{}", self.key, kind="text/plain"), 415)
        large = json.dumps({"customerInternalReference": "x" * (2 << 20)}).encode()
        self.assertProblem(self.server.call("POST", "/v1/sessions", large, self.key, kind="application/json"), 413)

    def test_a_reused_idempotency_key_is_rejected(self):
        for body, status in ((RECORDING, 201), (RECORDING, 201), (FACE_ONLY, 422)):
            self.assertEqual(self.server.call("POST", "/v1/sessions", body, self.key, {"Idempotency-Key": "x"}).status, status)

    def test_missing_resources_are_404(self):
        session = self.session(RECORDING)
        for method, path, has_body in specification.session_calls():
            answer = self.server.call(method, "/v1/sessions/n1-none" + path, RECORDING if has_body else None, self.key)
            self.assertProblem(answer, 404)
        self.assertProblem(self.server.call("GET", "/nothing", token=self.key), 404)
        self.assertProblem(session.call("GET", "/nothing"), 404)
        answer = self.server.call("PUT", f"/v1/sessions/{session.id}", {}, self.key)
        self.assertProblem(answer, 405)
        self.assertEqual({name.strip() for name in answer.headers["Allow"].split(",")} - {"HEAD"}, {"GET", "PATCH", "DELETE"})

    def test_sessions_are_listed(self):
        key, other = self.server.key("list"), self.server.key("list-other")
        made = [Session(self.server, key, {**RECORDING, "userReference": person, "customerInternalReference": f"order {number}"}).id
                for number, person in enumerate(["one", "two", "one"])]

        def listed(query="", with_key=key):
            answer = self.server.call("GET", f"/v1/sessions{query}", token=with_key)
            self.assertEqual(answer.status, 200, answer)
            return [row["workflowExecutionId"] for row in answer.json["sessions"]], answer.json["before"]

        self.assertEqual(listed(), (made[::-1], None))
        self.assertEqual(listed("?userReference=one"), ([made[2], made[0]], None))
        self.assertEqual(listed("?userReference=one&limit=1"), ([made[2]], made[2]))
        self.assertEqual(listed(f"?userReference=one&limit=1&before={made[2]}"), ([made[0]], None))
        self.assertEqual(listed("?state=finished"), ([], None))
        self.assertEqual(listed("?state=created&limit=2"), ([made[2], made[1]], made[1]))
        self.assertEqual(listed(with_key=other), ([], None), "another tenant's")
        row = self.server.call("GET", f"/v1/sessions/{made[1]}", token=key).json
        self.assertEqual((row["customerInternalReference"], row["userReference"], row["result"]), ("order 1", "two", None))
        unknown = self.server.call("GET", "/v1/sessions?stat=created", token=key)
        self.assertProblem(unknown, 400)
        self.assertIn('"stat" is unknown; use userReference, state, before, limit', unknown.json["detail"])
        for query in ("limit=0", "limit=101", "limit=x", "state=lost", "before=n1-none", f"before={self.session(RECORDING).id}"):
            with self.subTest(query=query):
                self.assertProblem(self.server.call("GET", f"/v1/sessions?{query}", token=key), 400)

    def test_values_of_a_query_are_decoded(self):
        key = self.server.key("decoded")
        made = {name: Session(self.server, key, {**RECORDING, "userReference": name}).id for name in ("a b&c=d", "a+b", "100%", "%41")}
        for name, found in made.items():
            for encoded in (urllib.parse.quote(name, safe=""), urllib.parse.quote_plus(name)):
                with self.subTest(encoded=encoded):
                    rows = self.server.call("GET", f"/v1/sessions?userReference={encoded}&limit=%31", token=key).json["sessions"]
                    self.assertEqual([row["workflowExecutionId"] for row in rows], [found])
        for wrong in ("%", "%4", "%zz", "%ff"):
            with self.subTest(wrong=wrong):
                answer = self.server.call("GET", f"/v1/sessions?userReference={wrong}", token=key)
                self.assertEqual((answer.status, answer.json["sessions"]), (200, []))

    def test_before_the_end_there_is_no_result(self):
        session = self.session(RECORDING)
        self.assertProblem(session.result(), 409, logical="controller-not-completed")
        self.assertProblem(session.call("GET", "/selfie"), 404)
        self.assertProblem(session.call("POST", "/clear"), 409)
        self.assertProblem(session.call("DELETE"), 409)
        self.assertProblem(session.call("PATCH", body=RECORDING), 409)

    # Rows: J32 J33 NV22 NV23
    def test_a_cancelled_session_has_a_result(self):
        session = self.session(RECORDING)
        person = session.person()
        person.must("start", "cancel")
        self.assertEqual(person.view["state"], "finished")
        self.assertEqual(person.view["result"]["error"]["code"], "G000000")
        self.assertEqual(session.state, "finished")
        result = session.result().json
        self.assertEqual((result["isComplete"], result["error"]["code"]), (False, "G000000"))
        self.assertProblem(session.call("GET", "/selfie"), 404)
        self.assertEqual(session.call("POST", "/clear").json["state"], "cleared")
        self.assertProblem(session.result(), 410)
        self.assertEqual(session.call("DELETE").status, 204)
        self.assertProblem(session.call("GET"), 404)

    # Rows: NV3 NV4 J22
    def test_an_expired_session_can_be_restarted(self):
        session = self.session({**RECORDING, "startBy": 5})
        self.assertTrue(until(lambda: session.state == "expired", 20))
        claim = self.server.call("POST", "/v1/page/claim", {"pageToken": session.page_url.split("#t=")[1]})
        self.assertProblem(claim, 410, code="J000000")
        self.assertProblem(session.call("PATCH", body={"nonce": "00"}), 400)
        self.assertProblem(self.server.call("PATCH", f"/v1/sessions/{session.id}", b"{}", self.key, kind="text/plain"), 415)
        large = b'{"customerInternalReference":"' + b"x" * (2 << 20) + b'"}'
        answer = self.server.call("PATCH", f"/v1/sessions/{session.id}", large, self.key, kind="application/json")
        self.assertProblem(answer, 413)
        changed = session.call("PATCH", body={**RECORDING, "customerInternalReference": "second"})
        self.assertEqual(changed.status, 200, changed)
        self.assertNotEqual(changed.json["pageUrl"], session.page_url)
        self.assertEqual(changed.json["workflowExecutionId"], session.id)
        person = Person(self.server, changed.json["pageUrl"])
        self.assertEqual(person.view["state"], "created")
        self.assertEqual(session.call("GET").json["runs"], 2)

    # Rows: FACE-imageData
    def test_a_passive_session_passes(self):
        session = self.session({**RECORDING, "consents": [CONSENT], "retention": {"images": 60, "result": 60},
                                "ui": {"showsResult": True}})
        person = session.person()
        person.begin_face()
        self.assertEqual(person.view["part"]["mode"], "passive")
        self.assertEqual(session.state, "active")
        self.assertIsNotNone(person.view["frames"])
        person.must("cancel-part")
        person.show_face(6)
        self.assertEqual(person.view["state"], "finished", person.view)
        self.assertEqual(person.view["result"]["result"], "passed")
        self.assertEqual(session.call("GET").json["result"], "passed")
        names = [event["event"] for event in person.events]
        for name in ("initialized", "finished"):
            self.assertIn(name, names)
        result = session.result()
        self.assertEqual((result.json["isComplete"], result.json["result"]), (True, "passed"), result)
        self.assertEqual(result.json["commitment"], session.answer.json["commitment"])
        self.assertEqual(result.json["consents"][0]["isGiven"] if "isGiven" in result.json["consents"][0] else True, True)
        selfie = session.call("GET", "/selfie")
        self.assertEqual((selfie.status, selfie.body[:8]), (200, b"\x89PNG\r\n\x1a\n"), selfie)
        self.assertEqual(session.call("POST", "/clear").status, 200)
        self.assertProblem(session.call("GET", "/selfie"), 404)

    def test_a_session_with_challenges_passes(self):
        session = self.session({**FACE_ONLY, "ui": {"showsResult": True}})
        person = session.person()
        person.begin_face()
        self.assertEqual(person.view["part"]["mode"], "liveness")
        person.must("cancel-part")
        person.show_face(40)
        result = session.result().json
        self.assertEqual(result["result"], "passed", person.view)
        liveness = result["record"]["body"]["credentials"][0]["liveness"]
        # A path, followed late.
        self.assertEqual([answer["challenge"] for answer in liveness["answers"]], ["follow"])
        self.assertTrue(0.1 <= liveness["answers"][0]["match"]["delay"] <= 1.2, liveness["answers"])
        self.assertEqual(liveness["script"][0]["path"], liveness["nonce"])

    def test_a_declined_path_is_replaced_by_movements(self):
        session = self.session({**FACE_ONLY, "ui": {"showsResult": True}})
        person = session.person()
        person.begin_face()
        person.play(2)
        person.must({"call": "finish-part", "declined": "movement"})
        self.assertEqual(person.view["state"], "retrying", person.view)
        person.must("cancel-part")
        person.show_face(40)
        result = session.result().json
        liveness = result["record"]["body"]["credentials"][0]["liveness"]
        self.assertEqual((len(liveness["answers"]), liveness["result"]), (3, "live"), liveness["answers"])
        self.assertEqual(result["result"], "not-checked")
        self.assertIn("presence.movement-declined", [reason["code"] for reason in result["record"]["body"]["result"]["reasons"]])

    def test_the_expected_person_is_compared_and_erased(self):
        """A photo or template of the expected person is part of the request, and erased when the session has ended."""
        def stored(session):
            with sqlite3.connect(f"file:{self.server.data}/server.sqlite?mode=ro", uri=True) as database:
                return database.execute("SELECT request FROM sessions WHERE id = ?", [session.id]).fetchone()[0]

        def ends(portrait):
            session = self.session({**body, "portrait": portrait})
            template = json.loads(stored(session))["portrait"]
            if isinstance(template, dict):
                template = template["photoTemplate"]
            self.assertTrue(base64.b64decode(template).startswith(b"FVTEMPL"), "no photo is kept")
            person = session.person()
            person.begin_face()
            person.must("cancel-part")
            person.show_face(6)
            self.assertEqual(person.view["state"], "finished", person.view)
            result = session.result().json["result"]
            self.assertNotIn(template, stored(session))
            return result, template

        body = {**RECORDING, "comparesFace": True}
        photo = base64.b64encode(drawn.photo()).decode()
        result, template = ends(photo)
        self.assertEqual(result, "passed")
        self.assertEqual(ends(template), ("passed", template))
        self.assertEqual(ends(base64.b64encode(drawn.photo(2, 2)).decode())[0], "failed")
        nobody = base64.b64encode(drawn.encoded(numpy.full((240, 240, 3), 128, numpy.uint8), "JPEG")).decode()
        for portrait, status in ((nobody, 422), ("AAAA", 422), ("?", 400), (7, 400), ({"photoTemplate": template}, 400), (photo[:400], 422)):
            with self.subTest(portrait=str(portrait)[:8]):
                self.assertProblem(self.server.call("POST", "/v1/sessions", {**body, "portrait": portrait}, self.key), status)


class Page(ServerCase):
    def person(self, body=None):
        return self.session(body or RECORDING).person()

    def test_a_link_is_claimed(self):
        answer = self.server.call("POST", "/v1/page/claim", {"pageToken": "fvp_" + "A" * 43})
        self.assertProblem(answer, 404, code="C000401")
        for body in ({}, {"pageToken": 1}, {"pageToken": None}, []):
            self.assertIn(self.server.call("POST", "/v1/page/claim", body).status, (400, 404))
        self.assertProblem(self.server.call("POST", "/v1/page/claim", b"{}", kind="text/plain"), 415)
        large = b'{"pageToken":"' + b"x" * (2 << 20) + b'"}'
        self.assertProblem(self.server.call("POST", "/v1/page/claim", large, kind="application/json"), 413)
        session = self.session(RECORDING)
        person = session.person()
        again = self.server.call("POST", "/v1/page/claim", {"pageToken": person.page_token})
        self.assertProblem(again, 409)

    def test_calls_in_the_wrong_order_change_nothing(self):
        person = self.person()
        answer = person.calls("start", "finish-part", "cancel")
        problem = self.assertProblem(answer, 409, logical="dead-credential")
        # The calls before it were made, those after it were not.
        self.assertEqual(problem["view"]["state"], "ready")
        for calls in ([], [{"call": "frame"}], [{"call": "attach"}], [{"call": "report", "code": "G000000"}],
                      [{}], "start", [{"call": "start-credential"}],
                      [{"call": "start-part", "part": "nose"}], [{"call": "report", "code": "Q123456"}], ["start"]):
            with self.subTest(calls=calls):
                answer = person.send("POST", "/v1/page/calls", {"calls": calls})
                self.assertIn(answer.status, (400, 409), answer)
        self.assertProblem(person.send("POST", "/v1/page/calls", b"{}", "text/plain"), 415)
        self.assertProblem(person.send("POST", "/v1/page/calls", b" " * 300_000, "application/json"), 413)

    # Rows: J35 J36
    def test_consents_are_given_and_revoked(self):
        person = self.person({**RECORDING, "consents": [CONSENT, {"text": "And this?", "isActive": False}]})
        person.must("start")
        self.assertEqual(person.view["state"], "consenting")
        yes = [{"call": "consent", "item": item, "isGiven": True} for item in (0, 1)]
        self.assertProblem(person.calls(yes[0]), 409, logical="need-to-consent-first")
        time.sleep(1.1)
        self.assertIn(person.calls(*yes).status, (400, 409))
        person.must({"call": "consent", "item": 0, "isGiven": False})
        self.assertEqual(person.view["consents"][0]["decision"], False)
        self.assertProblem(person.calls({"call": "start-credential", "credential": 0}), 409, logical="need-to-consent-first")
        person.must({**yes[0]})
        person.must(yes[1])
        self.assertEqual(person.view["state"], "ready")

    def test_invalid_frames_are_rejected(self):
        person = self.person()
        picture = drawn.photo()
        frame = (1, person.now, picture)
        self.assertIn(person.send("POST", "/v1/page/frames", batch([frame]), FRAMES).status, (409,))
        person.begin_face()
        self.assertProblem(person.send("POST", "/v1/page/frames", batch([frame]), "text/plain"), 415)
        self.assertProblem(person.send("POST", "/v1/page/frames", b"no frames", FRAMES), 422)
        self.assertProblem(person.send("POST", "/v1/page/frames", b"FVF1\1" + b"\0" * 8_000_000, FRAMES), 413)
        gap = self.assertProblem(person.send("POST", "/v1/page/frames", batch([(7, person.now, picture)]), FRAMES), 409)
        # The first one arrived before scanning: it was dropped, and its number with it.
        self.assertEqual(gap["expectedSeq"], 2)
        person.seq = 1
        self.assertEqual(person.frames([picture]).status, 200)
        self.assertEqual((person.view["taken"], person.view["expectedSeq"]), (1, 3))

    def test_a_session_is_extended_once(self):
        session = self.session({**RECORDING, "lifetime": 30})
        person = session.person()
        before = person.view["session"]
        self.assertTrue(before["mayExtend"])
        self.assertEqual(person.send("POST", "/v1/page/extend").status, 200)
        self.assertGreater(person.view["session"]["expires"], before["expires"])
        self.assertFalse(person.view["session"]["mayExtend"])
        self.assertProblem(person.send("POST", "/v1/page/extend"), 409)

    def test_an_ended_session_rejects_calls(self):
        session = self.session(RECORDING)
        person = session.person()
        person.must("cancel")
        self.assertEqual(person.look().status, 200)
        self.assertEqual(session.call("POST", "/clear").status, 200)
        for method, path, body, kind in (
            ("GET", "/v1/page", None, None), ("POST", "/v1/page/calls", {"calls": [{"call": "start"}]}, None),
            ("POST", "/v1/page/frames", batch([(1, 1.0, b"x")]), FRAMES), ("POST", "/v1/page/photo", b"x", "image/png"),
            ("POST", "/v1/page/chip", *form([("DG1", "DG1", b"x")])), ("GET", "/v1/page/picture", None, None),
            ("POST", "/v1/page/chip/reader", {}, None), ("POST", "/v1/page/hand-off", None, None), ("DELETE", "/v1/page/chip/reader", None, None),
            ("POST", "/v1/page/extend", None, None), ("POST", "/v1/page/again", None, None),
            ("POST", "/v1/entities", {"payload": {}}, None),
        ):
            with self.subTest(path=path):
                self.assertProblem(person.send(method, path, body, kind), 410, code="J000000")
        self.assertEqual(session.call("DELETE").status, 204)
        self.assertProblem(person.look(), 401)

    def test_only_interrupted_sessions_resume(self):
        self.assertProblem(self.person().send("POST", "/v1/page/again"), 409)

    # Rows: FO5
    def test_entities_are_created(self):
        person = self.person()
        payload = {"name": "'\\\n\u2028</script>😀", "list": [1, None, {}]}
        answer = person.send("POST", "/v1/entities", {"payload": payload})
        self.assertEqual((answer.status, answer.json["payload"]), (201, payload), answer)
        self.assertTrue(answer.json["entityId"])
        for body in ({}, {"payload": []}, {"payload": "x"}, []):
            self.assertProblem(person.send("POST", "/v1/entities", body), 400)
        self.assertProblem(person.send("POST", "/v1/entities", {"payload": {"x": "x" * 66_000}}), 413)
        self.assertProblem(person.send("POST", "/v1/entities", b"{}", "text/plain"), 415)
        made = [person.send("POST", "/v1/entities", {"payload": {}}).status for _ in range(40)]
        self.assertEqual(made, [201] * 31 + [409] * 9)

    def test_a_document_picture_is_uploaded(self):
        person = self.person({"requests": [{"category": "document"}], "documentModes": ["file"], "asksConfirmation": True})
        person.must("start", {"call": "start-credential", "credential": 0}, {"call": "start-part", "part": "document", "mode": None})
        self.assertEqual((person.view["state"], person.view["part"]["mode"]), ("scanning", "file"))
        self.assertIsNone(person.view["frames"])
        self.assertProblem(person.send("GET", "/v1/page/picture"), 404)
        self.assertProblem(person.send("POST", "/v1/page/photo", b"x", "text/plain"), 415)
        self.assertProblem(person.send("POST", "/v1/page/photo", b"no picture", "image/png"), 422)
        self.assertProblem(person.send("POST", "/v1/page/photo", b"\0" * ((32 << 20) + 1), "image/png"), 413)
        self.assertEqual(person.send("POST", "/v1/page/photo", drawn.photo(kind="PNG"), "image/png").status, 200)
        self.assertEqual(person.view["state"], "confirming")
        self.assertTrue(person.view["hasPicture"])
        self.assertEqual(person.send("GET", "/v1/page/picture").body[:4], b"\x89PNG")
        person.must("retake")
        self.assertEqual(person.send("POST", "/v1/page/photo", drawn.photo(), "image/jpeg").status, 200)
        self.assertProblem(person.send("POST", "/v1/page/photo", drawn.photo(), "image/jpeg"), 409)
        person.must("confirm", "finish-part", "finish-credential", "finish")
        self.assertEqual(person.view["state"], "finished")
        self.assertIsNone(person.view["result"]["result"])

    def test_a_chip_is_uploaded(self):
        person = self.person({"requests": [{"category": "id", "countries": ["UTO"], "types": ["passport"]}],
                              "readsPages": False, "requiresChip": True, "extractsOnly": True})
        person.must("start", {"call": "start-credential", "credential": 0})
        if person.view["state"] == "configuring":
            person.must({"call": "configure", **person.view["choices"][0]})
        self.assertProblem(person.send("POST", "/v1/page/chip", *form([("DG1", "DG1", b"x")])), 409)
        person.must({"call": "start-part", "part": "chip", "mode": None})
        self.assertEqual(person.view["part"]["mode"], "chip-files")
        self.assertProblem(person.send("POST", "/v1/page/chip", b"x", "text/plain"), 415)
        self.assertProblem(person.send("POST", "/v1/page/chip", b"x", "multipart/form-data; boundary=b"), 422)
        self.assertProblem(person.send("POST", "/v1/page/chip", *form([("EF.DG1", "EF.DG1", b"x" * (32 << 20))])), 413)
        answer = person.send("POST", "/v1/page/chip", *form([("EF.DG1", "EF.DG1", b"x")]))
        self.assertIn(answer.status, (200, 422), answer)

    def test_a_server_without_a_reader_reads_no_chip(self):
        person = self.person()
        self.assertIsNone(person.view["reader"])
        self.assertIn("--reader", self.assertProblem(person.send("POST", "/v1/page/chip/reader", {}), 404)["detail"])
        self.assertProblem(person.send("POST", "/v1/page/chip/reader", {"isConfirmed": 1}), 400)
        self.assertProblem(person.send("POST", "/v1/page/chip/reader", b" " * 5000, "application/json"), 413)
        self.assertEqual(person.send("DELETE", "/v1/page/chip/reader").status, 200)

    def test_the_page_and_its_files_are_served(self):
        page = self.server.call("GET", "/s")
        self.assertEqual(page.status, 200)
        for name in ("app.css", "i18n/en.json"):
            asset = self.server.call("GET", f"/assets/{name}")
            self.assertEqual(asset.status, 200)
            again = self.server.call("GET", f"/assets/{name}", headers={"If-None-Match": asset.headers["ETag"]})
            self.assertEqual((again.status, again.body), (304, b""))
        for name in ("none.js", "i18n/none.json", "index.html/..", "i18n"):
            self.assertProblem(self.server.call("GET", f"/assets/{name}"), 404)
        self.assertProblem(self.server.call("GET", "/assets/..%2f..%2fetc%2fpasswd"), 404)
        self.assertProblem(self.server.call("GET", "/assets/%00"), 404)

    def test_head_is_answered_as_get_without_a_body(self):
        session = self.session()
        for path, key in (("/v1/version", None), ("/s", None), ("/assets/app.css", None), ("/openapi.json", None), ("/v1/sessions", self.key),
                          (f"/v1/sessions/{session.id}", self.key), (f"/v1/sessions/{session.id}/result", self.key), ("/none", None), ("/v1/sessions", None)):
            with self.subTest(path=path):
                answers = [self.server.call(method, path, token=key) for method in ("GET", "HEAD")]
                self.assertEqual(answers[1].status, answers[0].status)
                self.assertEqual(answers[1].body, b"")
                names = ("Content-Type", "ETag", "Cache-Control", "Content-Security-Policy", "Content-Encoding", "Allow")
                self.assertEqual([answers[1].headers[name] for name in names], [answers[0].headers[name] for name in names])
                if answers[0].status == 200:
                    self.assertEqual(int(answers[1].headers["Content-Length"]), len(answers[0].body))
        self.assertProblem(self.server.call("POST", "/v1/version"), 405)
        self.assertEqual(self.server.call("POST", "/v1/version").headers["Allow"], "GET, HEAD")
        answer = self.server.call("HEAD", "/v1/page/claim")
        self.assertEqual((answer.status, answer.headers["Allow"]), (405, "POST"))
        for path in ("/healthz", "/readyz", "/metrics"):
            answer = harness.Client(self.server.admin).call("HEAD", path)
            self.assertEqual((answer.status, answer.body), (200, b""))

    # Rows: NV20 NV21 DR28
    def test_an_operator_serves_another_page(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(harness.SPECIFICATION.parent / "Resources", folder, dirs_exist_ok=True)
            (pathlib.Path(folder) / "app.css").write_text("body { color: teal }")
            server = harness.Server("--page", folder)
            self.addCleanup(server.remove)
            self.assertEqual(server.call("GET", "/assets/app.css").body, b"body { color: teal }")

    def test_a_key_disables_the_demonstration(self):
        self.assertProblem(self.server.call("GET", "/"), 404)
        self.assertProblem(self.server.call("POST", "/v1/page/demo", {}), 404)
        # Browsers get a text.
        page = self.server.call("GET", "/", headers={"Accept": "text/html,*/*"})
        self.assertEqual((page.status, page.headers["Content-Type"]), (404, "text/html; charset=utf-8"))
        self.assertIn("Open the link", page.body.decode())


class Demonstration(ServerCase):
    options = ("--demo", "--rate-limits", "off")

    # Rows: J27
    def test_the_demonstration_needs_no_key_and_shows_the_result(self):
        self.assertEqual(self.server.call("GET", "/").status, 200)
        answer = self.server.call("POST", "/v1/page/demo", {"requests": [{"category": "face"}], "ui": {"language": "de"}})
        self.assertEqual(answer.status, 201, answer)
        person = Person(self.server, token=answer.json["sessionToken"], view=answer.json["view"])
        self.assertTrue(person.view["ui"]["showsResult"])
        self.assertEqual(person.look().status, 200)
        person.must("start", "cancel")
        self.assertEqual(person.view["result"]["error"]["code"], "G000000")

    def test_a_demonstration_can_be_passed(self):
        """With the face alone there is nothing to compare it with."""
        answer = self.server.call("POST", "/v1/page/demo", {"requests": [{"category": "face"}], "faceModes": ["liveness"]})
        person = Person(self.server, token=answer.json["sessionToken"], view=answer.json["view"])
        person.show_face(40)
        self.assertEqual(person.view["result"]["result"], "passed", person.view["result"])

    def test_invalid_demonstrations_are_rejected(self):
        for body in ({"customerInternalReference": "x"}, {"retention": {"images": 9}}, {"callbackUrl": "http://127.0.0.1/"}, []):
            self.assertProblem(self.server.call("POST", "/v1/page/demo", body), 400)
        self.assertProblem(self.server.call("POST", "/v1/page/demo", b"{}", kind="text/plain"), 415)
        self.assertProblem(self.server.call("POST", "/v1/page/demo", b" " * 300_000, kind="application/json"), 413)


class Events(ServerCase):
    """What receivers get is in test_security."""

    def finished(self, key, **more):
        session = Session(self.server, key, {**RECORDING, **more})
        session.person().must("cancel")
        return session

    def events(self, key, query=""):
        answer = self.server.call("GET", f"/v1/events{query}", token=key)
        self.assertEqual(answer.status, 200, answer)
        return answer.json["events"]

    def test_events_are_paged_and_stay_with_their_tenant(self):
        key = self.server.key("paged", "sessions")
        made = [self.finished(key).id for _ in range(3)][::-1]
        found, before = [], ""
        while before is not None:
            answer = self.server.call("GET", f"/v1/events?limit=1{before}", token=key).json
            found += [event["workflowExecutionId"] for event in answer["events"]]
            before = answer["before"] and f"&before={answer['before']}"
        self.assertEqual(found, made)
        event = self.events(key)[0]
        self.assertEqual((event["event"], event["delivery"]), ("session.finished", None))
        self.assertEqual(self.server.call("GET", f"/v1/events/{event['id']}", token=key).json, event)
        self.assertProblem(self.server.call("POST", f"/v1/events/{event['id']}/redeliver", token=key), 409)
        for method, path in (("GET", event["id"]), ("POST", f"{event['id']}/redeliver"), ("GET", "none"), ("POST", "none/redeliver")):
            self.assertProblem(self.server.call(method, f"/v1/events/{path}", token=self.key), 404)
        self.assertEqual(self.events(self.key, f"?workflowExecutionId={made[0]}"), [])
        for query in ("limit=0", "limit=101", "delivery=lost", "before=none", f"before={event['id']}"):
            with self.subTest(query=query):
                self.assertProblem(self.server.call("GET", f"/v1/events?{query}", token=self.key), 400)

    def test_a_refused_address_is_reported_and_tried_again(self):
        hook = "https://127.0.0.1:1/"
        key = self.server.key("private", "sessions", callback=hook)
        self.finished(key, callbackUrl=hook)
        tried = until(lambda: [event for event in self.events(key) if event["delivery"]["fault"]])
        self.assertEqual((tried[0]["delivery"]["fault"], tried[0]["delivery"]["state"]), ("address-refused", "waiting"))
        with sqlite3.connect(f"{self.server.data}/server.sqlite", timeout=10) as database:
            database.execute("UPDATE events SET tried = tried - 60")
        again = self.server.call("POST", f"/v1/events/{tried[0]['id']}/redeliver", token=key)
        self.assertEqual((again.status, again.json["delivery"]["attempts"]), (202, 0))
        self.assertTrue(until(lambda: self.events(key)[0]["delivery"]["attempts"] == 1))


class EveryOperation(ServerCase):
    def test_scopes_and_content_types_are_enforced(self):
        """401 without a token, 403 without the scope, 400 for an unknown query parameter of a key's request, 415 for another
        type of body, where described."""
        none = self.server.key("none", "audit")
        for path, method, described in specification.operations():
            where, body = path.replace("{id}", "n1-none").replace("{name}", "none.js"), "requestBody" in described
            send = lambda token, query="": self.server.call(
                method, where + query, b"x" if body else None, token, kind="text/x-other" if body else None)
            with self.subTest(method=method, path=path):
                if "401" in described["responses"]:
                    self.assertProblem(send(None), 401, code="C000401")
                if "403" in described["responses"]:
                    self.assertProblem(send(self.key if "audit" not in path else self.server.key("s", "sessions"))
                                       if path == "/v1/audit" else send(none), 403)
                    answer = send(self.key, "?lost=1")
                    self.assertProblem(answer, 400)
                    self.assertIn('"lost" is unknown', answer.json["detail"])
                if "415" in described["responses"]:
                    token = self.session(RECORDING).person().token if described.get("security") == [{"session": []}] else self.key
                    self.assertProblem(send(token), 415)


class Interruption(ServerCase):
    options = ("--rate-limits", "off", "--allow-embedding", "https://shop.example")

    def test_every_page_operation_is_marked(self):
        """The view also lists the origins of embedding pages, so that the page can notify them."""
        person = self.session(RECORDING).person()
        self.server.crash()
        for path, method, described in specification.operations():
            if described.get("security") != [{"session": []}] or path == "/v1/page/again":
                continue
            body = described.get("requestBody")
            with self.subTest(method=method, path=path):
                answer = person.send(method, path, b"x" if body else None, next(iter(body["content"])) if body else None)
                problem = self.assertProblem(answer, 409, code="A000000")
                self.assertEqual(problem["view"], {"state": "interrupted", "embedding": ["https://shop.example"]})
        self.assertEqual(person.send("POST", "/v1/page/again").status, 200)


class OneShot(ServerCase):
    def post(self, path, *parts):
        body, kind = form(parts)
        return self.server.call("POST", path, body, self.key, kind=kind)

    def test_photos_are_compared(self):
        a, b, other = (drawn.photo(person, number) for person, number in ((1, 1), (1, 2), (2, 3)))
        same = self.post("/v1/compare", ("selfie", "a.jpg", a), ("portrait", "b.jpg", b))
        self.assertEqual((same.status, same.json["result"]), (200, "match"), same)
        self.assertEqual(self.post("/v1/compare", ("selfie", "a", a), ("portrait", "b", other), ("fmr", None, "1e-4")).json["result"], "no-match")
        self.assertProblem(self.post("/v1/compare", ("selfie", "a", a), ("portrait", "b", b), ("fmr", None, "2")), 422)
        for parts in ([("selfie", "a", a)], [("portrait", "a", a)],
                      [("selfie", "a", a), ("portrait", "b", b), ("more", "b", b)],
                      [("selfie", "a", a), ("selfie", "b", b), ("portrait", "b", b)]):
            self.assertProblem(self.post("/v1/compare", *parts), 400)
        self.assertProblem(self.post("/v1/compare", ("selfie", "a", b"no picture"), ("portrait", "b", b)), 422)

    def test_a_document_is_read(self):
        answer = self.post("/v1/document", ("page", "a.jpg", drawn.photo()))
        self.assertEqual(answer.status, 200, answer)
        self.assertProblem(self.post("/v1/document", ("date", None, "2026-01-01")), 400)
        self.assertProblem(self.post("/v1/document", ("page", "a.jpg", drawn.photo()), ("date", None, "yesterday")), 400)
        self.assertEqual(self.post("/v1/document", ("page", "a.jpg", drawn.photo()), ("accept", None, "page-only")).status, 200)
        self.assertProblem(self.post("/v1/document", ("page", "a.jpg", drawn.photo()), ("accept", None, "anything")), 400)
        self.assertEqual(self.post("/v1/document", ("page", "a.jpg", drawn.photo()), ("text", None, "false")).status, 200)
        self.assertProblem(self.post("/v1/document", ("page", "a.jpg", drawn.photo()), ("text", None, "yes")), 400)
        self.assertProblem(self.post("/v1/document", ("page", "a.jpg", b"no picture")), 422)

    def test_quality_is_assessed(self):
        answer = self.post("/v1/quality", ("photo", "a", drawn.photo()), ("photo", "b", drawn.photo(2, 2)))
        self.assertEqual((answer.status, len(answer.json["photos"])), (200, 2), answer)
        self.assertProblem(self.post("/v1/quality", ("photo", "a", drawn.photo()), ("policy", None, "none")), 400)
        # As in the command: an unreadable photo does not affect the others.
        self.assertEqual(self.post("/v1/quality", ("photo", "a", b"no picture")).json["photos"][0]["error"]["code"], "unknown-format")

    @unittest.skipUnless(shutil.which("ffmpeg"), "no ffmpeg")
    def test_a_bona_fide_video_is_live(self):
        person = drawn.DrawnPerson()
        frames = b"".join(person.next(None) for _ in range(60))
        video = subprocess.run(
            "ffmpeg -v error -f mjpeg -framerate 12 -i - -c copy -f matroska -".split(), input=frames, capture_output=True, check=True).stdout
        answer = self.post("/v1/liveness/video", ("video", "a.mkv", video), ("portrait", "p", drawn.photo()))
        self.assertEqual((answer.status, answer.json["result"]), (200, "live"), answer)

    def test_a_video_is_judged(self):
        self.assertProblem(self.post("/v1/liveness/video", ("video", "a.mp4", b"no video")), 422)
        self.assertProblem(self.post("/v1/liveness/video", ("portrait", "a", drawn.photo())), 400)

    def test_invalid_checks_are_rejected(self):
        for path in ("/v1/compare", "/v1/document", "/v1/quality", "/v1/liveness/video"):
            with self.subTest(path=path):
                self.assertProblem(self.server.call("POST", path, {}, self.key), 415)
                self.assertProblem(self.server.call("POST", path, b"x", self.key, kind="multipart/form-data; boundary=b"), 422)
                large = form([("selfie", "a", b"\0" * (32 << 20))])
                self.assertProblem(self.server.call("POST", path, large[0], self.key, kind=large[1]), 413)


class Operation(ServerCase):
    def test_version_and_description_are_served(self):
        self.assertRegex(self.server.call("GET", "/v1/version").json["version"], r"^\d+\.\d+\.\d+$")
        self.assertEqual(self.server.call("GET", "/openapi.json").json, specification.SPECIFICATION)

    def test_the_audit_is_paged(self):
        session = self.session(RECORDING)
        session.person().must("cancel")
        lines = [json.loads(line) for line in self.server.call("GET", "/v1/audit?after=0&limit=100", token=self.key).body.splitlines()]
        schema = {"$ref": "#/components/schemas/AuditEntry"}
        self.assertEqual([fault for line in lines for fault in specification.faults(line, schema)], [])
        self.assertTrue([line for line in lines if line["session"] == session.id])
        self.assertEqual([line["sequence"] for line in lines], sorted(line["sequence"] for line in lines))
        after = self.server.call("GET", f"/v1/audit?after={lines[0]['sequence']}&limit=1", token=self.key).body.splitlines()
        self.assertEqual(json.loads(after[0]), lines[1])
        self.assertEqual(len(after), 1)
        for query in ("after=x", "limit=0", "limit=1001", "limit=x", "after=-1"):
            self.assertProblem(self.server.call("GET", f"/v1/audit?{query}", token=self.key), 400)

    def test_administration_has_a_separate_port(self):
        admin = harness.Client(self.server.admin)
        self.assertEqual(admin.call("GET", "/healthz").status, 200)
        self.assertEqual(admin.call("GET", "/readyz").status, 200)
        metrics = admin.call("GET", "/metrics")
        self.assertEqual(metrics.status, 200)
        for name in ("fv_sessions", "fv_capacity", "fv_frames_total", "fv_frame_seconds", "fv_http_seconds", "fv_webhook_total"):
            self.assertIn(f"# TYPE {name} ", metrics.body.decode())
        for path in ("/healthz", "/readyz", "/metrics"):
            self.assertProblem(self.server.call("GET", path), 404)


class ZEveryCode(unittest.TestCase):
    maxDiff = None

    """Runs last: classes run in the order of their names."""

    def without(self):
        return set() if shutil.which("ffmpeg") else {"POST /v1/liveness/video 200"}

    def test_all_described_codes_were_reached(self):
        if harness.wants():
            self.skipTest(harness.wants())
        missing = []
        for path, method, described in specification.operations():
            for status in described["responses"]:
                name = f"{method} {path} {status}"
                if status not in ELSEWHERE and name not in ELSEWHERE_ALONE | self.without() \
                        and (path, method, int(status)) not in harness.reached:
                    missing.append(name)
        self.assertEqual(missing, [])
