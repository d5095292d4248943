import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from support import OTHER, PORTRAIT, SELFIE, engine, faceverify, needs_samples

from faceverify import Cancellation, Image, QualityPolicy


@needs_samples
class ThreadTests(unittest.TestCase):
    def test_a_pool_returns_the_right_results(self):
        pairs = [(SELFIE, PORTRAIT), (SELFIE, OTHER), (Image.from_file(OTHER), PORTRAIT), (OTHER, OTHER.read_bytes())]
        expected = [engine().compare(*pair).json_text for pair in pairs]
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda pair: engine().compare(*pair).json_text, pairs * 6))
        self.assertEqual(found, expected * 6)

    def test_threads_share_a_decision(self):
        with engine().compare(SELFIE, PORTRAIT) as decision:
            expected = (decision.json_text, decision.selfie.checks, decision.portrait.faces[0])
            with ThreadPoolExecutor(8) as pool:
                futures = [
                    pool.submit(lambda: (decision.json_text, decision.selfie.checks, decision.portrait.faces[0]))
                    for _ in range(200)
                ]
            for future in futures:
                self.assertEqual(future.result(), expected)

    def test_other_threads_run_during_a_call(self):
        image, portrait = Image.from_file(SELFIE), Image.from_file(PORTRAIT)
        times = []

        def compare():
            times.append(time.perf_counter())
            engine().compare(image, portrait)
            times.append(time.perf_counter())

        thread, ticks = threading.Thread(target=compare), []
        thread.start()
        while thread.is_alive():
            ticks.append(time.perf_counter())
        start, end = times
        quarter = (end - start) / 4  # before and after the call, the thread may wait for the GIL
        self.assertGreater(sum(start + quarter < tick < end - quarter for tick in ticks), 100)

    # Rows: V4.15-a
    def test_another_thread_cancels_a_call(self):
        cancellation, started = Cancellation(), threading.Event()

        def cancel():
            started.wait()
            time.sleep(0.005)
            cancellation.cancel()

        thread, calls = threading.Thread(target=cancel), 0
        thread.start()
        image = Image.from_file(SELFIE)
        with self.assertRaises(faceverify.CallCancelledError) as caught:
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline:
                started.set()
                engine().detect(image, cancellation=cancellation)
                calls += 1
        thread.join()
        self.assertEqual((caught.exception.name, caught.exception.retryable), ("cancelled", False))
        for call in (engine().detect, engine().sample, engine().assess):
            with self.assertRaises(faceverify.CallCancelledError):
                call(image, cancellation=cancellation)
        self.assertEqual(len(engine().detect(image)), 1)

    def test_objects_closed_while_in_use(self):
        for delay in (0, 0.01, 0.03):
            image, portrait, other = Image.from_file(SELFIE), Image.from_file(PORTRAIT), faceverify.Engine()
            with ThreadPoolExecutor(1) as pool:
                future = pool.submit(other.compare, image, portrait)
                time.sleep(delay)
                for handle in (image, portrait, other):
                    handle.close()
                try:
                    self.assertTrue(future.result())
                except faceverify.BadArgumentError:
                    pass


class PolicyThreadTests(unittest.TestCase):
    def test_threads_change_a_policy(self):
        policy, results = QualityPolicy("selfie"), set()

        def change():
            for value in range(3000):
                try:
                    policy.require("sharpness", minimum=value)
                    results.add("done")
                except faceverify.BusyError:
                    results.add("busy")

        with ThreadPoolExecutor(4) as pool:
            for future in [pool.submit(change) for _ in range(4)]:
                future.result()
        self.assertLessEqual({"done"}, results)
        policy.require("sharpness", minimum=0.4)
