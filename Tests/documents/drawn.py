"""Draws a portrait that Tests/ScriptedModels detects without a network."""
import random

from PIL import Image, ImageDraw

CELL = 4


def drawn(person=1, width=413, height=531):
    """The picture specified by ScriptedPicture.swift: cells that encode the face, and the face below them."""
    x, y, eyes = 206, 200, 90
    # As in ScriptedFace.bytes: pose, openness of eyes and mouth, smile, texture and score follow the position.
    numbers = [person, x * 16, y * 16, eyes * 16, 0, 0, 0, 2500, 2500, 100, 0, 9000, 9500]
    content = bytes([0x5C, 1]) + b''.join(number.to_bytes(2, 'big') for number in numbers)
    a = b = 0
    for byte in content:
        a = (a + byte) % 255
        b = (b + a) % 255
    content += bytes([b, a])

    image = Image.new('RGB', (width, height), (120, 140, 160))
    draw = ImageDraw.Draw(image)
    draw.ellipse([x - 1.05 * eyes, y - 0.6 * eyes, x + 1.05 * eyes, y + 1.9 * eyes], (190, 145, 120))
    pixels, rng = image.load(), random.Random(9303)
    for row in range(height):
        for column in range(width):
            light = rng.uniform(0.8, 1.2)
            pixels[column, row] = tuple(round(level * light) for level in pixels[column, row])
    levels = (48, 128, 208)
    draw.rectangle([x - 0.35 * eyes, y - 0.8 * eyes, x + 0.35 * eyes, y - 0.35 * eyes],
                   (levels[person // 9 % 3], levels[person // 3 % 3], levels[person % 3]))
    columns = width // CELL
    for bit in range(8 * len(content)):
        left, top = bit % columns * CELL, bit // columns * CELL
        level = 255 * (content[bit // 8] >> (7 - bit % 8) & 1)
        draw.rectangle([left, top, left + CELL - 1, top + CELL - 1], (level, level, level))
    return image
