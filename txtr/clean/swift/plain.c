/* Plain pages: a page's markup as the parser would write its tree out, without a tree.

   Most pages need little of what the HTML standard asks of a parser: elements that are left open, or were never opened, and
   parts of tables that nobody wrote. Where more is needed (formatting that is opened again, what moves out of a table,
   templates, formulas), the page is left, and the parser reads it. Scripts, styles and drawings are empty: nobody reads them.

   Notes are what elements say about the page, as plain.py reads them: its name, its text, the
   names and values of its attributes, each with a NUL behind it; after the last attribute another NUL. */

#include "tokens.h"

#define LONGEST 2000000 /* bytes of a page; what is written of a longer one takes too much memory */
#define GROWTH 6        /* bytes that one of the page may become, as " becomes &quot; */
#define SPARE 4096      /* bytes for what nobody wrote: html, head, body */
#define MOST_MOVES 100  /* of what is written to an earlier place, which takes as long as all behind it */
#define DEEPEST_SHAPE 24 /* elements of a drawing */
#define DEEPEST 400     /* open elements; the parser has no limit */

enum { /* what an element is to whoever builds a tree */
    IS_VOID = 1,
    IS_FORMAT = 2,  /* is opened again when something else has ended it */
    CLOSES_P = 4,
    IS_IMPLIED = 8, /* needs no end tag */
    IS_SPECIAL = 16,
    IS_SCOPE = 32,  /* nothing outside is ended from inside */
    IS_BLOCK = 64,
    IS_OF_HEAD = 128,
    IS_RAW = 256,   /* < means itself in it, and nobody reads it */
    IS_MARKER = 512, /* formatting does not leave it */
    IS_LEFT = 1024
};
enum Kind {
    ORDINARY, HTML, HEAD, BODY, P, LI, DD, HEADING, FORM, BUTTON, LINK, TABLE, SECTION, ROW, CELL, CAPTION, COLUMNS, COLUMN,
    SELECT, OPTION, GROUP, DRAWING, SHAPE, OUTSIDE, WORDS, TITLE, TEXTAREA, NOSCRIPT, PRE, BREAK, SCRIPT, META, POINTER, TIME, STYLE
};
enum Mode { BEFORE_HTML, BEFORE_HEAD, IN_HEAD, AFTER_HEAD, IN_BODY, AFTER_BODY, AFTER_HTML };
enum { UNKNOWN, STANDARD, QUIRKS }; /* how browsers of old read a page */

#define BLOCK (CLOSES_P | IS_SPECIAL | IS_BLOCK)
#define VOID (IS_VOID | IS_SPECIAL)

typedef struct {
    const char *name;
    enum Kind kind;
    int flags;
} Tag;

static const Tag tags[] = {
    {"a", LINK, IS_FORMAT}, {"address", ORDINARY, BLOCK}, {"applet", ORDINARY, IS_SPECIAL | IS_SCOPE | IS_MARKER},
    {"area", ORDINARY, VOID}, {"article", ORDINARY, BLOCK}, {"aside", ORDINARY, BLOCK}, {"b", ORDINARY, IS_FORMAT},
    {"base", ORDINARY, VOID | IS_OF_HEAD}, {"basefont", ORDINARY, VOID | IS_OF_HEAD}, {"bgsound", ORDINARY, VOID | IS_OF_HEAD},
    {"big", ORDINARY, IS_FORMAT}, {"blockquote", ORDINARY, BLOCK}, {"body", BODY, IS_SPECIAL}, {"br", BREAK, VOID},
    {"button", BUTTON, IS_SPECIAL | IS_BLOCK}, {"caption", CAPTION, IS_SPECIAL | IS_SCOPE | IS_MARKER},
    {"center", ORDINARY, BLOCK}, {"code", ORDINARY, IS_FORMAT},
    {"col", COLUMN, VOID}, {"colgroup", COLUMNS, IS_SPECIAL}, {"dd", DD, CLOSES_P | IS_SPECIAL | IS_IMPLIED},
    {"desc", WORDS, 0}, {"details", ORDINARY, BLOCK}, {"dialog", ORDINARY, CLOSES_P | IS_BLOCK},
    {"dir", ORDINARY, BLOCK}, {"div", ORDINARY, BLOCK}, {"dl", ORDINARY, BLOCK},
    {"dt", DD, CLOSES_P | IS_SPECIAL | IS_IMPLIED}, {"em", ORDINARY, IS_FORMAT},
    {"embed", ORDINARY, VOID}, {"fieldset", ORDINARY, BLOCK}, {"figcaption", ORDINARY, BLOCK}, {"figure", ORDINARY, BLOCK},
    {"font", ORDINARY, IS_FORMAT}, {"footer", ORDINARY, BLOCK},
    {"form", FORM, CLOSES_P | IS_SPECIAL}, {"frame", ORDINARY, IS_LEFT}, {"frameset", ORDINARY, IS_LEFT},
    {"h1", HEADING, CLOSES_P | IS_SPECIAL}, {"h2", HEADING, CLOSES_P | IS_SPECIAL}, {"h3", HEADING, CLOSES_P | IS_SPECIAL},
    {"h4", HEADING, CLOSES_P | IS_SPECIAL}, {"h5", HEADING, CLOSES_P | IS_SPECIAL}, {"h6", HEADING, CLOSES_P | IS_SPECIAL},
    {"head", HEAD, IS_SPECIAL}, {"header", ORDINARY, BLOCK}, {"hgroup", ORDINARY, BLOCK},
    {"hr", ORDINARY, VOID | CLOSES_P}, {"html", HTML, IS_SPECIAL | IS_SCOPE}, {"i", ORDINARY, IS_FORMAT},
    {"iframe", ORDINARY, IS_SPECIAL | IS_RAW}, {"image", SHAPE, IS_LEFT}, {"img", ORDINARY, VOID}, {"input", ORDINARY, VOID},
    {"keygen", ORDINARY, VOID}, {"li", LI, CLOSES_P | IS_SPECIAL | IS_IMPLIED},
    {"link", POINTER, VOID | IS_OF_HEAD}, {"listing", PRE, BLOCK}, {"main", ORDINARY, BLOCK},
    {"marquee", ORDINARY, IS_SPECIAL | IS_SCOPE | IS_MARKER}, {"math", ORDINARY, IS_LEFT},
    {"menu", ORDINARY, BLOCK}, {"menuitem", ORDINARY, IS_LEFT}, {"meta", META, VOID | IS_OF_HEAD},
    {"nav", ORDINARY, BLOCK}, {"nobr", ORDINARY, IS_FORMAT | IS_LEFT}, {"noembed", ORDINARY, IS_SPECIAL | IS_RAW},
    {"noframes", ORDINARY, IS_SPECIAL | IS_RAW | IS_OF_HEAD}, {"noscript", NOSCRIPT, IS_SPECIAL},
    {"object", ORDINARY, IS_SPECIAL | IS_SCOPE | IS_MARKER}, {"ol", ORDINARY, BLOCK}, {"optgroup", GROUP, IS_IMPLIED},
    {"option", OPTION, IS_IMPLIED}, {"p", P, CLOSES_P | IS_SPECIAL | IS_IMPLIED}, {"param", ORDINARY, VOID},
    {"plaintext", ORDINARY, IS_LEFT},
    {"pre", PRE, BLOCK}, {"rb", ORDINARY, IS_LEFT}, {"foreignobject", OUTSIDE, 0}, {"ruby", OUTSIDE, 0}, {"span", OUTSIDE, 0}, {"sub", OUTSIDE, 0},
    {"sup", OUTSIDE, 0}, {"var", OUTSIDE, 0},
    {"rp", ORDINARY, IS_LEFT}, {"rt", ORDINARY, IS_LEFT}, {"rtc", ORDINARY, IS_LEFT},
    {"s", ORDINARY, IS_FORMAT}, {"script", SCRIPT, IS_SPECIAL | IS_RAW | IS_OF_HEAD}, {"search", ORDINARY, BLOCK},
    {"section", ORDINARY, BLOCK}, {"select", SELECT, IS_SPECIAL}, {"selectedcontent", ORDINARY, IS_LEFT},
    {"small", ORDINARY, IS_FORMAT}, {"source", ORDINARY, VOID}, {"strike", ORDINARY, IS_FORMAT},
    {"strong", ORDINARY, IS_FORMAT}, {"style", STYLE, IS_SPECIAL | IS_RAW | IS_OF_HEAD}, {"summary", ORDINARY, BLOCK},
    {"svg", DRAWING, 0}, {"table", TABLE, IS_SPECIAL | IS_SCOPE}, {"tbody", SECTION, IS_SPECIAL},
    {"td", CELL, IS_SPECIAL | IS_SCOPE | IS_MARKER}, {"template", ORDINARY, IS_LEFT},
    {"textarea", TEXTAREA, IS_SPECIAL}, {"tfoot", SECTION, IS_SPECIAL}, {"th", CELL, IS_SPECIAL | IS_SCOPE | IS_MARKER},
    {"thead", SECTION, IS_SPECIAL}, {"time", TIME, 0}, {"title", TITLE, IS_SPECIAL | IS_OF_HEAD}, {"tr", ROW, IS_SPECIAL},
    {"track", ORDINARY, VOID}, {"tt", ORDINARY, IS_FORMAT}, {"u", ORDINARY, IS_FORMAT},
    {"ul", ORDINARY, BLOCK}, {"wbr", ORDINARY, VOID}, {"xmp", ORDINARY, IS_LEFT}};
static const Tag unknown = {"", ORDINARY, 0};
static Names tag_names;
static References references;

typedef struct {
    const Tag *tag;
    int32_t name, length; /* where its name is written */
} Open;

typedef struct {
    Written markup, notes, after; /* after: comments behind the body */
} Plain;

typedef struct {
    Plain *to;
    const char *start, *p, *end;
    enum Mode mode;
    Open opened[DEEPEST];
    int depth, is_left, has_form, skips_newline, likeness, is_head_over, is_in_template, is_begun, moves;
    int64_t head_end;  /* where its end tag is written */
    int64_t pre_start; /* where the last preformatted text begins */
    Token roots[2];   /* html and body, with the attributes that they have */
    int64_t room[2];  /* where there is room for more */
} Page;

/* The tables live as long as the program. */
void prepare_plain(const References *all) {
    references = *all;
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        add_name(&tag_names, tags[i].name, (int32_t)i);
}

static const Tag *tag_of(const char *name, int length) {
    for (unsigned slot = slot_of(name, (size_t)length); tag_names.slots[slot]; slot = (slot + 1) % SLOTS) {
        const Tag *tag = &tags[tag_names.slots[slot] - 1];
        if (is_named(name, (size_t)length, tag->name))
            return tag;
    }
    return &unknown;
}

/* Notes */

static void end_item(Written *to) { put(to, "", 1); }

static void note(Page *page, const Token *token, const char *text, const char *text_end) {
    Written *to = &page->to->notes;
    put(to, token->name, (size_t)token->length);
    end_item(to);
    if (text && *token->name == 's')
        put_raw(to, text, text_end);
    else if (text)
        put_text(&references, to, text, text_end, AS_IT_IS, 0);
    end_item(to);
    for (int i = 0; i < token->count; i++) {
        const Given *given = &token->attributes[i];
        for (int j = 0; j < given->length; j++)
            put(to, (char[]){lower(given->name[j])}, 1);
        end_item(to);
        if (given->value)
            put_text(&references, to, given->value, given->end, AS_IT_IS, 1);
        end_item(to);
    }
    end_item(to);
}

/* Does this attribute contain the word, whatever its letters? A reference in it may. */
static int mentions(const Token *token, const char *name, const char *word) {
    const Given *found = given(token, name);
    if (!found || !found->value)
        return 0;
    for (const char *p = found->value; p < found->end; p++)
        if (*p == '&' || begins_with(p, found->end, word))
            return 1;
    return 0;
}

static void note_void(Page *page, const Token *token, const Tag *tag) {
    if (tag->kind == META || (tag->kind == POINTER && mentions(token, "rel", "canonical"))
        || (tag->kind == TIME && given(token, "datetime")))
        note(page, token, NULL, NULL);
}

/* Elements */

static const Tag *current(const Page *page) { return page->depth ? page->opened[page->depth - 1].tag : &unknown; }

static void put_attributes(Written *to, const Token *token) {
    for (int i = 0; i < token->count; i++) {
        const Given *given = &token->attributes[i];
        put(to, " ", 1);
        int64_t name = to->length;
        put(to, given->name, (size_t)given->length);
        for (int64_t j = name; j < to->length; j++)
            to->bytes[j] = lower(to->bytes[j]);
        put(to, "=\"", 2);
        if (given->value)
            put_text(&references, to, given->value, given->end, AS_VALUE, 1);
        put(to, "\"", 1);
    }
}

static void push(Page *page, const Tag *tag, const char *name, int length, const Token *token) {
    Written *to = &page->to->markup;
    if (page->depth == DEEPEST) {
        page->is_left = 1;
        return;
    }
    put(to, "<", 1);
    page->opened[page->depth] = (Open){tag, (int32_t)to->length, length};
    put(to, name, (size_t)length);
    if (token)
        put_attributes(to, token);
    put(to, ">", 1);
    page->depth++;
    page->is_left |= to->is_full; /* a name may be nowhere */
    if (tag->kind == HTML || tag->kind == BODY) {
        int which = tag->kind == BODY;
        page->room[which] = to->length - 1;
        if (token)
            page->roots[which] = *token;
    }
}

static void push_unwritten(Page *page, const char *name) {
    int length = (int)strlen(name);
    push(page, tag_of(name, length), name, length, NULL);
}

static void pop(Page *page) {
    Written *to = &page->to->markup;
    if (page->is_left)
        return;
    const Open *last = &page->opened[--page->depth];
    put(to, "</", 2);
    put(to, to->bytes + last->name, (size_t)last->length);
    put(to, ">", 1);
}

static void insert(Page *page, const Tag *tag, const Token *token) {
    note_void(page, token, tag);
    push(page, tag, token->name, token->length, token);
    if (tag->flags & IS_VOID && !page->is_left)
        page->depth--;
}

/* End elements up to this one; formatting among them would be opened again. */
static void pop_to(Page *page, int place) {
    while (page->depth > place && !page->is_left) {
        if (page->depth - 1 > place && current(page)->flags & IS_FORMAT)
            page->is_left = 1;
        pop(page);
    }
}

/* The same, of an element that formatting does not leave, unless another such element is open in it. */
static void pop_marker(Page *page, int place) {
    while (page->depth > place && !page->is_left) {
        if (page->depth - 1 > place && current(page)->flags & IS_MARKER)
            page->is_left = 1;
        pop(page);
    }
}

static void pop_implied(Page *page, const Tag *but) {
    while (current(page)->flags & IS_IMPLIED && current(page) != but && !page->is_left)
        pop(page);
}

/* Where the innermost element of this kind, or tag, is that can be ended from here; -1: nowhere. */
static int in_scope(const Page *page, enum Kind kind, const Tag *tag, const char *bounds) {
    for (int place = page->depth - 1; place >= 0; place--) {
        const Tag *open = page->opened[place].tag;
        if (tag ? open == tag : open->kind == kind)
            return place;
        if (open->flags & IS_SCOPE)
            return -1;
        for (const char *bound = bounds; bound && *bound; bound += strlen(bound) + 1)
            if (!strcmp(open->name, bound))
                return -1;
    }
    return -1;
}

static void close_p(Page *page) {
    int place = in_scope(page, P, NULL, "button\0");
    if (place < 0)
        return;
    pop_implied(page, page->opened[place].tag);
    pop_to(page, place);
}

static void close_cell(Page *page, int place) {
    pop_implied(page, NULL);
    pop_marker(page, place);
}

/* The innermost part of a table that we are in, -1: none. */
static int part_of_table(const Page *page) {
    int place = page->depth - 1;
    for (; place >= 0; place--) {
        enum Kind kind = page->opened[place].tag->kind;
        if (kind == TABLE || kind == SECTION || kind == ROW || kind == CELL || kind == CAPTION || kind == COLUMNS)
            break;
    }
    return place;
}

static int is_in(const Page *page, enum Kind kind) {
    for (int place = page->depth - 1; place >= 0; place--)
        if (page->opened[place].tag->kind == kind)
            return 1;
    return 0;
}

static int is_part_of_table(const Tag *tag) { return tag->kind >= SECTION && tag->kind <= COLUMN; }
static int is_in_table(const Tag *tag) { return tag->kind == TABLE || tag->kind == SECTION || tag->kind == ROW; }

/* Elements whose content is no markup */

static const char *past_newline(const char *p, const char *end) {
    if (p < end && *p == '\r')
        return p + 1 + (end - p > 1 && p[1] == '\n');
    return p + (p < end && *p == '\n');
}

/* The first newline of a preformatted text means nothing, so another stands before one that does. */
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

/* From behind the start tag to behind the end tag; text is what was between them. */
static void past_raw(Page *page, const char *name, const char **text, const char **text_end) {
    Token last;
    *text = page->p;
    *text_end = end_of_raw(page->p, page->end, name);
    page->p = *text_end ? read_tag(*text_end, page->end, &last) : NULL;
    if (!page->p) {
        page->is_left = 1;
        page->p = page->end;
    }
}

static void raw_element(Page *page, const Tag *tag, const Token *token) {
    const char *text, *text_end;
    past_raw(page, tag->name, &text, &text_end);
    if (page->is_left)
        return;
    if (tag->kind == SCRIPT) {
        if (has_word(text, text_end, "<!--") && has_word(text, text_end, "<script"))
            page->is_left = 1; /* its end may be another */
        if (mentions(token, "type", "ld+json"))
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
    if (tag->kind == TITLE) {
        enum Kind around = current(page)->kind;
        if (around == HEAD || around == HTML || around == BODY)
            note(page, token, text, text_end);
    } else {
        page->is_left |= may_be_space(text, text_end);
        text = past_newline(text, text_end);
    }
    page->is_left |= !page->is_head_over && has_word(text, text_end, "<noscript"); /* tree.py changes it */
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

/* A drawing is empty. It is left if it is not well formed, or holds a link, or more than words where words are. */
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

static void element_of_head(Page *page, const Tag *tag, const Token *token) {
    if (tag->flags & IS_RAW)
        raw_element(page, tag, token);
    else if (tag->kind == TITLE)
        words_element(page, tag, token);
    else
        insert(page, tag, token);
}

static void read_on(Page *page);

/* Noscript before the end of the head is a template, as tree.py makes it, and may hold anything. */
static void noscript_of_head(Page *page, const Token *token) {
    static const Tag template = {"template", ORDINARY, IS_SPECIAL | IS_SCOPE | IS_MARKER};
    Token inner;
    const char *end = page->end, *last = end_of_raw(page->p, end, "noscript");
    enum Mode mode = page->mode;
    int place = page->depth;
    if (page->is_head_over || token->count || !last || has_word(page->start, last, "</head")
        || has_word(page->start, last, "<body") || has_word(page->p, last, "<noscript")
        || !start_of(page->start, last, "<noscript") || !(has_word(last, end, "</head>") || has_word(last, end, "<body"))) {
        page->is_left = 1;
        return;
    }
    push(page, &template, template.name, (int)strlen(template.name), NULL);
    page->is_in_template = 1;
    page->mode = IN_BODY;
    page->end = last;
    read_on(page);
    page->end = end;
    page->mode = mode;
    page->is_in_template = 0;
    pop_marker(page, place);
    page->p = read_tag(last, end, &inner);
    page->is_left |= !page->p;
}

/* Start tags */

/* Move what was written from here on to an earlier place. */
static void move(Page *page, int64_t from, int64_t place) {
    Written *to = &page->to->markup;
    int64_t size = to->length - from;
    put(to, to->bytes + from, (size_t)size); /* a copy, to be overwritten */
    if (to->is_full || page->moves++ == MOST_MOVES) {
        page->is_left = 1;
        return;
    }
    memmove(to->bytes + place + size, to->bytes + place, (size_t)(from - place));
    memcpy(to->bytes + place, to->bytes + to->length - size, (size_t)size);
    to->length -= size;
    for (int i = 0; i < page->depth; i++)
        page->opened[i].name += (int32_t)(page->opened[i].name > place ? size : 0);
    for (int i = 0; i < 2; i++)
        page->room[i] += page->room[i] >= place ? size : 0;
    page->head_end += page->head_end >= place ? size : 0;
    page->pre_start += page->pre_start > place ? size : 0;
}

/* A root once more: it gets the attributes that it does not have. */
static void root_again(Page *page, const Token *token, int which) {
    Token *root = &page->roots[which], more = {.count = 0};
    int64_t from = page->to->markup.length;
    for (int i = 0; i < token->count; i++)
        if (!is_given(root, &token->attributes[i]))
            more.attributes[more.count++] = token->attributes[i];
    if (!more.count)
        return;
    page->is_left |= page->is_in_template || root->count + more.count > MOST_ATTRIBUTES || given(&more, "lang")
        || given(&more, "xml:lang");
    if (page->is_left)
        return;
    memcpy(root->attributes + root->count, more.attributes, (size_t)more.count * sizeof(Given));
    root->count += more.count;
    put_attributes(&page->to->markup, &more);
    move(page, from, page->room[which]);
}

static void start_in_table(Page *page, const Tag *tag, const Token *token) {
    enum Kind at = current(page)->kind;
    switch (tag->kind) {
    case SECTION:
    case COLUMN:
    case COLUMNS:
    case CAPTION:
        if (at == ROW)
            pop(page);
        if (current(page)->kind == SECTION)
            pop(page);
        if (tag->kind == COLUMN)
            push_unwritten(page, "colgroup");
        insert(page, tag, token);
        return;
    case ROW:
    case CELL:
        if (at == ROW && tag->kind == ROW)
            pop(page);
        else if (at == TABLE)
            push_unwritten(page, "tbody");
        if (tag->kind == CELL && at != ROW)
            push_unwritten(page, "tr");
        insert(page, tag, token);
        return;
    case FORM:
        if (page->has_form)
            return;
        page->has_form = 1;
        insert(page, tag, token);
        pop(page);
        return;
    case SCRIPT:
    case STYLE:
        raw_element(page, tag, token);
        return;
    default:
        page->is_left = 1; /* it moves before the table */
    }
}

static void start_in_select(Page *page, const Tag *tag, const Token *token) {
    if (tag->kind != OPTION && tag->kind != GROUP) {
        page->is_left = 1;
        return;
    }
    if (current(page)->kind == OPTION)
        pop(page);
    if (tag->kind == GROUP && current(page)->kind == GROUP)
        pop(page);
    if (current(page)->kind != SELECT && current(page)->kind != GROUP)
        page->is_left = 1;
    insert(page, tag, token);
}

/* A new item ends the one before it, unless another list is between them. */
static void close_item(Page *page, enum Kind kind) {
    for (int place = page->depth - 1; place >= 0; place--) {
        const Tag *open = page->opened[place].tag;
        if (open->kind == kind) {
            pop_implied(page, open);
            pop_to(page, place);
            return;
        }
        if (open->flags & IS_SPECIAL && open->kind != P && strcmp(open->name, "div") && strcmp(open->name, "address"))
            return;
    }
}

/* Formatting that ends where something else is still open would be opened again behind that. */
static void end_format(Page *page, const Tag *tag) {
    for (int place = page->depth - 1; place >= 0 && !(page->opened[place].tag->flags & IS_MARKER); place--) {
        if (page->opened[place].tag == tag) {
            pop_to(page, place);
            return;
        }
        if (page->opened[place].tag->flags & IS_SPECIAL) {
            for (; place >= 0 && !page->is_left; place--)
                page->is_left = page->opened[place].tag == tag;
            return;
        }
    }
}

static void start_in_body(Page *page, const Tag *tag, const Token *token) {
    if (tag->flags & IS_LEFT || (page->is_in_template && (tag->kind == FORM || is_part_of_table(tag)))) {
        page->is_left = 1;
        return;
    }
    if (is_in(page, SELECT)) {
        start_in_select(page, tag, token);
        return;
    }
    if (current(page)->kind == COLUMNS) {
        if (tag->kind == COLUMN) {
            insert(page, tag, token);
            return;
        }
        pop(page);
    }
    if (is_in_table(current(page)) && tag->kind != BODY) {
        start_in_table(page, tag, token);
        return;
    }
    if (is_part_of_table(tag)) {
        int place = part_of_table(page);
        if (place >= 0 && page->opened[place].tag->kind != CELL)
            page->is_left = 1;
        else if (place >= 0) {
            close_cell(page, place);
            start_in_table(page, tag, token);
        }
        return;
    }
    switch (tag->kind) {
    case HEAD:
        return;
    case BODY:
        root_again(page, token, 1);
        return;
    case LI:
    case DD:
        close_item(page, tag->kind);
        break;
    case FORM:
        if (page->has_form)
            return;
        page->has_form = 1;
        break;
    case BUTTON:
        page->is_left |= in_scope(page, BUTTON, NULL, NULL) >= 0;
        break;
    case LINK:
        end_format(page, tag);
        break;
    case TABLE:
        if (in_scope(page, P, NULL, "button\0") >= 0) {
            page->is_left |= page->likeness == UNKNOWN;
            if (page->likeness == STANDARD)
                close_p(page);
        }
        break;
    case OPTION:
    case GROUP:
        if (current(page)->kind == OPTION)
            pop(page);
        break;
    case DRAWING:
        drawing(page, token);
        return;
    case TEXTAREA:
        words_element(page, tag, token);
        return;
    case NOSCRIPT:
        if (page->is_head_over)
            break;
        noscript_of_head(page, token);
        return;
    default:
        break;
    }
    if (tag->flags & CLOSES_P)
        close_p(page);
    if (tag->kind == HEADING && current(page)->kind == HEADING)
        pop(page);
    if (page->is_left)
        return;
    if (tag->flags & (IS_OF_HEAD | IS_RAW))
        element_of_head(page, tag, token);
    else
        insert(page, tag, token);
    if (tag->kind == PRE) {
        page->skips_newline = 1;
        page->pre_start = page->to->markup.length;
    }
}

static void begin_body(Page *page) {
    if (page->mode == BEFORE_HTML)
        push_unwritten(page, "html");
    if (page->mode <= BEFORE_HEAD)
        push_unwritten(page, "head");
    if (page->mode <= IN_HEAD)
        pop(page);
    if (page->mode <= AFTER_HEAD)
        push_unwritten(page, "body");
    page->mode = IN_BODY;
}

static void start_tag(Page *page, const Token *token) {
    const Tag *tag = tag_of(token->name, token->length);
    if (page->mode == BEFORE_HTML) {
        page->mode = BEFORE_HEAD;
        if (tag->kind == HTML) {
            note(page, token, NULL, NULL);
            push(page, tag, token->name, token->length, token);
            return;
        }
        push_unwritten(page, "html");
    }
    if (page->mode == BEFORE_HEAD && tag->kind != HTML) {
        page->mode = IN_HEAD;
        if (tag->kind == HEAD) {
            insert(page, tag, token);
            return;
        }
        push_unwritten(page, "head");
    }
    if (tag->kind == HTML && (page->mode < AFTER_HEAD || page->mode == IN_BODY)) {
        root_again(page, token, 0);
        return;
    }
    if (tag->kind == HTML || tag->flags & IS_LEFT) {
        page->is_left = 1;
        return;
    }
    if (tag->kind == HEAD && page->mode <= AFTER_HEAD) {
        page->is_left = page->mode == AFTER_HEAD;
        return;
    }
    if (page->mode == IN_HEAD && tag->flags & IS_OF_HEAD)
        element_of_head(page, tag, token);
    else if (page->mode == IN_HEAD && tag->kind == NOSCRIPT)
        noscript_of_head(page, token);
    else if (page->mode == AFTER_HEAD && tag->flags & IS_OF_HEAD) {
        int64_t from = page->to->markup.length;
        element_of_head(page, tag, token);
        move(page, from, page->head_end);
    } else if (page->mode <= AFTER_HEAD && tag->kind == BODY) {
        if (page->mode == IN_HEAD)
            pop(page);
        insert(page, tag, token);
        page->mode = IN_BODY;
        page->is_head_over = 1;
    } else {
        begin_body(page);
        start_in_body(page, tag, token);
    }
}

/* End tags */

static void end_in_table(Page *page, const Tag *tag, int part) {
    enum Kind at = page->opened[part].tag->kind;
    if (tag->kind == CELL) {
        int place = at == CELL && page->opened[part].tag == tag ? part : -1;
        if (place >= 0)
            close_cell(page, place);
        return;
    }
    int place = page->depth - 1; /* of the table's own part that ends */
    for (; place >= 0 && page->opened[place].tag != tag; place--)
        if (page->opened[place].tag->kind == TABLE)
            return;
    if (place < 0)
        return;
    if (at == CELL)
        close_cell(page, part);
    else if (at == CAPTION)
        page->is_left = 1;
    pop_marker(page, place);
}

static void end_other(Page *page, const Tag *tag, const Token *token) {
    for (int place = page->depth - 1; place >= 0; place--) {
        const Open *open = &page->opened[place];
        const char *name = page->to->markup.bytes + open->name;
        if (open->length == token->length && !memcmp(name, token->name, (size_t)open->length)) {
            pop_implied(page, tag == &unknown ? NULL : tag);
            pop_to(page, place);
            return;
        }
        if (open->tag->flags & IS_SPECIAL)
            return;
    }
}

static void end_form(Page *page) {
    int place = in_scope(page, FORM, NULL, NULL), has_form = page->has_form;
    page->has_form = 0;
    if (!has_form || place < 0)
        return;
    pop_implied(page, NULL);
    if (place != page->depth - 1)
        page->is_left = 1;
    pop_to(page, place);
}

static void end_in_select(Page *page, const Tag *tag) {
    if (tag->kind == OPTION && current(page)->kind == OPTION)
        pop(page);
    else if (tag->kind == GROUP) {
        if (current(page)->kind == OPTION && page->opened[page->depth - 2].tag->kind == GROUP)
            pop(page);
        if (current(page)->kind == GROUP)
            pop(page);
    } else if (tag->kind == SELECT) {
        while (current(page)->kind != SELECT && !page->is_left)
            pop(page);
        pop(page);
    } else
        page->is_left = 1;
}

static void end_heading(Page *page) {
    int place = in_scope(page, HEADING, NULL, NULL);
    if (place < 0)
        return;
    pop_implied(page, NULL);
    pop_to(page, place);
}

static void end_scoped(Page *page, const Tag *tag, const char *bounds) {
    int place = in_scope(page, tag->kind, tag, bounds);
    if (place < 0)
        return;
    pop_implied(page, tag->flags & IS_IMPLIED ? tag : NULL);
    if (tag->flags & IS_MARKER)
        pop_marker(page, place);
    else
        pop_to(page, place);
}

static void end_in_body(Page *page, const Tag *tag, const Token *token) {
    if (is_in(page, SELECT)) {
        end_in_select(page, tag);
        return;
    }
    if (current(page)->kind == COLUMNS) {
        page->is_left |= tag->kind == COLUMN;
        pop(page);
        if (tag->kind == COLUMNS)
            return;
    }
    int part = part_of_table(page);
    int is_odd_place = is_in_table(current(page)) || (page->is_in_template && !strcmp(current(page)->name, "template"));
    switch (tag->kind) {
    case TABLE:
    case SECTION:
    case ROW:
    case CELL:
        if (part >= 0)
            end_in_table(page, tag, part);
        return;
    case CAPTION:
        if (part >= 0 && page->opened[part].tag->kind == CAPTION)
            end_scoped(page, tag, NULL);
        return;
    case COLUMN:
    case COLUMNS:
    case HEAD:
        return;
    case P:
        if (in_scope(page, P, NULL, "button\0") < 0) {
            page->is_left |= is_odd_place;
            push_unwritten(page, "p");
        }
        close_p(page);
        return;
    case BREAK:
        page->is_left |= is_odd_place;
        push_unwritten(page, "br");
        page->depth--;
        return;
    case LI:
        end_scoped(page, tag, "ol\0ul\0");
        return;
    case DD:
    case BUTTON:
        end_scoped(page, tag, NULL);
        return;
    case HEADING:
        end_heading(page);
        return;
    case FORM:
        end_form(page);
        return;
    default:
        break;
    }
    if (tag->flags & IS_LEFT)
        page->is_left = 1;
    else if (tag->flags & IS_FORMAT)
        end_format(page, tag);
    else if (tag->flags & (IS_BLOCK | IS_MARKER))
        end_scoped(page, tag, NULL);
    else
        end_other(page, tag, token);
}

static void end_tag(Page *page, const Token *token) {
    const Tag *tag = tag_of(token->name, token->length);
    page->is_begun = 1;
    int is_end_of_page = tag->kind == BODY || tag->kind == HTML;
    if (tag->kind == HEAD && page->mode <= IN_HEAD) {
        if (page->mode == BEFORE_HTML)
            push_unwritten(page, "html");
        if (page->mode <= BEFORE_HEAD)
            push_unwritten(page, "head");
        page->head_end = page->to->markup.length;
        pop(page);
        page->mode = AFTER_HEAD;
        page->is_head_over = 1;
        return;
    }
    if (page->mode <= AFTER_HEAD) {
        if (!is_end_of_page && tag->kind != BREAK)
            return;
        begin_body(page);
    }
    if (is_end_of_page) {
        page->is_left |= is_in(page, SELECT);
        if (in_scope(page, BODY, NULL, NULL) >= 0)
            page->mode = tag->kind == BODY ? AFTER_BODY : AFTER_HTML;
        return;
    }
    page->mode = IN_BODY;
    end_in_body(page, tag, token);
}

/* Texts, comments and the rest */

static void characters(Page *page, const char *p, const char *end) {
    const char *words = past_space(p, end);
    if (page->mode <= BEFORE_HEAD)
        p = words;
    else if (page->mode <= AFTER_HEAD) {
        put_text(&references, &page->to->markup, p, words, AS_TEXT, 0);
        p = words;
    }
    if (p == end)
        return;
    if (page->mode <= AFTER_HEAD || page->skips_newline || page->to->markup.length == page->pre_start)
        page->is_left |= may_be_space(p, end);
    if (words < end)
        begin_body(page);
    if (page->skips_newline)
        p = past_newline(p, end);
    page->skips_newline = 0;
    if (words < end && (is_in_table(current(page)) || current(page)->kind == COLUMNS))
        page->is_left = 1;
    if (page->to->markup.length == page->pre_start)
        put_first_newline(page, p, end);
    put_text(&references, &page->to->markup, p, end, AS_TEXT, 0);
}

/* Outside the page's root nobody writes a comment. */
static void put_comment(Page *page, const char *p, const char *last, const char *past) {
    page->p = past;
    if (page->mode == BEFORE_HTML || page->mode == AFTER_HTML)
        return;
    Written *to = page->mode == AFTER_BODY ? &page->to->after : &page->to->markup;
    put(to, "<!--", 4);
    put_raw(to, p, last);
    put(to, "-->", 3);
}

static void comment(Page *page, const char *p) {
    const char *past = NULL, *last = end_of_comment(p, page->end, &past);
    if (!last) {
        page->is_left = 1;
        return;
    }
    put_comment(page, p, last, past);
}

/* What is no markup up to the next >. */
static void bogus_comment(Page *page, const char *p) {
    const char *last = memchr(p, '>', (size_t)(page->end - p));
    if (last)
        put_comment(page, p, last, last + 1);
    else
        page->is_left = 1;
}

/* Of what it says only the plainest is sure to be of the standard; without one a page has quirks. */
static void doctype(Page *page, const char *p) {
    const char *last = memchr(p, '>', (size_t)(page->end - p));
    if (!last) {
        page->is_left = 1;
        return;
    }
    page->p = last + 1;
    if (page->mode != BEFORE_HTML || page->is_begun)
        return;
    page->is_begun = 1;
    const char *name = past_space(p, last);
    size_t html = begins_with(name, last, "html");
    int is_plain = html && (past_space(name + html, last) == last || start_of(name, last, "//DTD XHTML 1."));
    page->likeness = is_plain ? STANDARD : UNKNOWN;
}

static void declaration(Page *page, const char *p) {
    if (page->end - p > 3 && p[2] == '-' && p[3] == '-')
        comment(page, p + 4);
    else if (begins_with(p, page->end, "<!doctype"))
        doctype(page, p + strlen("<!doctype"));
    else if (begins_with(p, page->end, "<![cdata["))
        page->is_left = 1;
    else
        bogus_comment(page, p + 2);
}

static void markup(Page *page, const char *p) {
    Token token;
    if (p[1] == '/' && page->end - p > 2 && p[2] == '>') {
        page->p = p + 3; /* it is nothing at all */
        return;
    }
    page->skips_newline = 0;
    if (p[1] == '!') {
        declaration(page, p);
    } else if (p[1] == '?' && page->mode == BEFORE_HTML && !page->is_left) {
        const char *last = memchr(p, '>', (size_t)(page->end - p));
        page->is_left |= !last;
        page->p = last ? last + 1 : page->end;
    } else if (is_letter(p[1]) || (p[1] == '/' && page->end - p > 2 && is_letter(p[2]))) {
        page->p = read_tag(p, page->end, &token);
        if (!page->p) {
            page->is_left = 1;
        } else if (token.is_end) {
            end_tag(page, &token);
        } else
            start_tag(page, &token);
    } else if (p[1] == '/' && page->end - p > 2)
        bogus_comment(page, p + 2);
    else
        page->is_left = 1;
}

/* The next < that does not mean itself. */
static const char *next_markup(const char *p, const char *end) {
    for (; p < end && (p = memchr(p, '<', (size_t)(end - p))); p++)
        if (end - p > 1 && (is_letter(p[1]) || p[1] == '/' || p[1] == '!' || p[1] == '?'))
            return p;
    return NULL;
}

static void read_on(Page *page) {
    while (page->p < page->end && !page->is_left) {
        const char *next = next_markup(page->p, page->end), *last = next ? next : page->end;
        if (last > page->p)
            characters(page, page->p, last);
        page->p = last;
        if (next)
            markup(page, next);
    }
}

static int has_room(Written *to, int64_t room) {
    to->room = room;
    to->bytes = malloc((size_t)room);
    return to->bytes != NULL;
}

/* 1: it is plain, and done. Whatever was written is to be forgotten in any case. */
int plain(const char *text, int64_t length, Plain *to) {
    Page page = {.to = to, .start = text, .p = text, .end = text + length, .likeness = QUIRKS};
    memset(to, 0, sizeof *to);
    if (length > LONGEST || !has_room(&to->markup, GROWTH * length + SPARE) || !has_room(&to->notes, 2 * length + SPARE)
        || !has_room(&to->after, length + SPARE))
        return 0;
    read_on(&page);
    if (page.is_left)
        return 0;
    begin_body(&page);
    while (page.depth > 1 && !page.is_left)
        pop(&page);
    put(&to->markup, to->after.bytes, (size_t)to->after.length);
    pop(&page);
    return !to->markup.is_full && !to->notes.is_full && !to->after.is_full;
}

void forget_plain(Plain *to) {
    free(to->markup.bytes);
    free(to->notes.bytes);
    free(to->after.bytes);
}
