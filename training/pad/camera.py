"""Simulates the effects of cameras, phones and codecs on a picture of a face, bona fide or not.

Bona fide faces and attacks pass the same simulation with the same probabilities, so that a network cannot distinguish
them by resolution, blur, noise, colour or compression alone. Pictures are HxWx3 uint8 RGB arrays.
"""
import io

import av
import cv2
import numpy as np

EYES = 39.2  # distance between the eyes in the network's near view, in pixels: the unit of blur


def blurred(picture, sigma):
    return cv2.GaussianBlur(picture, (0, 0), sigma) if sigma > 0.15 else picture


def motion_blurred(picture, length, angle):
    size = int(length) | 1
    if size < 3:
        return picture
    kernel = np.zeros((size, size), np.float32)
    kernel[size // 2] = 1
    turn = cv2.getRotationMatrix2D((size // 2, size // 2), angle, 1)
    kernel = cv2.warpAffine(kernel, turn, (size, size))
    return cv2.filter2D(picture, -1, kernel / kernel.sum())


def colours(picture, random):
    """Exposure, contrast curve, white balance and saturation."""
    x = picture.astype(np.float32) / 255
    if random.random() < 0.6:
        x = x ** random.uniform(0.6, 1.6)
    if random.random() < 0.5:
        x = (x - 0.5) * random.uniform(0.7, 1.3) + 0.5 + random.uniform(-0.12, 0.12)
    if random.random() < 0.5:
        x = x * random.uniform(0.85, 1.15, 3).astype(np.float32)
    choice = random.random()
    if choice < 0.1:
        x = np.repeat((x @ np.float32([0.299, 0.587, 0.114]))[..., None], 3, 2)
    elif choice < 0.5:
        grey = (x @ np.float32([0.299, 0.587, 0.114]))[..., None]
        x = grey + (x - grey) * random.uniform(0.3, 1.5)
    if random.random() < 0.08:  # a lamp from one side
        height, width = x.shape[:2]
        angle = random.uniform(0, 2 * np.pi)
        u, v = np.linspace(-1, 1, width), np.linspace(-1, 1, height)
        x = x * (1 + random.uniform(0.1, 0.5) * (np.cos(angle) * u[None] + np.sin(angle) * v[:, None]))[..., None]
    return (np.clip(x, 0, 1) * 255 + 0.5).astype(np.uint8)


def noisy(picture, random):
    height, width = picture.shape[:2]
    noise = random.standard_normal((height, width, 1)) * random.uniform(0, 7)
    noise = noise + random.standard_normal((height, width, 3)) * random.uniform(0, 5)
    if random.random() < 0.5:  # a sensor's mosaic correlates neighbours
        noise = cv2.GaussianBlur(noise.astype(np.float32), (0, 0), random.uniform(0.5, 1.0)) * 1.7
    picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    if random.random() < 0.4:  # denoising by phones
        if random.random() < 0.5:
            return cv2.bilateralFilter(picture, 5, random.uniform(10, 40), random.uniform(1, 3))
        return cv2.medianBlur(picture, 3)
    return picture


def sharpened(picture, random):
    amount = random.uniform(0.3, 1.5)
    soft = cv2.GaussianBlur(picture, (0, 0), random.uniform(0.6, 1.6))
    return cv2.addWeighted(picture, 1 + amount, soft, -amount, 0)


def jpeg(picture, quality, fine=False):
    sampling = cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444 if fine else cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420
    data = cv2.imencode(
        ".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, int(quality), cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling])[1]
    return cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1]


def video(picture, random):
    """A frame of an H.264 or MPEG-4 clip: the first, or one predicted from a shifted one."""
    height, width = (n - n % 2 for n in picture.shape[:2])
    picture = np.ascontiguousarray(picture[:height, :width])
    codec = "libx264" if random.random() < 0.8 else "mpeg4"
    frames = int(random.integers(1, 4))
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as out:
        options = {"crf": str(random.integers(18, 37)), "preset": "ultrafast" if random.random() < 0.5 else "veryfast"}
        stream = out.add_stream(codec, rate=25, options=options if codec == "libx264" else {})
        stream.width, stream.height, stream.pix_fmt, stream.thread_count = width, height, "yuv420p", 1
        if codec == "mpeg4":
            stream.codec_context.qmin, stream.codec_context.qmax = 2, int(random.integers(4, 16))
            stream.bit_rate = int(width * height * random.uniform(0.5, 4))
        for i in range(frames):
            shift = np.roll(picture, (frames - 1 - i, i + 1 - frames), (0, 1))
            for packet in stream.encode(av.VideoFrame.from_ndarray(np.ascontiguousarray(shift), format="rgb24")):
                out.mux(packet)
        for packet in stream.encode():
            out.mux(packet)
    file.seek(0)
    with av.open(file) as back:
        back.streams.video[0].thread_count = 1
        last = picture
        for frame in back.decode(video=0):
            last = frame.to_ndarray(format="rgb24")
    return last


def camera(picture, eyes, random):
    """The picture as captured by a random camera; `eyes` is the distance between the eyes in pixels."""
    if random.random() < 0.5:
        picture = blurred(picture, random.uniform(0.2, 1.4) * eyes / EYES)
    if random.random() < 0.12:
        picture = motion_blurred(picture, random.uniform(2, 6) * eyes / EYES, random.uniform(0, 180))
    if random.random() < 0.08:  # beauty filter
        picture = cv2.bilateralFilter(picture, 7, random.uniform(20, 50), random.uniform(2, 4))
    target = float(np.exp(random.uniform(np.log(20), np.log(90))))
    scale = min(target / eyes, 1.6)
    if abs(scale - 1) > 0.05:
        how = cv2.INTER_AREA if scale < 1 else (cv2.INTER_CUBIC if random.random() < 0.5 else cv2.INTER_LINEAR)
        if scale < 1 and random.random() < 0.3:
            how = cv2.INTER_LINEAR  # cheap cameras skip lines
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=how)
    picture = colours(picture, random)
    if random.random() < 0.5:
        picture = noisy(picture, random)
    if random.random() < 0.4:
        picture = sharpened(picture, random)
    choice = random.random()
    if choice < 0.5:
        picture = jpeg(picture, random.uniform(35, 96), random.random() < 0.3)
    elif choice < 0.85:
        picture = video(picture, random)
    if random.random() < 0.15:  # forwarded, or saved again
        picture = cv2.resize(picture, None, fx=(s := random.uniform(0.7, 1.0)), fy=s, interpolation=cv2.INTER_AREA)
        picture = jpeg(picture, random.uniform(60, 95))
    return np.ascontiguousarray(picture)
