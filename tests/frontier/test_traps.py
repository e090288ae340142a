"""Paths that grow for ever are recognised, and nothing else is."""

import pytest

from txtr.frontier.traps import is_trap


@pytest.mark.parametrize(
    "path",
    [
        "/news/news/news/news/news/news",
        "s/a/cs/clanky/cs/clanky/cs/clanky/x.html",
        ":8080/a/b/c/a/b/c/a/b/c/?page=2",
        "/x/y/img/img/img/img/img.php?x=/",
        "/2024/akce/2024/akce/2024/akce/",
        "/" + "/".join(map(str, range(60))),
    ],
)
def test_a_path_that_grows_is_a_trap(path: str) -> None:
    """Field notes, traps: recursive paths take over everything."""
    assert is_trap(path)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/news/news/news/",
        "s/a/b/c/d/e/f/g/h",
        "/archiv/2011/11/11/11/11/clanek.html",
        "/a/b/a/c/a/d/a/e/a/f",
        "/a/a/b/b/c/c/d/d/",
        "/x?path=/a/a/a/a/a/a/a/a",
        "/cs/clanky/cs/clanky/2024/1/2",
    ],
)
def test_what_only_looks_like_one_is_not(path: str) -> None:
    """A wrong guess costs a document."""
    assert not is_trap(path)
