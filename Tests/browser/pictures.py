#!/usr/bin/env python3
"""Screenshots of every screen, in both themes, narrow and wide, for inspection.

    Tests/browser/pictures.py FOLDER [--url URL] [--only NAME,NAME] [--languages en,ar] [--video FILE] [--widths 320,1280]

Views are scripted (views.py); the server provides only the page. Without --url, faceverify serve is started.
"""

import argparse
import pathlib
import time

import views
from driver import Browser, Server

HEIGHTS = {320: 640, 390: 760, 844: 390, 1280: 800}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--url")
    parser.add_argument("--only", default="")
    parser.add_argument("--languages", default="en")
    parser.add_argument("--widths", default="320,1280")
    parser.add_argument("--themes", default="light,dark")
    parser.add_argument("--video", default="")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    server = None if options.url else Server("--demo", key=False)
    url = options.url or server.url
    names = [name for name in views.SCREENS if not options.only or name in options.only.split(",")]
    with Browser(video=options.video) as browser:
        for language in options.languages.split(","):
            for name in names:
                browser.size(1280, 800)
                try:
                    views.put_up(browser, url, name, language)
                except (AssertionError, RuntimeError) as error:
                    print(f"{name}: {error}")
                time.sleep(0.9)  # animations have ended
                for width in map(int, options.widths.split(",")):
                    browser.size(width, HEIGHTS.get(width, 800))
                    for theme in options.themes.split(","):
                        browser.media(prefers_color_scheme=theme)
                        time.sleep(0.3)
                        file = options.folder / f"{name}-{theme}-{width}-{language}.png"
                        file.write_bytes(browser.picture(whole=True))
    if server:
        server.__exit__()


if __name__ == "__main__":
    main()
