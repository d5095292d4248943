import itertools
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from support import OTHER, PORTRAIT, SELFIE, engine, faceverify, grey, needs_samples

from faceverify import Credential, Image, QualityPolicy, Result


@needs_samples
class ThreadTests(unittest.TestCase):
    def test_a_pool_gives_the_right_answers(self):
        pairs = [(SELFIE, PORTRAIT), (SELFIE, OTHER), (Image.from_file(OTHER), PORTRAIT), (OTHER, OTHER.read_bytes())]
        expected = [engine().compare(*pair).json for pair in pairs]
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda pair: engine().compare(*pair).json, pairs * 6))
        self.assertEqual(found, expected * 6)

    def test_a_decision_is_for_all_threads(self):
        with engine().compare(SELFIE, PORTRAIT) as decision:
            expected = (decision.json, decision.selfie.checks, decision.portrait.faces[0])
            with ThreadPoolExecutor(8) as pool:
                futures = [
                    pool.submit(lambda: (decision.json, decision.selfie.checks, decision.portrait.faces[0]))
                    for _ in range(200)
                ]
            for future in futures:
                self.assertEqual(future.result(), expected)

    def test_other_threads_go_on_during_a_call(self):
        image, portrait = Image.from_file(SELFIE), Image.from_file(PORTRAIT)
        credential, times = Credential(engine()), []

        def compare():
            times.append(time.perf_counter())
            credential.compare(image, portrait)
            times.append(time.perf_counter())

        thread, ticks = threading.Thread(target=compare), []
        thread.start()
        while thread.is_alive():
            ticks.append(time.perf_counter())
        start, end = times
        quarter = (end - start) / 4  # before and after the call itself, the thread may wait for its turn
        self.assertGreater(sum(start + quarter < tick < end - quarter for tick in ticks), 100)

    def test_a_credential_that_another_thread_uses(self):
        credential, blank, stop = Credential(engine()), grey(), threading.Event()

        def compare_on():
            while not stop.is_set():
                try:
                    self.assertIs(credential.compare(SELFIE, PORTRAIT).result, Result.MATCH)
                except faceverify.Busy:
                    pass

        thread = threading.Thread(target=compare_on)
        thread.start()
        try:
            deadline = time.monotonic() + 30
            with self.assertRaisesRegex(faceverify.Busy, "give each thread its own") as caught:
                while time.monotonic() < deadline:
                    self.assertEqual(len(credential.detect(blank)), 0)
        finally:
            stop.set()
            thread.join()
        self.assertTrue(caught.exception.retryable)
        self.assertTrue(credential.compare(SELFIE, PORTRAIT))

    def test_objects_that_are_closed_while_they_are_used(self):
        for delay in (0, 0.01, 0.03):
            image, portrait, other = Image.from_file(SELFIE), Image.from_file(PORTRAIT), faceverify.Engine()
            credential = Credential(other)
            with ThreadPoolExecutor(1) as pool:
                future = pool.submit(credential.compare, image, portrait)
                time.sleep(delay)
                for handle in (image, portrait, credential, other):
                    handle.close()
                try:
                    self.assertTrue(future.result())
                except faceverify.BadArgument:
                    pass


class PolicyThreadTests(unittest.TestCase):
    def test_a_policy_that_threads_change(self):
        policy, results = QualityPolicy("selfie"), set()

        def change():
            for value in range(3000):
                try:
                    policy.require("sharpness", minimum=value)
                    results.add("done")
                except faceverify.Busy:
                    results.add("busy")

        with ThreadPoolExecutor(4) as pool:
            for future in [pool.submit(change) for _ in range(4)]:
                future.result()
        self.assertLessEqual({"done"}, results)
        policy.require("sharpness", minimum=0.4)
