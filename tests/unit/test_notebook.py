"""In a notebook, nouns show the pictures of the page. The pictures run, load and style nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser

import corewise
import numpy as np
import pytest
from corewise.model import make_machine, read_topology_synthetic
from corewise.page import tune_page
from msgspec import structs
from report_cases import tune_result
from steer_cases import steered_run

EVIL = "<script>alert(1)</script>\"'&"
NOUNS = ("machine", "traffic", "matrix", "input", "comparison", "tune")
VOID = {"br", "meta", "input", "img"}


def machine(name: str = EVIL):
    return make_machine(
        name, [read_topology_synthetic("pack:2 core:4 pu:1")], [0, 0], [("network", 0)], [], []
    )


def nouns():
    traffic = corewise.read(np.roll(np.eye(16), 8, axis=1) * 1e6).traffic
    best = corewise.map(traffic, machine(), effort="fast")
    times_s = {"default": [3.0, 3.1], "best": [2.0, 2.2], "worst": [4.0]}
    result = tune_result(2, 16, times_s)
    return {
        "machine": machine(),
        "traffic": traffic,
        "matrix": traffic.folded(),
        "input": corewise.read(traffic),
        "placement": best.placement,
        "mapping": best,
        "comparison": corewise.advise(traffic, machine(), effort="fast"),
        "tune": structs.replace(result, notes=[EVIL], settings=[EVIL], conditions={EVIL: EVIL}),
    }


class Tags(HTMLParser):
    """Checks that every tag is closed in order, and that only passive elements and attributes are used."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert tag not in {"script", "iframe", "object", "link", "form"}
        for name, value in attrs:
            assert not name.startswith("on") and name != "href", (tag, name)
            assert name != "src" or value.startswith("data:image/")
            assert "url(" not in (value or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", NOUNS)
def test_what_a_notebook_shows_is_whole_and_can_do_nothing(name):
    html = nouns()[name]._repr_html_()
    Tags(html)
    assert "http://" not in html.replace('xmlns="http://www.w3.org/2000/svg"', "") and "https://" not in html
    assert "<script" not in html


@pytest.mark.parametrize("name", ("comparison", "tune"))
def test_styles_hold_inside_the_noun_alone(name):
    (style,) = re.findall(r"<style>(.*?)</style>", nouns()[name]._repr_html_(), re.S)
    assert style.startswith(".corewise {") and style.count("{") == style.count("}")
    assert not re.search(r":root|(^|\n)\s*body\b", style)


def images(html: str) -> list[str]:
    return re.findall(r"<img [^>]*>", html)


def texts(figure) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_the_pictures_are_those_of_the_page():
    shown = nouns()
    for name in ("machine", "traffic", "matrix", "input"):
        assert len(images(shown[name]._repr_html_())) == 1
    page = tune_page(shown["tune"])
    pictures = images(shown["tune"]._repr_html_())
    assert len(pictures) == 2 and all(picture in page for picture in pictures)  # times and links


def test_a_placement_is_a_picture_if_its_machine_is_known_else_text():
    assert nouns()["placement"]._repr_html_() is None
    square = np.roll(np.eye(16), 8, axis=1)
    known = corewise.map(square, "draco:2")
    for one in (known, known.placement):
        assert len(images(one._repr_html_())) == 1
    ranks = [text for text in texts(known.plot()) if text.startswith("rank ")]
    assert sorted(ranks) == sorted(f"rank {rank}" for rank in range(16))
    other = structs.replace(known.placement, fingerprint="0" * 16)
    assert other._repr_html_() is None


def test_a_comparison_shows_its_advice_and_every_objective():
    found = nouns()["comparison"]
    html = found._repr_html_()
    assert "Placement matters" in html and found.because in html
    assert all(f">{name}" in html for name in ("hop-bytes", "congestion"))
    picture = texts(found.plot())
    assert "hop-bytes" in picture and picture.count("100.0 %") > 1


def test_every_picture_shows_itself_and_can_be_kept():
    shown = nouns()
    figure = shown["traffic"].plot(title="shift", ranks_per_node=8)
    assert figure.axes[0].get_title() == "shift"
    steered = steered_run(shown["tune"].runs[0])
    simulated = corewise.simulate(np.roll(np.eye(64), 8, axis=1), "draco:8")
    for noun in (shown["traffic"], shown["machine"], shown["tune"], steered, simulated):
        assert noun.plot()._repr_svg_().startswith("<svg ")
    assert [axes.get_ylabel() for axes in steered.plot().axes] == ["core", "rank"]


def test_a_placement_is_drawn_on_its_machine():
    best = nouns()["mapping"]
    assert texts(best.plot(machine())) == texts(best.placement.plot(machine=machine()))
    with pytest.raises(corewise.InputError, match="unknown machine"):
        best.plot()
    with pytest.raises(corewise.InputError, match="was made for machine"):
        best.plot("draco:3")
    square = np.roll(np.eye(64), 8, axis=1)
    drawn = texts(corewise.map(square, "draco:64", effort="fast").plot())
    assert sum(text.startswith("node ") for text in drawn) == 4


def test_the_first_name_taken_makes_nouns_show_themselves():
    program = "import corewise; print(len(corewise.machine('draco:2')._repr_html_()) > 1000)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
