"""The schema of the laboratory's document is the one that is kept."""

from __future__ import annotations

import json

import pytest
from corewise_laboratory.studies.result import StudyResult
from schemas import schema_name, schema_of
from sources import ROOT

SCHEMAS = ROOT / "formats" / "schemas"


@pytest.mark.parametrize("noun", [StudyResult], ids=schema_name)
def test_the_schema_of_the_document_is_the_one_that_is_kept(noun):
    path = SCHEMAS / schema_name(noun)
    name = f"{noun.__module__}:{noun.__name__}"
    assert path.exists(), f"write it with  .venv/bin/python scripts/schemas.py formats/schemas {name}"
    assert schema_of(noun) == json.loads(path.read_text()), "write it again"
