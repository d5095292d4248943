"""Pages whose printed fields state the same as their zone, or something else in one field.

The layout is that of ICAO 9303-4 and 9303-5: a caption in small print, in one or two languages, and its value below it.
"""
import re

import pages
from PIL import Image
from text import ALPHABET, LETTERS, any_form, date, zone

CAPTIONS = {
    "surname": (("Surname", "Nom"), ("Surname", "Apellidos"), ("Prezime", "Surname"), ("Name", "Surname")),
    "givenNames": (("Given names", "Prénoms"), ("Given names", "Nombres"), ("Imiona", "Given names")),
    "documentNumber": (("Document No.", "No. du document"), ("Passport No.", "Passeport No."), ("Nr", "Document number")),
    "nationality": (("Nationality", "Nationalité"), ("Obywatelstwo", "Nationality")),
    "dateOfBirth": (("Date of birth", "Date de naissance"), ("Fecha de nacimiento", "Date of birth"),
                    ("Data urodzenia", "Date of birth")),
    "sex": (("Sex", "Sexe"), ("Płeć", "Sex")),
    "placeOfBirth": (("Place of birth", "Lieu de naissance"), ("Miejsce urodzenia", "Place of birth")),
    "dateOfIssue": (("Date of issue", "Date de délivrance"), ("Data wydania", "Date of issue")),
    "dateOfExpiry": (("Date of expiry", "Date d'expiration"), ("Data ważności", "Date of expiry")),
    "authority": (("Authority", "Autorité"), ("Organ wydający", "Authority")),
}
MONTHS = (("JAN", "JAN"), ("FEB", "FÉV"), ("MAR", "MARS"), ("APR", "AVR"), ("MAY", "MAI"), ("JUN", "JUIN"),
          ("JUL", "JUIL"), ("AUG", "AOÛT"), ("SEP", "SEPT"), ("OCT", "OCT"), ("NOV", "NOV"), ("DEC", "DÉC"))
NATIONAL = {"A": "ÁÀ", "C": "ČĆ", "E": "ÉĚ", "I": "Í", "N": "Ń", "O": "Ó", "S": "Š", "U": "Ú", "Z": "ŽŻ"}
# Letters that are two in a zone (ICAO 9303-3, section 6). The fonts have no ẞ.
DIGRAPHS = {"AA": "Å", "AE": "ÄÆ", "OE": "ÖØŒ", "TH": "Þ", "UE": "Ü"}
FACES = ["truetype/dejavu/DejaVuSans.ttf", "truetype/liberation/LiberationSans-Regular.ttf",
         "truetype/liberation/LiberationSans-Bold.ttf", "truetype/dejavu/DejaVuSerif.ttf",
         "truetype/liberation/LiberationSerif-Bold.ttf"]


def values(lines, form):
    """The fields of a zone: names, number, the dates as (year, month, day), sex."""
    if form == "TD1":
        name, number, birth, sex, expiry = lines[2], lines[0][5:14], lines[1][0:6], lines[1][7], lines[1][8:14]
    else:
        name, number = lines[0][5:], lines[1][0:9]
        birth, sex, expiry = lines[1][13:19], lines[1][20], lines[1][21:27]
    surname, _, given = name.rstrip("<").partition("<<")
    triple = lambda text, last: ((2000 if int(text[:2]) <= last else 1900) + int(text[:2]), int(text[2:4]), int(text[4:]))
    return {"surname": surname.replace("<", " "), "givenNames": given.replace("<", " "),
            "documentNumber": number.rstrip("<"), "dateOfBirth": triple(birth, 25), "dateOfExpiry": triple(expiry, 76),
            "sex": sex.replace("<", "X")}


def with_digraphs(rng, lines, form):
    """The zone with names in which every third pair of letters is one of `DIGRAPHS`."""
    row, start = (2, 0) if form == "TD1" else (0, 5)
    name = re.sub("[A-Z]{2}", lambda pair: rng.choice(list(DIGRAPHS)) if rng.random() < 1 / 3 else pair[0], lines[row][start:])
    return [*lines[:row], lines[row][:start] + name, *lines[row + 1:]]


def other(rng, character):
    """Another character of the same kind."""
    kind = ALPHABET[:10] if character.isdigit() else LETTERS
    return rng.choice([c for c in kind if c != character])


def altered(rng, fields, name):
    """The fields with another value in one."""
    value = fields[name]
    if name == "sex":
        value = {"M": "F", "F": "M"}[value]
    elif name.startswith("date"):
        number = list(value)
        part = rng.choice((0, 0, 1, 2))
        number[part] += rng.choice((-1, 1)) * rng.randint(1, 9 if part == 0 else 4)
        number[1], number[2] = (number[1] - 1) % 12 + 1, (number[2] - 1) % 28 + 1
        value = tuple(number)
        if value == fields[name]:
            value = (value[0] + 1, *value[1:])
    elif name != "documentNumber" and rng.random() < 0.5:
        value = "".join(rng.choice(LETTERS) for _ in range(rng.randint(4, 9)))
    else:
        at = rng.choice([i for i, c in enumerate(value) if c != " "])
        value = value[:at] + other(rng, value[at]) + value[at + 1:]
    return {**fields, name: value}


def writer(fields, digraphs):
    """A function that prints the fields: see `pages.card`."""
    def write(draw, rng, box, mm, dark):
        left, top, right, bottom = box
        order = ["surname", "givenNames", "nationality", ("dateOfBirth", "sex"), "placeOfBirth",
                 ("dateOfIssue", "authority"), "dateOfExpiry"]
        order.insert(rng.choice((0, len(order))), "documentNumber")
        if rng.random() < 0.5:
            order[-2:] = [tuple(order[-2:])] if all(isinstance(o, str) for o in order[-2:]) else order[-2:]
        language = rng.randrange(2)
        style = rng.randrange(5)
        marks = rng.random() < 0.3

        def printed(name):
            value = fields.get(name)
            if name == "dateOfIssue":
                year, month, day = fields["dateOfExpiry"]
                value = (year - 10, month, day)
            if isinstance(value, tuple):
                year, month, day = value
                return (f"{day:02}.{month:02}.{year}", f"{day:02} {'/'.join(MONTHS[month - 1])} {year % 100:02}",
                        f"{day:02} {MONTHS[month - 1][0]} {year}", f"{day:02} {month:02} {year}", f"{year}-{month:02}-{day:02}")[style]
            if value is None:
                return pages.word(rng, 4, 9) + (" " + pages.word(rng, 3, 7) if rng.random() < 0.3 else "")
            if digraphs and "ame" in name:
                return re.sub("|".join(DIGRAPHS), lambda found: rng.choice(DIGRAPHS[found[0]]), value)
            if marks and "ame" in name:
                return "".join(rng.choice(NATIONAL[c]) if c in NATIONAL and rng.random() < 0.3 else c for c in value)
            return value

        small, large = pages.font(rng, 1, FACES).path, pages.font(rng, 1, FACES).path
        step = (bottom - top) / len(order)
        size = min(3.2 * mm, step * 0.42)
        captions = pages.open_font(small, max(9, int(size * rng.uniform(0.6, 0.75))))
        texts = pages.open_font(large, max(12, int(size)))
        for row, names in enumerate(order):
            names = names if isinstance(names, tuple) else (names,)
            for column, name in enumerate(names):
                x, y = left + column * (right - left) * 0.55, top + row * step
                options = CAPTIONS[name]
                caption = options[language] if language < len(options) else options[0]
                draw.text((x, y), "/".join(caption) if rng.random() < 0.5 else " / ".join(caption), fill=int(dark * 1.5), font=captions)
                draw.text((x, y + captions.size * 1.15), printed(name), fill=int(dark), font=texts)
    return write


def portrait(path):
    """The head in a photo of a person: in the centre of the upper part. A passport shows little else."""
    photo = Image.open(path).convert("RGB")
    return photo.crop(tuple(int(v) for v in (0.2 * photo.width, 0, 0.8 * photo.width, 0.6 * photo.height)))


def page(rng, portrait, is_altered, digraphs=False):
    """A photo of a page of about 2 megapixels, the format and lines of its zone, and the altered field or None. With
    `digraphs`, names have many letters that are two in the zone."""
    while True:
        form = any_form(rng)
        lines = zone(rng, form)
        if digraphs:
            lines = with_digraphs(rng, lines, form)
        fields = values(lines, form)
        # The century of a birth is inferred from the expiry.
        if fields["givenNames"] and fields["surname"] and len(fields["documentNumber"]) >= 5 \
                and fields["dateOfBirth"] < fields["dateOfExpiry"]:
            break
    # The zone of a visa may have the number of the passport.
    names = [n for n in fields if not (n == "sex" and fields[n] == "X" or n == "documentNumber" and form.startswith("MRV"))]
    altered_name = rng.choice(names) if is_altered else None
    shown = altered(rng, fields, altered_name) if is_altered else fields
    mm = rng.uniform(9, 12) if form == "TD3" else rng.uniform(11, 15)
    image, _, _ = pages.card(rng, lines, form, mm, portrait, plain=True, write=writer(shown, digraphs))
    size = (int(image.width * 1.15), int(image.height * 1.15))
    corners = pages.corners_of(rng, *image.size, rng.uniform(-0.05, 0.05), size, 0.01, 0.95)
    scene, _ = pages.photograph(image, [], corners, size, pages.filled(rng, size, [], "RGB"), rng)
    return pages.degrade(scene, rng, rng.uniform(0, 0.4)), form, lines, altered_name
