"""Texts to be judged, as the miniature web has them."""

from txtr.demo.texts import LANGUAGES, write


def paragraphs(language="cs", key="1"):
    """The paragraphs of one small page."""
    theme = next(theme for theme in LANGUAGES[language].themes if theme not in ("titulek", "vse"))
    return write(language, theme, key).paragraphs


def prose(language="cs", key="1"):
    """The same as a cleaned text, a line each."""
    return "\n".join(paragraphs(language, key))
