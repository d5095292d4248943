import math
import pickle
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from support import OTHER, PORTRAIT, SELFIE, engine, faceverify, grey, needs, needs_samples

from faceverify import (
    Camera,
    Challenge,
    ChallengeOutcome,
    ChallengePrompt,
    CheckStatus,
    Image,
    LivenessHint,
    LivenessRequest,
    LivenessRequestStore,
    LivenessResult,
    LivenessSession,
    LivenessSessionState,
    RetryReason,
)

NONCE = bytes(range(32))


class RequestTests(unittest.TestCase):
    def test_a_nonce_determines_the_script(self):
        with LivenessRequest(bytes(16), expires=1000) as request:
            self.assertEqual(
                request.script,
                (
                    ChallengePrompt(Challenge.TURN_LEFT, 0.5, 0.8),
                    ChallengePrompt(Challenge.SMILE, 0.8, 1.1),
                    ChallengePrompt(Challenge.LOOK_UP, 1.0, 0.5),
                ),
            )
            self.assertEqual((request.nonce, request.expires), (bytes(16), 1000))
        every = LivenessRequest(NONCE, count=13, challenges=Challenge)
        self.assertEqual({task.challenge for task in every.script}, set(Challenge))
        self.assertEqual((every.nonce, every.expires), (NONCE, math.inf))
        two = LivenessRequest(bytearray(NONCE), count=2, challenges=["move-back", Challenge.HOLD_STILL])
        self.assertEqual({str(task.challenge) for task in two.script}, {"move-back", "hold-still"})

    def test_a_nonce_determines_the_colours(self):
        colours, end = LivenessRequest(NONCE).colours, 0
        for step in colours:
            self.assertAlmostEqual(step.begin, end)
            end = step.begin + step.seconds
        self.assertEqual(colours, LivenessRequest.from_script(["smile"], NONCE).colours)
        self.assertTrue(
            len(colours) > 4 and all(0 < part <= 1 for step in colours for part in (step.red, step.green, step.blue))
        )
        self.assertEqual(LivenessRequest.from_script(["smile"]).colours, ())

    def test_a_custom_script(self):
        tasks = (ChallengePrompt(Challenge.BLINK, 0, 0), ChallengePrompt(Challenge.TILT_LEFT, 2, 4.5))
        request = LivenessRequest.from_script(tasks, NONCE)
        self.assertEqual((request.script, request.nonce, request.expires), (tasks, NONCE, math.inf))
        self.assertEqual(LivenessRequest.from_script(["smile"]).nonce, b"")
        # A path is drawn from the nonce.
        self.assertEqual(LivenessRequest.from_script(["follow"], NONCE).script[0].hold, 0)
        self.assertEqual(LivenessRequest(NONCE, 1, ["follow"]).script[0].challenge, Challenge.FOLLOW)

    def test_invalid_arguments(self):
        for make in (
            lambda: LivenessRequest(bytes(15)),
            lambda: LivenessRequest(bytes(65)),
            lambda: LivenessRequest(NONCE, count=0),
            lambda: LivenessRequest(NONCE, count=10),
            lambda: LivenessRequest(NONCE, challenges=[]),
            lambda: LivenessRequest(NONCE, challenges=["blink"]),
            lambda: LivenessRequest(NONCE, challenges=["jump"]),
            lambda: LivenessRequest(NONCE, expires=math.nan),
            lambda: LivenessRequest.from_script([]),
            lambda: LivenessRequest.from_script(["blink"] * 14),
            lambda: LivenessRequest.from_script([ChallengePrompt(Challenge.SMILE, hold=6)]),
            lambda: LivenessRequest.from_script(["blink"], bytes(65)),
            lambda: LivenessRequest.from_script(["follow"]),
            lambda: LivenessRequestStore().issue(lifetime=0),
            lambda: LivenessRequestStore().issue(lifetime=901),
            lambda: LivenessSession(engine(), challenge_timeout=0),
            lambda: LivenessSession(engine(), timeout=math.nan),
            lambda: LivenessSession(engine(), rotation=45),
            lambda: LivenessSession(engine(), policy="lenient"),
            lambda: LivenessSession(engine(), camera=Camera("a\0b", "")),
        ):
            with self.assertRaises(faceverify.BadArgumentError) as caught:
                make()
            self.assertTrue(str(caught.exception))

    def test_values(self):
        self.assertEqual(faceverify.LIVENESS_POLICIES, ("standard", "strict", "passive-only", "photo"))
        self.assertEqual(faceverify.LIVENESS_SIGNALS[0], "challenge-compliance")
        self.assertEqual(LivenessHint.HOLD_STILL.text, "Hold still.")
        self.assertEqual((RetryReason.GENERIC.number, RetryReason.INTERRUPTED.number), (1, 14))
        task = ChallengePrompt(Challenge.SMILE)
        self.assertEqual(pickle.loads(pickle.dumps(task)), task)


class RequestStoreTests(unittest.TestCase):
    @staticmethod
    def answer(request, now=None):
        with LivenessSession(engine(), request, now=now) as session:
            return session.finish()

    def test_a_request_is_answered_once_and_in_time(self):
        store = LivenessRequestStore()
        one, late = store.issue(now=1000), store.issue(count=5, lifetime=10, now=1000)
        self.assertEqual((len(one.script), len(late.script), one.expires, late.expires), (3, 5, 1300, 1010))
        self.assertNotEqual(one.nonce, late.nonce)
        decision = self.answer(one, now=1299)
        self.assertEqual(decision.evidence.nonce, one.nonce)
        store.accept(decision, now=1299)
        with self.assertRaisesRegex(faceverify.WrongStateError, "answered already"):
            store.accept(decision, now=1299)
        with self.assertRaisesRegex(faceverify.WrongStateError, "expired"):
            LivenessSession(engine(), late, now=1010)
        with self.assertRaisesRegex(faceverify.WrongStateError, "too late"):
            store.accept(self.answer(late, now=1009), now=1010)

    def test_another_script_than_that_of_the_nonce_is_rejected(self):
        store = LivenessRequestStore()
        request = store.issue()
        self.assertAlmostEqual(request.expires, time.time() + 300, delta=60)
        forged = LivenessRequest.from_script(["smile"], request.nonce)
        with self.assertRaisesRegex(faceverify.WrongStateError, "another script"):
            store.accept(self.answer(forged))

    def test_threads(self):
        store = LivenessRequestStore()

        def answer(_):
            store.accept(self.answer(store.issue()))

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(answer, range(40)))


@needs_samples
class SessionTests(unittest.TestCase):
    def test_a_photo_is_not_live(self):
        image, feedback, now = Image.from_file(SELFIE), None, 0
        request = LivenessRequest.from_script(["turn-left", "blink"], NONCE)
        with LivenessSession(engine(), request, challenge_timeout=2) as session:
            while not session.is_complete and now < 8:
                feedback = session.add(image, now)
                now += 0.1
            self.assertIs(feedback.state, LivenessSessionState.CAPTURED)
            with self.assertRaises(faceverify.WrongStateError):
                session.add(image, now)
            decision = session.finish()
            self.assertEqual(session.finish().json_text, decision.json_text)
            with self.assertRaisesRegex(faceverify.WrongStateError, "complete"):
                session.add(image, now + 1)
        self.assertFalse(decision)
        self.assertIsNot(decision.result, LivenessResult.LIVE)
        self.assertEqual(decision.retry_reason is not None, decision.result is LivenessResult.UNDECIDED)
        self.assertTrue(decision.reasons)
        self.assertLessEqual({reason.code for reason in decision.reasons}, set(faceverify.LIVENESS_SIGNALS))
        self.assertEqual(tuple(check.signal for check in decision.checks), faceverify.LIVENESS_SIGNALS)
        self.assertEqual((decision.checks[0].status, decision.checks[0].value), (CheckStatus.FAILED, 0))
        for check in decision.checks:
            self.assertEqual(check.status is CheckStatus.PASSED, check.text == "")
            self.assertTrue(check.unit and check.source)
        (answer,) = decision.answers
        self.assertEqual((answer.challenge, answer.outcome), (Challenge.TURN_LEFT, ChallengeOutcome.TIMEOUT))
        self.assertIsNone(answer.movement)
        self.assertGreater(answer.ended, answer.asked)
        evidence = decision.evidence
        self.assertEqual((evidence.policy, evidence.nonce, evidence.refused_frame_count), ("standard", NONCE, 0))
        self.assertEqual((evidence.first_time, evidence.last_time), (0, feedback.time))
        self.assertEqual((evidence.frame_count, len(evidence.chain_sha256)), (round(feedback.time * 10) + 1, 64))
        self.assertGreater(evidence.averaged_frame_count, 0)
        self.assertEqual(bytes(decision.selfie.pixels()), bytes(image.pixels()))
        self.assertEqual(tuple(check.measure for check in decision.quality), faceverify.QUALITY_MEASURES)
        self.assertTrue(engine().compare_templates(decision.template, engine().sample(PORTRAIT).template).is_match)
        self.assertTrue(engine().compare(decision.selfie, PORTRAIT))
        self.assertEqual(decision.json()["result"], decision.result)

    def test_a_session_without_frames_is_undecided(self):
        decision = LivenessSession(engine()).finish()
        self.assertEqual((decision.result, decision.retry_reason), (LivenessResult.UNDECIDED, RetryReason.INTERRUPTED))
        self.assertEqual((decision.selfie, decision.template, decision.quality, decision.answers), (None, None, (), ()))
        evidence = decision.evidence
        self.assertEqual((evidence.frame_count, evidence.first_time, evidence.selfie_quality), (0, None, None))
        self.assertEqual(evidence.nonce, b"")

    def test_a_refused_frame_does_not_end_the_session(self):
        session = LivenessSession(engine(), policy="passive-only", camera=Camera("uvcvideo", "Integrated Camera"))
        first = session.add(SELFIE, time=5)
        self.assertEqual((first.has_face, first.yaw, first.challenge), (True, None, None))
        with self.assertRaisesRegex(faceverify.BadArgumentError, "in the order of their times"):
            session.add(SELFIE, time=5)
        with self.assertRaisesRegex(faceverify.BadArgumentError, "64"):
            session.add(grey(63, 100), time=6)
        with self.assertRaises(faceverify.BadArgumentError):
            session.add(SELFIE, time=6, screen_colour=(0, 0, 2))
        with self.assertRaises(faceverify.DamagedError):
            session.add(SELFIE.read_bytes()[:100000], time=6)
        with self.assertRaises(faceverify.UnreadableError):
            session.add("/nowhere/frame.jpg", time=6)
        with self.assertRaises(TypeError):
            session.add(None, time=6)
        second = session.add(SELFIE.read_bytes(), time=6, screen_colour=(0, 0.5, 1))
        self.assertTrue(second.has_face and abs(second.yaw) < 30 and second.left_eye_openness > 0.1)
        evidence = session.finish().evidence
        self.assertEqual((evidence.frame_count, evidence.refused_frame_count, evidence.policy), (2, 2, "passive-only"))

    def test_late_frames_fail_on_the_callers_clock(self):
        session = LivenessSession(engine(), policy="passive-only")
        session.add(SELFIE, time=0, received=1000)
        for received, words in ((999, "must not go back"), (math.nan, "number of seconds"), (None, "or none")):
            with self.assertRaisesRegex(faceverify.BadArgumentError, words):
                session.add(SELFIE, time=1, received=received)
        session.add(SELFIE, time=1, received=1004)
        decision = session.finish()
        delay = next(check for check in decision.checks if check.signal == "arrival-delay")
        self.assertEqual((delay.status, delay.value), (CheckStatus.FAILED, 3))
        self.assertIs(decision.result, LivenessResult.UNDECIDED)
        self.assertIn("arrival-delay", [reason.code for reason in decision.reasons])

    @needs("numpy")
    def test_rotated_and_mirrored_arrays(self):
        import numpy

        upright = numpy.asarray(Image.from_file(PORTRAIT).pixels())
        self.assertEqual(upright.shape, (1200, 626, 3))
        session = LivenessSession(engine(), rotation=90, is_mirrored=True)
        self.assertTrue(session.add(upright.transpose(1, 0, 2), 0).has_face)
        selfie = numpy.asarray(session.finish().selfie.pixels())
        self.assertTrue((selfie == upright).all())

    def test_hints(self):
        session, states = LivenessSession(engine()), []
        for i in range(10):
            states.append(session.add(grey(200, 200), i / 10))
        self.assertEqual((states[-1].has_face, states[-1].hint), (False, LivenessHint.MOVE_FACE_INTO_FRAME))
        self.assertIsNone(states[-1].face_size)

    def test_portraits(self):
        def identity(portrait):
            template = engine().sample(portrait).template
            session = LivenessSession(engine(), portrait=template)
            template.close()
            for i in range(20):
                session.add(SELFIE, i / 10)
            return {check.signal: check.status for check in session.finish().checks}["portrait-identity"]

        self.assertEqual(identity(PORTRAIT), CheckStatus.PASSED)
        self.assertEqual(identity(OTHER), CheckStatus.FAILED)

    def test_parts_of_a_decision_end_with_it(self):
        with LivenessSession(engine()) as session:
            session.add(SELFIE, 0)
            decision = session.finish()
        with self.assertRaises(faceverify.BadArgumentError):
            session.add(SELFIE, 1)
        selfie, template = decision.selfie, decision.template
        self.assertEqual((selfie.width, len(bytes(template))), (910, 580))
        decision.close()
        for use in (lambda: selfie.width, lambda: bytes(template), lambda: decision.result, lambda: decision.checks):
            with self.assertRaises(faceverify.BadArgumentError):
                use()

    def test_a_session_in_use_is_busy(self):
        session, stop = LivenessSession(engine(), timeout=900), threading.Event()
        image, blank = Image.from_file(SELFIE), grey(200, 200)

        def add_on():
            now = 0
            while not stop.is_set():
                now += 0.01
                try:
                    session.add(image, now)
                except (faceverify.BusyError, faceverify.BadArgumentError):
                    pass

        thread = threading.Thread(target=add_on)
        thread.start()
        try:
            deadline = time.monotonic() + 30
            with self.assertRaisesRegex(faceverify.BusyError, "another thread uses"):
                while time.monotonic() < deadline:
                    self.assertFalse(session.is_complete)
                    try:
                        session.add(blank, 0)
                    except faceverify.BadArgumentError:
                        pass
        finally:
            stop.set()
            thread.join()
        self.assertIs(session.finish().result, faceverify.LivenessResult.UNDECIDED)
