"""A page in Chromium, driven by Selenium. A test fails on any error in the console and on any request."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chromium-browser"))), None)
DRIVER = shutil.which("chromedriver")

needs_browser = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="neither chromium nor google-chrome is installed with its driver",
)


class Browser:
    """One browser window. Pages are files: a request to any other place fails the test."""

    def __init__(self, folder: Path, width: int, height: int) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("headless=new", "no-sandbox", "disable-gpu", f"window-size={width},{height}"):
            options.add_argument(f"--{argument}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.folder = folder
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)}
        )
        self.emulate({"prefers-reduced-motion": "reduce"}, width, height)

    def emulate(self, media: dict[str, str], width: int, height: int) -> None:
        """Sets media features and the size of the window in CSS pixels."""
        features = [{"name": name, "value": value} for name, value in media.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def open(self, html: str) -> None:
        """Shows a page and waits until its script is ready."""
        path = self.folder / "page.html"
        path.write_text(html)
        self.driver.get(path.as_uri())
        self.until("document.documentElement.dataset.ready === 'true'")

    def until(self, condition: str) -> None:
        """Waits until a condition in the page holds. Fails after 20 s."""
        from selenium.webdriver.support.ui import WebDriverWait

        wait = WebDriverWait(self.driver, 20, poll_frequency=0.05)
        wait.until(lambda driver: driver.execute_script(f"return {condition}"), condition)

    def run(self, script: str, *arguments: object) -> object:
        """Runs a script and returns its result."""
        return self.driver.execute_script(script, *arguments)

    def texts(self, selector: str) -> list[str]:
        """The texts of the visible elements, with single spaces."""
        script = """return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility())
          .map((one) => one.innerText.replace(/\\s+/g, " ").trim())"""
        return self.run(script, selector)

    def click(self, selector: str, number: int = 0) -> None:
        """Clicks one of the elements, in the middle of the window."""
        script = """const one = document.querySelectorAll(arguments[0])[arguments[1]];
          one.scrollIntoView({block: 'center'}); one.click()"""
        self.run(script, selector, number)

    def type(self, selector: str, text: str) -> None:
        """Replaces the text of a field."""
        field = self.driver.find_element("css selector", selector)
        self.run("arguments[0].scrollIntoView({block: 'center'}); arguments[0].value = ''", field)
        field.send_keys(text)

    def keys(self, selector: str, *keys: str) -> None:
        """Gives an element the focus and presses keys."""
        element = self.driver.find_element("css selector", selector)
        self.run("arguments[0].scrollIntoView({block: 'center'}); arguments[0].focus()", element)
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def pointer(self, selector: str, x: float, y: float, kind: str = "mouseMoved", **more: object) -> None:
        """Moves the pointer to a place in an element, in CSS pixels from its upper left corner."""
        script = "const box = document.querySelector(arguments[0]); box.scrollIntoView({block: 'center'});"
        left, top = self.run(
            script + "const at = box.getBoundingClientRect(); return [at.left, at.top]", selector
        )
        event = {"type": kind, "x": left + x, "y": top + y, **more}
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def saved(self, name: str) -> bytes:
        """The content of a file that the page saved."""
        from selenium.webdriver.support.ui import WebDriverWait

        path = self.folder / name
        WebDriverWait(self.driver, 20).until(lambda _: path.exists() and path.stat().st_size > 0, name)
        return path.read_bytes()

    def check(self) -> None:
        """Fails if the console has an error, or if the page requested anything except files."""
        said = [entry for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        assert said == [], said
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        asked = [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]
        assert asked and all(url.startswith(("file:", "data:", "blob:")) for url in asked), asked


@contextmanager
def opened_browser(folder: Path, width: int = 1440, height: int = 900) -> Iterator[Browser]:
    """A browser for a `with` block; check() runs at its end."""
    browser = Browser(folder, width, height)
    try:
        yield browser
        browser.check()
    finally:
        browser.driver.quit()
