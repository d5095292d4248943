"""Every screen, rendered from scripted views instead of the server: for its appearance and texts only."""

import json
import pathlib
import re

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources"
COUNTRIES = ["AUT", "BEL", "CHE", "D", "EGY", "FRA", "GBR", "JPN", "USA", "UTO"]
CHOICES = [{"country": code, "type": kind, "variant": variant} for code in COUNTRIES
           for kind, variant in [("passport", "paper"), ("visa", "paper"), ("id-card", "plastic"), ("id-card", "paper"), ("driving-licence", "plastic")]
           if (kind != "driving-licence" or code == "USA") and (variant == "plastic" or kind != "id-card" or code == "D")]
# Every code of the library's list, as offered by a session without countries.
ALL_CODES = sorted(set(re.findall(r"(?<![^\s;])([A-Z]{1,3}) (?:[A-Z]{2}|-) ", re.sub(
    r"//.*", "", (SOURCES / "IdentityDocuments/CountryName.swift").read_text().split("let iso")[1]))))
MANY = [{"country": code, "type": "passport", "variant": "paper"} for code in ALL_CODES]
CONSENTS = [
    {"text": "I agree that my face is compared with the photo in my document.", "url": "https://example.org/privacy",
     "link": "compared", "isActive": True, "decision": None},
    {"text": "My data are deleted after one day, as the privacy notice says.", "url": "https://example.org/notice",
     "link": "privacy notice", "isActive": False, "decision": None}]
DOCUMENT_FRAMES = {"fps": 3, "quality": 0.92, "shortSide": 1080, "maxBytes": 2097152, "maxBatch": 1}
FACE_FRAMES = {"fps": 12, "quality": 0.92, "shortSide": 480, "maxBytes": 262144, "maxBatch": 8}


def view(state, **more):
    document = {"category": "id", "countries": COUNTRIES, "types": [], "variants": [], "isDone": False, "parts": [], "open": [],
                "choice": None, "codeSide": None, "optional": [], "modes": ["doc-finder", "manual", "file"]}
    face = {"category": "face", "countries": [], "types": [], "variants": [], "isDone": False, "parts": ["face"], "open": ["face"],
            "choice": None, "codeSide": None, "optional": [], "modes": ["liveness", "face-manual"]}
    base = {
        "state": state,
        "session": {"workflowExecutionId": "n1-1", "expires": "2026-11-23T12:00:00Z", "secondsLeft": 860.0, "mayExtend": True},
        "ui": {"language": None, "showsResult": False}, "consents": CONSENTS, "credentials": [document, face], "credential": None,
        "choices": [], "part": None, "reader": None, "frames": None, "taken": 0, "refused": 0, "expectedSeq": 1, "feedback": None, "light": None,
        "events": [], "advice": None, "rejections": [], "retry": None, "hasPicture": False, "error": None, "result": None, "mayHandOff": False,
        "isElsewhere": False, "wasHandedOff": False, "returnUrl": None}
    base.update(more)
    return base


def document(state, part="front", mode="doc-finder", fallback="manual", kind="id-card", **more):
    made = view(state, credential=0, part={"part": part, "side": part, "mode": mode, "try": 1, "tries": 5, "fallback": fallback,
                                           "isShutterDue": mode == "manual", "secondsLeft": 12.0}, **more)
    made["credentials"][0].update(parts=["front", "back"], open=["front", "back"], choice={"country": "AUT", "type": kind, "variant": "plastic"},
                                  codeSide="back" if kind == "driving-licence" else None)
    if state == "scanning" and mode != "file":
        made["frames"] = DOCUMENT_FRAMES
    return made


# Moved to the person's left, closer, and turned to their left.
FOLLOWED = {"x": 0.1, "scale": 1.2, "yaw": 20.0, "pitch": 0.0, "movement": "turn-left"}


def face(state, mode="liveness", fallback="face-manual", feedback=None, light=None, **more):
    made = view(state, credential=1, part={"part": "face", "side": "face", "mode": mode, "try": 1, "tries": 5, "fallback": fallback,
                                           "isShutterDue": mode == "face-manual", "secondsLeft": None}, light=light, **more)
    made["credentials"][0]["isDone"] = True
    if feedback is not None:
        made["feedback"] = {"hint": None, "text": None, "secondsLeft": None, "challenge": None, "phase": None, "target": None, "progress": 0.0, "answers": [],
                            "face": {"x": 0.4, "y": 0.26, "width": 0.2, "height": 0.44}, **feedback}
    if state == "scanning":
        made["frames"] = FACE_FRAMES
    return made


def chosen(state, part, optional=(), credential=0, **more):
    made = view(state, credential=credential, **more)
    made["credentials"][credential].update(parts=[part], open=[] if optional else [part], optional=list(optional))
    if credential == 0:
        made["credentials"][0]["choice"] = {"country": "AUT", "type": "id-card" if part != "chip" else "passport", "variant": "plastic"}
    else:
        made["credentials"][0]["isDone"] = True
    return made


def ended(result=None, error=None, **more):
    made = view("finished", error=error, result={"isComplete": error is None, "result": result, "reasons": None, "error": error})
    made["result"].update(more)
    return made


def licence(state, mode="barcode", fallback="manual", fault=None, **more):
    """The back of a driving licence, with its code being read."""
    made = document(state, part="back", mode=mode, fallback=fallback, kind="driving-licence", codeFault=fault, **more)
    made["credentials"][0].update(modes=["barcode", "doc-finder", "manual", "file"], open=["back"])
    made["credentials"][0]["choice"]["country"] = "USA"
    return made


def licence_back():
    made = licence("choosing")
    return {**made, "part": None}


CHIP = chosen("paused", "chip", ["chip"])
CHIP["part"] = {"part": "chip", "side": "chip", "mode": "chip-files", "try": 1, "tries": 5, "fallback": None, "isShutterDue": False, "secondsLeft": None}


def reader(state="idle", **more):
    """The chip on the server's reader."""
    at = {"hasKey": True, "state": state, "file": None, "fraction": 0, "fault": None, "detail": None, "attemptsLeft": None, "mustConfirm": False}
    return {**CHIP, "reader": {**at, **more}}


LIGHT = {"index": 4, "rgb": [0.45, 0.8, 0.45], "seconds": 0.7}

INTRO, OPEN = [chosen("choosing", "face", credential=1)], "main .primary"
SEARCH = """const field = document.querySelector("input[type=search]"); field.value = "united"; field.dispatchEvent(new Event("input"));"""
CHOOSE = """const menu = document.querySelector(".field select"); menu.value = "USA"; menu.dispatchEvent(new Event("change", {bubbles: true}));"""
# getUserMedia throws this, or never returns.
THROW = "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('simulated', '%s'); }"
SILENT = "navigator.mediaDevices.getUserMedia = () => new Promise(() => {})"
# No responses, and accelerated time.
CUT = "window.fetch = async () => { throw new TypeError('simulated'); }; let now = performance.now(); performance.now = () => (now += 20000)"

CANNOT = """document.querySelector("main .primary").click();
    while (!document.querySelector("main.screen-face .plain")) await new Promise(done => setTimeout(done, 50));
    document.querySelector("main .plain").click();"""

def interrupted(reason):
    """The server ended a try at the face."""
    return chosen("choosing", "face", credential=1, events=[{"event": "interrupted", "reason": reason, "at": 1.0}])


def proved(presence, document, binding):
    return ended("passed", reasons=[], assurance={"presence": presence, "document": document, "binding": binding})


REASONS = [{"code": "comparison.score-beyond-threshold", "text": "The faces are less similar than required."},
           {"code": "liveness.planarity", "text": "The face moved like a flat picture."}, {"code": "unknown.code", "text": "A reason without a text."}]
# Name -> (the name of the screen, views), and optionally: the screen on which a script runs, the script, what is
# pressed next.
SCREENS = {
    "chooser": ("chooser", []),
    "welcome": ("welcome", [view("created")]),
    "consent": ("consent", [view("consenting")]),
    "select": ("select", [view("configuring", credential=0, choices=CHOICES)]),
    "advice": ("advice", [view("advising", credential=0, advice="Photos of identity cards of this country may only be used for this one check.")]),
    "intro-front": ("intro", [chosen("choosing", "front")]),
    "intro-back": ("intro", [chosen("choosing", "back")]),
    "intro-chip": ("intro", [chosen("choosing", "chip", ["chip"])]),
    "intro-face": ("intro", [chosen("choosing", "face", credential=1)]),
    "intro-light": ("intro", [chosen("choosing", "face", credential=1, ui={"light": True})]),
    "finder": ("finder", [chosen("choosing", "front"), document("scanning", kind="passport", feedback={"hint": "hold-straight"})], "intro", "", OPEN),
    "intro-code": ("intro", [licence_back()]),
    "code": ("finder", [licence_back(), licence("scanning")], "intro", "", OPEN),
    "code-fault": ("finder", [licence_back(), licence("scanning", fault="partly-out-of-frame")], "intro", "", OPEN),
    "code-file": ("file", [licence("paused", mode="file", fallback=None)]),
    "code-rejected": ("rejected", [licence("rejected", fault="blurred")]),
    "manual": ("shutter", [chosen("choosing", "front"), document("scanning", mode="manual", fallback="file", taken=4)], "intro", "", OPEN),
    "file": ("file", [document("paused", mode="file", fallback=None)]),
    "chip": ("chip", [CHIP]),
    "reader": ("chip", [reader()]),
    "reader-fault": ("chip", [reader(fault="connection-lost", detail="The card was removed.")]),
    "reader-refused": ("chip", [reader(fault="password-refused", detail="The zone was refused.", attemptsLeft=2, mustConfirm=True)]),
    "reader-number": ("chip", [reader(hasKey=False)]),
    "reader-number-refused": ("chip", [reader(hasKey=False, fault="number-refused", detail="Refused.")]),
    "reader-waiting": ("reading", [reader("waiting")]),
    "reading": ("reading", [reader("reading", file="EF.DG2", fraction=0.43)]),
    "face-hint": ("face", [chosen("choosing", "face", credential=1), face("scanning", feedback={"hint": "move-face-closer", "text": "Come closer."})], "intro", "", OPEN),
    "face-challenge": ("face", [chosen("choosing", "face", credential=1), face("scanning", feedback={"challenge": "turn-left", "phase": "moving", "progress": 0.38})], "intro", "", OPEN),
    "face-follow": ("face", [chosen("choosing", "face", credential=1),
                             face("scanning", feedback={"challenge": "follow", "phase": "moving", "progress": 0.4, "target": FOLLOWED})], "intro", "", OPEN),
    "face-hold": ("face", [chosen("choosing", "face", credential=1),
                           face("scanning", feedback={"challenge": "smile", "phase": "holding", "hint": "hold-still", "secondsLeft": 0.8, "progress": 0.7})], "intro", "", OPEN),
    "face-light": ("face", [chosen("choosing", "face", credential=1), face("scanning", feedback={"challenge": "look-up", "phase": "moving", "progress": 0.5}, light=LIGHT)], "intro", "", OPEN),
    "face-manual": ("shutter", [chosen("choosing", "face", credential=1), face("scanning", mode="face-manual", fallback=None, taken=4)], "intro", "", OPEN),
    "paused": ("paused", [face("paused")]),
    "confirm": ("confirm", [document("confirming", hasPicture=True)]),
    "rejected": ("rejected", [document("rejected", rejections=["blurry", "glare"])]),
    "retrying": ("retrying", [face("retrying", retry="lighting-too-dark")]),
    "failed": ("failed", [view("failed", error={"code": "Z000000", "message": "", "isRetryable": True})]),
    "halted": ("halted", [view("halted", error={"code": "J000000", "message": "", "isRetryable": False})]),
    "interrupted": ("interrupted", [view("interrupted")]),
    "finished": ("finished", [ended()]),
    "passed": ("finished", [ended("passed", reasons=[])]),
    "passed-face": ("finished", [proved("challenge-answered", "none", "none")]),
    "passed-chip": ("finished", [proved("challenge-answered", "chip-copy-authentic", "chip-portrait")]),
    "not-confirmed": ("finished", [ended("failed", reasons=REASONS)]),
    "not-checked": ("finished", [ended("not-checked", reasons=[{"code": "document.chip-read", "text": "No chip was given."}])]),
    "cancelled": ("finished", [ended(error={"code": "G000000", "message": "", "isRetryable": False})]),
    "return": ("finished", [{**ended(), "returnUrl": "https://shop.example/done?order=7"}]),
    "return-passed": ("finished", [{**proved("challenge-answered", "none", "none"), "returnUrl": "https://shop.example/done"}]),
    "phone-finished": ("finished", [{**ended(), "wasHandedOff": True}]),
    "elsewhere": ("elsewhere", [view("scanning", isElsewhere=True, wasHandedOff=True)]),
    "phone": ("phone", [view("created", mayHandOff=True)], "welcome", "", "main .quiet"),
    "welcome-phone": ("welcome", [view("created", mayHandOff=True)]),
    "unknown": ("stuck", [view("some-new-state")]),
    "working": ("working", [view("finishing")]),
    "blocked": ("blocked", None),
    "asking": ("asking", INTRO, "intro", SILENT, OPEN),
    "trouble-denied": ("trouble", INTRO, "intro", THROW % "NotAllowedError", OPEN),
    "trouble-none": ("trouble", INTRO, "intro", THROW % "NotFoundError", OPEN),
    "trouble-busy": ("trouble", INTRO, "intro", THROW % "NotReadableError", OPEN),
    "trouble-unsupported": ("trouble", INTRO, "intro", THROW % "SecurityError", OPEN),
    "lost": ("lost", [view("created")], "welcome", CUT, OPEN),
    "consent-missing": ("consent", [view("consenting")], "consent", "", OPEN),
    "select-many": ("select", [view("configuring", credential=0, choices=MANY)]),
    "select-search": ("select", [view("configuring", credential=0, choices=MANY)], "select", SEARCH, None),
    "light-declined": ("intro", [chosen("choosing", "face", credential=1, ui={"light": True})], "intro", "document.querySelector('main .tick input').click()", None),
    "connection": ("intro", [interrupted("frames-missing")]),
    "select-kind": ("select", [view("configuring", credential=0, choices=CHOICES)], "select", CHOOSE, None),
    "toast": ("welcome", [view("created")], "welcome", "faceverify.showToast('Two lines of text, so that it is seen how they are set.')", None),
    "dialog-help": ("welcome", [view("created")], "welcome", "", "footer button"),
    "dialog-end": ("welcome", [view("created")], "welcome", "", "footer button:last-child"),
    "dialog-cannot": ("face", [*INTRO, face("scanning", feedback={"challenge": "blink", "phase": "moving"})], "intro", CANNOT, None),
}

# Looks like a code; test_phone.py shows a real one.
MODULES = "".join(f"M{x} {y}h1v1h-1z" for x in range(41) for y in range(41) if (x * x + 3 * x * y + y * 5) % 7 % 2 and (8 < y < 33 or 8 < x < 33))
CORNERS = "".join(f"M{x} {y}h7v7h-7zm1 1v5h5v-5zm1 1h3v3h-3z" for x, y in ((0, 0), (34, 0), (0, 34)))
LINK = {"url": "https://verify.example/s#t=fvp_x&n=n1", "secondsLeft": 600, "code": {"size": 41, "path": CORNERS + MODULES}}

SCRIPT = """
(() => {
  const views = %s, real = window.fetch, picture = %s;
  sessionStorage.setItem("faceverify.session", JSON.stringify({token: views.length ? "fvs_scripted" : null}));
  let index = 0, seq = 1;
  window.scripted = { calls: [], set(view) { views.push(view); index = views.length - 1; } };
  window.fetch = async (path, options = {}) => {
    if (!String(path).startsWith("/v1/")) return real(path, options);
    if (path === "/v1/page/picture") return real(picture);
    if (path === "/v1/page/hand-off") return new Response(JSON.stringify(%s), {headers: {"Content-Type": "application/json"}});
    if (path === "/v1/page/frames") {
      const bytes = new Uint8Array(options.body.slice ? options.body.slice(0, 5) : options.body);
      seq += bytes[4];
      await new Promise(done => setTimeout(done, 30));
    } else if (options.method === "POST") {
      if (path === "/v1/page/calls") window.scripted.calls.push(...JSON.parse(options.body).calls);
      if (index < views.length - 1) index += 1;
    }
    return new Response(JSON.stringify({...views[index], expectedSeq: seq}), {headers: {"Content-Type": "application/json"}});
  };
})();
"""


def script(views, picture="/assets/icon.svg"):
    return SCRIPT % (json.dumps(views), json.dumps(picture), json.dumps(LINK))


def stand(browser, url, views, screen, seconds=8):
    """Opens the page with these views; they are removed when the next page is opened."""
    identifier = browser.before(script(views))
    try:
        browser.open(url)
        browser.screen(screen, seconds=seconds)
    finally:
        browser.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=identifier)


def put_up(browser, url, name, language="en", seconds=8):
    """Shows a screen."""
    screen, views, first, code, pressed = (*SCREENS[name], None, None, None)[:5]
    path = "/s" if name == "blocked" else "/"
    stand(browser, f"{url}{path}?lang={language}&{name}", views or [], first or screen, seconds)
    if code:
        browser.run(code)
    if pressed:
        browser.click(pressed)
        browser.screen(screen, seconds=seconds)
