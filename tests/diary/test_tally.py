"""The tally counts, and two tallies merged say what one would have said."""

import json

from txtr.diary.tally import Tally


def test_counts_and_seconds_add_up():
    tally = Tally()
    tally.add("documents")
    tally.add("documents", 2)
    tally.spend("cleaning", 0.5)
    tally.spend("cleaning", 1.0)
    assert tally.as_dict() == {"counts": {"documents": 3}, "seconds": {"cleaning": 1.5}}


def test_merged_tallies_say_what_one_would_have_said():
    ours, theirs = Tally({"a": 1}, {"x": 0.5}), Tally({"a": 2, "b": 3}, {"x": 1.0})
    ours.merge(theirs)
    assert ours.as_dict() == {"counts": {"a": 3, "b": 3}, "seconds": {"x": 1.5}}


def test_a_tally_survives_a_file():
    tally = Tally({"a": 1}, {"x": 0.5})
    assert Tally(**json.loads(json.dumps(tally.as_dict()))).as_dict() == tally.as_dict()
