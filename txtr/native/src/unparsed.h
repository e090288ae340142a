/* Unparsed elements: they are read as a whole, since their content is no markup, or nobody looks at it. */

#ifndef UNPARSED_H
#define UNPARSED_H

#include "opened.h"

#define DEEPEST_SHAPE 24 /* elements of a drawing */

static const char *past_newline(const char *p, const char *end) {
    if (p < end && *p == '\r')
        return p + 1 + (end - p > 1 && p[1] == '\n');
    return p + (p < end && *p == '\n');
}

/* The first newline of a preformatted text means nothing; so a text that begins with one gets another before it. */
static void put_first_newline(Page *page, const char *p, const char *end) {
    if (p < end && (*p == '\n' || *p == '\r'))
        put(&page->to->markup, "\n", 1);
}

/* Does a reference begin here that may stand for white space? */
static int may_be_space(const char *p, const char *end) { return end - p > 2 && *p == '&' && strchr("#NT", p[1]); }

static int has_word(const char *p, const char *end, const char *word) {
    for (; (p = memchr(p, '<', (size_t)(end - p))); p++)
        if (begins_with(p, end, word))
            return 1;
    return 0;
}

/* Move from behind the start tag to behind the end tag; text is what was between them. */
static void past_raw(Page *page, const char *name, const char **text, const char **text_end) {
    Token last;
    *text = page->p;
    *text_end = strcmp(name, "script") ? end_of_raw(page->p, page->end, name) : end_of_script(page->p, page->end);
    page->p = *text_end ? read_tag(*text_end, page->end, &last) : NULL;
    if (!page->p) {
        page->is_left = 1;
        page->p = page->end;
    }
}

/* Does tree.py change this text? */
static int is_changed(const Page *page, const char *text, const char *end) {
    return text < page->changed && has_word(text, end, "<noscript");
}

static void raw_element(Page *page, const Tag *tag, const Token *token) {
    const char *text, *text_end;
    past_raw(page, tag->name, &text, &text_end);
    if (page->is_left)
        return;
    if (tag->kind == SCRIPT && mentions(token, "type", "ld+json")) {
        page->is_left |= is_changed(page, text, text_end);
        note(page, token, text, text_end);
    }
    push(page, tag, token->name, token->length, token);
    pop(page);
}

/* Titles and textareas: references mean something in them. */
static void words_element(Page *page, const Tag *tag, const Token *token) {
    const char *text, *text_end;
    past_raw(page, tag->name, &text, &text_end);
    if (page->is_left)
        return;
    if (tag->kind == TITLE)
        note(page, token, text, text_end);
    else {
        page->is_left |= may_be_space(text, text_end);
        text = past_newline(text, text_end);
    }
    page->is_left |= is_changed(page, text, text_end);
    push(page, tag, token->name, token->length, token);
    if (tag->kind == TEXTAREA)
        put_first_newline(page, text, text_end);
    put_text(&references, &page->to->markup, text, text_end, AS_TEXT, 0);
    pop(page);
}

/* The next tag of a drawing, comments aside; NULL: there is none. */
static const char *next_shape(Page *page, Token *inner) {
    for (;;) {
        const char *next = memchr(page->p, '<', (size_t)(page->end - page->p)), *past = NULL;
        if (!next || page->end - next < 4)
            return NULL;
        if (memcmp(next, "<!--", 4))
            return next[1] == '/' || is_letter(next[1]) ? read_tag(next, page->end, inner) : NULL;
        if (!end_of_comment(next + 4, page->end, &past))
            return NULL;
        page->p = past;
    }
}

/* May it be in a drawing? Many elements end one. */
static int is_shape(const Tag *tag) {
    return tag == &unknown || tag->kind == DRAWING || tag->kind == SHAPE || tag->kind == STYLE || tag->kind == WORDS
        || tag->kind == TITLE;
}

/* Write a drawing, empty. The page is left if the drawing is not well formed, or holds a link, or markup in words. */
static void drawing(Page *page, const Token *token) {
    Token shapes[DEEPEST_SHAPE + 1]; /* the last is the next one */
    int depth = !token->is_closed, is_in_words = 0;
    push_unwritten(page, "svg");
    strcpy(shapes[0].name, "svg");
    while (depth && !page->is_left) {
        Token *next = &shapes[depth];
        const char *past = next_shape(page, next);
        const Tag *tag = past ? tag_of(next->name, next->length) : &unknown;
        int is_end = past && next->is_end && !strcmp(next->name, shapes[depth - 1].name);
        if (!past || !is_shape(tag) || is_in_words > is_end || next->is_end > is_end || depth == DEEPEST_SHAPE) {
            page->is_left = 1;
            break;
        }
        page->p = past;
        is_in_words = (tag->kind == WORDS || tag->kind == TITLE) && !is_end && !next->is_closed;
        depth += is_end ? -1 : !next->is_closed;
    }
    pop(page);
}

#endif
