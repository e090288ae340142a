"""The documents: what has been dealt with for good."""

from txtr.frontier.documents import Documents, Entry


def test_a_document_is_known_once_and_for_all() -> None:
    """Spec 5: a link is checked against the downloaded documents."""
    documents = Documents()
    documents.add("a.cz", "/x", Entry("kept", depth=2, title="X"))
    documents.add("a.cz", "/x", Entry("kept", depth=2, title="X, again"))
    assert documents.knows("a.cz", "/x")
    assert not documents.knows("a.cz", "s/x")
    assert not documents.knows("b.cz", "/x")
    assert len(documents) == 1


def test_rules_that_changed_let_the_disallowed_be_found_again() -> None:
    """RFC 9309 2.4: rules are refreshed, and only those of the door that changed."""
    documents = Documents()
    for path, fate in (("/a", "disallowed"), ("s/a", "disallowed"), ("/b", "kept")):
        documents.add("a.cz", path, Entry(fate, depth=0))
    documents.forget_disallowed("a.cz", "")
    documents.forget_disallowed("never-seen.cz", "")
    assert not documents.knows("a.cz", "/a")
    assert documents.knows("a.cz", "s/a")
    assert documents.knows("a.cz", "/b")
    assert len(documents) == 2


def test_what_an_earlier_run_knew_counts() -> None:
    """Spec 6: the server saves its structures."""
    documents = Documents()
    documents.restore({"a.cz": {"/x": Entry("kept", 0), "/y": Entry("failed", 1)}})
    assert len(documents) == 2
    assert documents.knows("a.cz", "/y")
