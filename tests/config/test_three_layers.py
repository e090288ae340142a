"""Defaults, config.txt, command line: the later wins."""

import pytest

from txtr.config.layers import load, load_with_words, parse
from txtr.config.options import Options
from txtr.errors import UserMistake


def missing(path):
    raise FileNotFoundError(path)


def test_the_command_line_wins_over_config_txt_and_that_over_the_defaults():
    """Spec 8: three layers, the later wins."""
    chosen = parse(["--depth=3"], "depth: 7\nmax-hosts: 5\n")
    assert (chosen.depth, chosen.max_hosts, chosen.max_reqs) == (3, 5, 20)


def test_another_config_file_can_be_named_and_then_must_exist():
    assert load(["--config=fast.txt"], {"fast.txt": "depth: 9"}.__getitem__).depth == 9
    with pytest.raises(UserMistake, match=r"--config=fast.txt: no such file"):
        load(["--config=fast.txt"], missing)


def test_without_config_txt_the_defaults_hold():
    assert load([], missing) == Options()


def test_an_empty_config_option_means_no_config_file():
    assert load(["--config="], lambda path: pytest.fail("read a file")) == Options(config="")


def test_a_config_file_that_is_not_text_is_named():
    with pytest.raises(UserMistake, match=r"^config.txt line 2: not UTF-8"):
        load([], lambda path: b"depth: 1\n\xff".decode())


@pytest.mark.parametrize("named, culprit", [([], "config.txt"), (["--config=mine"], "--config=mine")])
def test_a_config_file_that_cannot_be_read_is_named_as_it_was_given(named, culprit):
    def directory(path):
        raise IsADirectoryError(21, "Is a directory", path)

    with pytest.raises(UserMistake) as mistake:
        load(named, directory)
    assert str(mistake.value) == f"{culprit}: Is a directory"


def test_words_beside_the_options_are_handed_over():
    assert load_with_words(["--follow", "12", "--depth=1"], missing, most_words=1) == (
        Options(follow=True, depth=1),
        ["12"],
    )
