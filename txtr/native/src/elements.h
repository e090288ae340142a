/* Elements: what each means to the building of a tree, as the HTML standard says. */

#ifndef ELEMENTS_H
#define ELEMENTS_H

#include "markup.h"

enum { /* what an element means to the building of a tree */
    IS_VOID = 1,
    IS_FORMAT = 2,  /* is opened again when another element has ended it */
    CLOSES_P = 4,
    IS_IMPLIED = 8, /* needs no end tag */
    IS_SPECIAL = 16,
    IS_SCOPE = 32,  /* a tag inside ends no element outside */
    IS_BLOCK = 64,
    IS_OF_HEAD = 128,
    IS_RAW = 256,   /* unread, and < means itself in it */
    IS_MARKER = 512, /* formatting does not leave it */
    IS_LEFT = 1024,
    IS_LEADING = 2048 /* may lead elsewhere */
};
enum Kind {
    ORDINARY, HTML, HEAD, BODY, P, LI, DD, HEADING, FORM, BUTTON, LINK, TABLE, SECTION, ROW, CELL, CAPTION, COLUMNS,
    COLUMN, SELECT, OPTION, GROUP, DRAWING, SHAPE, OUTSIDE, WORDS, TITLE, TEXTAREA, NOSCRIPT, PRE, BREAK, SCRIPT,
    META, POINTER, TIME, STYLE, LINE, TEMPLATE, LIST, FIELD, KINDS
};

#define BLOCK (CLOSES_P | IS_SPECIAL | IS_BLOCK)
#define VOID (IS_VOID | IS_SPECIAL)

typedef struct {
    const char *name;
    enum Kind kind;
    int flags;
} Tag;

static const Tag tags[] = {
    {"a", LINK, IS_FORMAT | IS_LEADING}, {"address", ORDINARY, BLOCK},
    {"applet", ORDINARY, IS_SPECIAL | IS_SCOPE | IS_MARKER}, {"area", ORDINARY, VOID | IS_LEADING},
    {"article", ORDINARY, BLOCK}, {"aside", ORDINARY, BLOCK}, {"b", ORDINARY, IS_FORMAT},
    {"base", ORDINARY, VOID | IS_OF_HEAD | IS_LEADING}, {"basefont", ORDINARY, VOID | IS_OF_HEAD},
    {"bgsound", ORDINARY, VOID | IS_OF_HEAD}, {"big", ORDINARY, IS_FORMAT}, {"blockquote", ORDINARY, BLOCK},
    {"body", BODY, IS_SPECIAL}, {"br", BREAK, VOID}, {"button", BUTTON, IS_SPECIAL | IS_BLOCK},
    {"caption", CAPTION, IS_SPECIAL | IS_SCOPE | IS_MARKER}, {"center", ORDINARY, BLOCK},
    {"code", ORDINARY, IS_FORMAT}, {"col", COLUMN, VOID}, {"colgroup", COLUMNS, IS_SPECIAL},
    {"command", ORDINARY, IS_LEFT}, {"dd", DD, CLOSES_P | IS_SPECIAL | IS_IMPLIED}, {"desc", WORDS, 0},
    {"details", ORDINARY, BLOCK}, {"dialog", ORDINARY, CLOSES_P | IS_BLOCK}, {"dir", ORDINARY, BLOCK},
    {"div", ORDINARY, BLOCK}, {"dl", ORDINARY, BLOCK}, {"dt", DD, CLOSES_P | IS_SPECIAL | IS_IMPLIED},
    {"em", ORDINARY, IS_FORMAT}, {"embed", ORDINARY, VOID}, {"fieldset", ORDINARY, BLOCK},
    {"figcaption", ORDINARY, BLOCK}, {"figure", ORDINARY, BLOCK}, {"font", ORDINARY, IS_FORMAT},
    {"footer", ORDINARY, BLOCK}, {"form", FORM, CLOSES_P | IS_SPECIAL}, {"frame", ORDINARY, IS_LEFT},
    {"frameset", ORDINARY, IS_LEFT}, {"h1", HEADING, CLOSES_P | IS_SPECIAL}, {"h2", HEADING, CLOSES_P | IS_SPECIAL},
    {"h3", HEADING, CLOSES_P | IS_SPECIAL}, {"h4", HEADING, CLOSES_P | IS_SPECIAL},
    {"h5", HEADING, CLOSES_P | IS_SPECIAL}, {"h6", HEADING, CLOSES_P | IS_SPECIAL}, {"head", HEAD, IS_SPECIAL},
    {"header", ORDINARY, BLOCK}, {"hgroup", ORDINARY, BLOCK}, {"hr", ORDINARY, VOID | CLOSES_P},
    {"html", HTML, IS_SPECIAL | IS_SCOPE}, {"i", ORDINARY, IS_FORMAT},
    {"iframe", ORDINARY, IS_SPECIAL | IS_RAW | IS_LEADING}, {"image", SHAPE, IS_LEFT}, {"img", ORDINARY, VOID},
    {"input", FIELD, VOID}, {"isindex", ORDINARY, IS_LEFT}, {"keygen", ORDINARY, VOID},
    {"li", LI, CLOSES_P | IS_SPECIAL | IS_IMPLIED}, {"link", POINTER, VOID | IS_OF_HEAD | IS_LEADING},
    {"listing", PRE, BLOCK}, {"main", ORDINARY, BLOCK}, {"marquee", ORDINARY, IS_SPECIAL | IS_SCOPE | IS_MARKER},
    {"math", ORDINARY, IS_LEFT}, {"menu", ORDINARY, BLOCK}, {"menuitem", ORDINARY, IS_LEFT},
    {"meta", META, VOID | IS_OF_HEAD | IS_LEADING}, {"nav", ORDINARY, BLOCK}, {"nobr", LINE, IS_FORMAT},
    {"noembed", ORDINARY, IS_SPECIAL | IS_RAW}, {"noframes", ORDINARY, IS_SPECIAL | IS_RAW | IS_OF_HEAD},
    {"noscript", NOSCRIPT, IS_SPECIAL}, {"object", ORDINARY, IS_SPECIAL | IS_SCOPE | IS_MARKER}, {"ol", LIST, BLOCK},
    {"optgroup", GROUP, IS_IMPLIED}, {"option", OPTION, IS_IMPLIED}, {"p", P, CLOSES_P | IS_SPECIAL | IS_IMPLIED},
    {"param", ORDINARY, VOID}, {"plaintext", ORDINARY, IS_LEFT}, {"pre", PRE, BLOCK}, {"rb", ORDINARY, IS_LEFT},
    {"foreignobject", OUTSIDE, 0}, {"ruby", OUTSIDE, 0}, {"span", OUTSIDE, 0}, {"sub", OUTSIDE, 0},
    {"sup", OUTSIDE, 0}, {"var", OUTSIDE, 0}, {"rp", ORDINARY, IS_LEFT}, {"rt", ORDINARY, IS_LEFT},
    {"rtc", ORDINARY, IS_LEFT}, {"s", ORDINARY, IS_FORMAT}, {"script", SCRIPT, IS_SPECIAL | IS_RAW | IS_OF_HEAD},
    {"search", ORDINARY, BLOCK}, {"section", ORDINARY, BLOCK}, {"select", SELECT, IS_SPECIAL},
    {"selectedcontent", ORDINARY, IS_LEFT}, {"small", ORDINARY, IS_FORMAT}, {"source", ORDINARY, VOID},
    {"strike", ORDINARY, IS_FORMAT}, {"strong", ORDINARY, IS_FORMAT},
    {"style", STYLE, IS_SPECIAL | IS_RAW | IS_OF_HEAD}, {"summary", ORDINARY, BLOCK}, {"svg", DRAWING, 0},
    {"table", TABLE, IS_SPECIAL | IS_SCOPE}, {"tbody", SECTION, IS_SPECIAL},
    {"td", CELL, IS_SPECIAL | IS_SCOPE | IS_MARKER}, {"template", TEMPLATE, IS_SPECIAL | IS_SCOPE | IS_MARKER},
    {"textarea", TEXTAREA, IS_SPECIAL}, {"tfoot", SECTION, IS_SPECIAL},
    {"th", CELL, IS_SPECIAL | IS_SCOPE | IS_MARKER}, {"thead", SECTION, IS_SPECIAL}, {"time", TIME, 0},
    {"title", TITLE, IS_SPECIAL | IS_OF_HEAD}, {"tr", ROW, IS_SPECIAL}, {"track", ORDINARY, VOID},
    {"tt", ORDINARY, IS_FORMAT}, {"u", ORDINARY, IS_FORMAT}, {"ul", LIST, BLOCK}, {"wbr", ORDINARY, VOID},
    {"xmp", ORDINARY, IS_LEFT}};
static const Tag unknown = {"", ORDINARY, 0};
static Names tag_names;

static void prepare_elements(void) {
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        add_name(&tag_names, tags[i].name, (int32_t)i);
}

static const Tag *tag_of(const char *name, int length) {
    for (unsigned slot = slot_of(name, (size_t)length); tag_names.slots[slot]; slot = (slot + 1) % SLOTS) {
        const Tag *tag = &tags[tag_names.slots[slot] - 1];
        if (is_known_as(name, (size_t)length, tag->name))
            return tag;
    }
    return &unknown;
}

static int is_part_of_table(const Tag *tag) { return tag->kind >= SECTION && tag->kind <= COLUMN; }
static int is_in_table(const Tag *tag) { return tag->kind == TABLE || tag->kind == SECTION || tag->kind == ROW; }

#endif
