"""Long calls: signals, asyncio, and budgets of galleries."""

import asyncio
import contextlib
import os
import random
import signal
import tempfile
import threading
import time
import unittest

from support import PORTRAIT, SELFIE, engine, faceverify, grey, needs_samples

from faceverify import Cancellation, Gallery, Image, Journey, run_async
from faceverify._generated import lib


class Alarm(Exception):
    pass


@contextlib.contextmanager
def handled(number, handler):
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


@contextlib.contextmanager
def interrupted_after(seconds):
    """Sends a real SIGINT to this process."""
    with handled(signal.SIGINT, signal.default_int_handler):
        timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            yield
        finally:
            timer.join()


class LongCallTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        engine().detect(grey())  # loads the models
        for side in (2000, 4000, 8000):  # of noise, in which the search for a face takes long
            cls.image = Image.from_frame(random.Random(3).randbytes(side * side), "gray8", side, side)
            began = time.monotonic()
            engine().detect(cls.image)
            cls.whole = time.monotonic() - began
            if cls.whole > 1:
                break

    @contextlib.contextmanager
    def ends_early(self):
        began = time.monotonic()
        yield
        self.assertLess(time.monotonic() - began, 0.05 + (self.whole - 0.05) / 2, f"a whole call takes {self.whole} s")

    def test_ctrl_c_ends_a_call(self):
        objects, cancellation = lib.fv_live_objects(), Cancellation()
        for keywords in ({}, {"cancellation": cancellation}):
            with self.ends_early(), interrupted_after(0.05), self.assertRaises(KeyboardInterrupt):
                engine().detect(self.image, **keywords)
        with self.assertRaises(faceverify.CallCancelledError):
            engine().detect(self.image, cancellation=cancellation)
        cancellation.close()
        self.assertEqual(lib.fv_live_objects(), objects)

    def test_ctrl_c_ends_the_other_long_calls(self):
        calls = {
            "compare": lambda: engine().compare(self.image, self.image),
            "assess": lambda: engine().assess(self.image),
            "read_document": lambda: engine().read_document([self.image], date="2026-11-21"),
        }
        for name, call in calls.items():
            with self.subTest(name), self.ends_early(), interrupted_after(0.05):
                self.assertRaises(KeyboardInterrupt, call)

    def test_a_signal_handler_ends_a_call_by_its_exception_and_otherwise_does_not(self):
        ticks = []

        def handle(*_):
            ticks.append(time.monotonic())
            if len(ticks) == 4:
                raise Alarm

        with handled(signal.SIGALRM, handle), self.ends_early(), self.assertRaises(Alarm):
            signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
            try:
                engine().detect(self.image)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        ticks.clear()
        with handled(signal.SIGALRM, handle):
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            self.assertEqual(len(engine().detect(self.image)), 0)
        self.assertEqual(len(ticks), 1)

    def test_ctrl_c_cancels_a_journey(self):
        configuration = {"requests": [{"category": "face"}], "faceModes": ["face-manual"]}
        with Journey(engine(), configuration) as journey:
            journey.perform("start")
            journey.start_credential(0)
            journey.start_part("face")
            with self.ends_early(), interrupted_after(0.05), self.assertRaises(KeyboardInterrupt):
                journey.attach(self.image)
            self.assertEqual((str(journey.state), journey.result.error_code), ("finished", "G000000"))

    def test_async_calls_leave_the_event_loop_free(self):
        async def main():
            ticks, calls = 0, asyncio.gather(*(run_async(engine().detect, self.image, timeout=60) for _ in range(2)))
            while not calls.done():
                ticks += 1
                await asyncio.sleep(0.001)
            return ticks, [len(faces) for faces in await calls]

        ticks, counts = asyncio.run(main())
        self.assertEqual(counts, [0, 0])
        self.assertGreater(ticks, 20)

    def test_cancelling_a_task_ends_its_call(self):
        async def main():
            with self.ends_early(), self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(run_async(engine().detect, self.image), 0.05)
            with self.assertRaises(faceverify.CallTimeoutError):
                await run_async(engine().detect, self.image, timeout=0.01)
            cancellation = Cancellation()
            task = asyncio.ensure_future(run_async(engine().detect, self.image, cancellation=cancellation))
            await asyncio.sleep(0.01)
            cancellation.cancel()
            with self.assertRaises(faceverify.CallCancelledError):
                await task

        objects = lib.fv_live_objects()
        asyncio.run(main())
        self.assertEqual(lib.fv_live_objects(), objects)

    def test_ctrl_c_ends_an_async_call(self):
        with self.ends_early(), interrupted_after(0.05), self.assertRaises(KeyboardInterrupt):
            asyncio.run(run_async(engine().detect, self.image))


@needs_samples
class GalleryBudgetTests(unittest.TestCase):
    def test_a_budget_ends_the_calls_of_a_gallery(self):
        with tempfile.TemporaryDirectory() as folder, engine().sample(SELFIE) as sample:
            other = Gallery(folder + "/other.fvg", engine())
            other.add("one", sample.template)
            gallery, cancellation = Gallery(folder + "/people.fvg", engine()), Cancellation()
            cancellation.cancel()
            for limit, error in (
                ({"timeout": 1e-9}, faceverify.CallTimeoutError),
                ({"cancellation": cancellation}, faceverify.CallCancelledError),
            ):
                for call, argument in (
                    (gallery.enrol, PORTRAIT),
                    (gallery.search, sample.template),
                    (gallery.merge, folder + "/other.fvg"),
                ):
                    with self.subTest(call.__name__), self.assertRaises(error):
                        call(argument, **limit)
            self.assertEqual((len(gallery), gallery.failure_count), (0, 0))
