"""Fictitious machine-readable zones (ICAO 9303, parts 4 to 7) with valid check digits."""
import random

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<"
LETTERS = ALPHABET[10:36]
SIZES = {"TD1": (3, 30), "TD2": (2, 36), "TD3": (2, 44), "MRV-A": (2, 44), "MRV-B": (2, 36)}
STATES = (
    "UTO D<< FRA GBR USA CAN AUS AUT BEL CHE CHN CZE DNK ESP EST FIN GRC HRV HUN IRL ISL ITA JPN KOR LTU LUX LVA MAR MEX "
    "NLD NOR NZL POL PRT ROU RUS SRB SVK SVN SWE THA TUR TWN UKR VNM ZAF BRA ARG IND IDN MYS SGP PHL EGY NGA KEN IRN ISR "
    "XXA XXB UNO EUE RKS GBD").split()
SURNAMES = (
    "ERIKSSON MUSTERMANN SPECIMEN NOVAK SILVA NGUYEN OKAFOR HANSEN KOWALSKA TANAKA PETROV GARCIA ROSSI MUELLER WANG KIM "
    "ANDERSEN DUPONT IVANOVA YILMAZ SMITH JOHNSON ABDULLAH VIRTANEN HORVATH POPESCU").split()
NAMES = "ANNA MARIA ERIKA JOHN PETER LI WEI FATIMA JOSE OLGA IVAN SOFIA KARL EVA MOHAMMED JANE PAUL MIN HIRO ZOE".split()


def check_digit(text):
    """The 7-3-1 sum of ICAO 9303-3, 4.9."""
    return str(sum(max(0, ALPHABET.index(c)) % 36 * (7, 3, 1)[i % 3] for i, c in enumerate(text)) % 10)


def word(rng, low=2, high=11):
    return "".join(rng.choice(LETTERS) for _ in range(rng.randint(low, high)))


def name(rng, length):
    own = lambda known: rng.choice(known) if rng.random() < 0.4 else word(rng)
    primary = "<".join(own(SURNAMES) for _ in range(rng.choice((1, 1, 1, 2))))
    secondary = "<".join(own(NAMES) for _ in range(rng.choice((0, 1, 1, 2, 2, 3))))
    return f"{primary}<<{secondary}"[:length].ljust(length, "<")


def number(rng, length):
    """A document number: digits, often with letters; sometimes shorter than its field."""
    kind = rng.random()
    signs = ALPHABET[:10] if kind < 0.5 else ALPHABET[:36]
    count = length if rng.random() < 0.7 else rng.randint(min(5, length), length)
    head = word(rng, 1, 2) if 0.3 < kind < 0.5 else ""
    return (head + "".join(rng.choice(signs) for _ in range(count)))[:length].ljust(length, "<")


def date(rng):
    return f"{rng.randint(0, 99):02}{rng.randint(1, 12):02}{rng.randint(1, 28):02}"


def optional(rng, length):
    return number(rng, length) if rng.random() < 0.4 else "<" * length


def zone(rng, form):
    """The lines of a zone of this format."""
    _, length = SIZES[form]
    state, nation = rng.choice(STATES).ljust(3, "<"), rng.choice(STATES).ljust(3, "<")
    digits = number(rng, 9)
    birth, expiry = date(rng), date(rng)
    sex = rng.choice("MF<")
    first = {"TD1": rng.choice("IAC"), "TD2": rng.choice("IACP"), "TD3": "P"}.get(form, "V")
    code = first + (rng.choice(LETTERS) if rng.random() < 0.3 else "<")
    dated = birth + check_digit(birth)
    expiring = expiry + check_digit(expiry)
    numbered = digits + check_digit(digits)
    if form == "TD1":
        one = code + state + numbered + optional(rng, 15)
        two = dated + sex + expiring + nation + optional(rng, 11)
        two += check_digit(one[5:30] + two[0:7] + two[8:15] + two[18:29])
        return [one, two, name(rng, length)]
    one = code + state + name(rng, length - 5)
    two = numbered + nation + dated + sex + expiring
    if form == "TD3":
        personal = optional(rng, 14)
        two += personal + (check_digit(personal) if personal.strip("<") or rng.random() < 0.5 else "<")
    else:
        two += optional(rng, length - len(two) - (form == "TD2"))
    if form in ("TD2", "TD3"):
        two += check_digit(two[0:10] + two[13:20] + two[21:])
    return [one, two]


def any_line(rng, length):
    """Random characters, so that a reader learns shapes and not words."""
    fillers = rng.choice((0.05, 0.1, 0.3))
    return "".join("<" if rng.random() < fillers else rng.choice(ALPHABET[:36]) for _ in range(length))


def any_form(rng):
    return rng.choice(tuple(SIZES))
