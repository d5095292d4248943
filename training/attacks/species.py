"""The attack species: each is a function from a job to the clips that show it."""

from held import cutout, moved_photo, print_, screen
from puppets import morph, puppet
from recordings import cut, driver, follow, pasted
from streams import (
    clock, freeze, injected, loop, other_person, paste, reorder, resolution_switch, wrong_order,
)

# Name, function, whether it needs a second person (None: optional).
SPECIES = {
    "print": (print_, False),
    "screen": (screen, False),
    "cutout": (cutout, None),
    "moved-photo": (moved_photo, False),
    "loop": (loop, False),
    "freeze": (freeze, False),
    "reorder": (reorder, False),
    "wrong-order": (wrong_order, False),
    "other-person": (other_person, True),
    "paste": (paste, True),
    "injected": (injected, False),
    "resolution-switch": (resolution_switch, False),
    "clock": (clock, False),
    "puppet": (puppet, False),
    "morph": (morph, True),
    "driver": (driver, True),
    "pasted": (pasted, True),
    "cut": (cut, None),
    "follow": (follow, False),
}

# Species that need the face mesh and OpenVINO; "all" does not include them.
MESHED = {"puppet", "morph", "driver", "pasted", "cut", "follow"}

# Species that need face detection.
FOLLOWING = {"cutout", "paste", "injected"}
