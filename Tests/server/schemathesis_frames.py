"""A generator that schemathesis lacks: batches of frames, mostly well-formed. SCHEMATHESIS_HOOKS names this module."""

import hypothesis.strategies as st
import schemathesis

from harness import FRAMES, ROOT, batch

PICTURES = [path.read_bytes() for path in sorted((ROOT / "Tests/fuzz/corpus/image").iterdir())]
FRAME = st.tuples(st.integers(1, 40), st.floats(0, 60), st.sampled_from(PICTURES) | st.binary(max_size=200),
                  st.integers(0, 255), st.integers(0, 255))


@st.composite
def rising(draw):
    """Like a page: consecutive numbers, increasing times."""
    frames = draw(st.lists(FRAME, min_size=1, max_size=8))
    times = sorted(frame[1] for frame in frames)
    return batch([(frames[0][0] + at, times[at], *frame[2:]) for at, frame in enumerate(frames)])


schemathesis.openapi.media_type(FRAMES, rising() | st.lists(FRAME, max_size=9).map(batch) | st.binary(max_size=400))
