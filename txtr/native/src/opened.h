/* A page while it is written out: what is written so far, and the elements that are open in it.

   Notes are what elements say about the page, as native/plain.py reads them: the name of an element, whether it is in
   the head, its text, the names and values of its attributes, each with a NUL behind it; after the last attribute
   another NUL. */

#ifndef OPENED_H
#define OPENED_H

#include "elements.h"
#include "tokens.h"

#define MOST_MOVES 100  /* of written text to an earlier place: each takes time for all that is behind that place */
#define MOST_FORMATS 64  /* that are open or to be opened again */
#define DEEPEST 400     /* open elements; the parser has no limit */

enum Mode { BEFORE_HTML, BEFORE_HEAD, IN_HEAD, AFTER_HEAD, IN_BODY, AFTER_BODY, AFTER_HTML };
enum { UNKNOWN, STANDARD, QUIRKS }; /* how browsers of old read a page */

static References references;
static const char *const *telling; /* attributes that say something about a page; the last is NULL */

typedef struct {
    const Tag *tag;
    int32_t name, length; /* where its name is written */
} Open;

typedef struct {
    const Tag *tag;        /* a formatting element, or a marker: formatting before it is not opened again behind it */
    int32_t start, length; /* where its start tag is written */
    int place;             /* among the open elements; -1: it has been ended by another */
} Format;

typedef struct {
    Written markup, notes, after; /* after: comments behind the body */
} Plain;

typedef struct {
    Plain *to;
    const char *start, *p, *end;
    enum Mode mode, around; /* of the outermost template */
    const char *changed;    /* up to here tree.py makes templates of noscript */
    Open opened[DEEPEST];
    int open_count[KINDS]; /* of the elements of each kind */
    Format formats[MOST_FORMATS];
    int is_whole; /* are all attributes and comments wanted? */
    int depth, format_count, is_left, has_form, skips_newline, likeness, templates, is_begun, moves;
    int64_t head_end;  /* where its end tag is written */
    int64_t pre_start; /* where the last preformatted text begins */
    Token roots[2];   /* html and body, with the attributes that they have */
    int64_t room[2];  /* where there is room for more */
} Page;

/* Notes */

static void end_item(Written *to) { put(to, "", 1); }

static int is_called(const Given *given, const char *name) {
    return begins_with(given->name, given->name + given->length, name) == (size_t)given->length;
}

static int is_telling(const Given *given) {
    for (const char *const *name = telling; *name; name++)
        if (is_called(given, *name))
            return 1;
    return 0;
}

static void note(Page *page, const Token *token, const char *text, const char *text_end) {
    Written *to = &page->to->notes;
    put(to, token->name, (size_t)token->length);
    end_item(to);
    put_word(to, page->mode == IN_HEAD || page->mode == AFTER_HEAD ? "head" : "");
    end_item(to);
    if (text && *token->name == 's')
        put_raw(to, text, text_end);
    else if (text)
        put_text(&references, to, text, text_end, AS_IT_IS, 0);
    end_item(to);
    for (int i = 0; i < token->count; i++) {
        const Given *given = &token->attributes[i];
        if (!is_telling(given))
            continue;
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

/* Does sentences.c or links.c look at this attribute? */
static int is_looked_at(const Given *given, int flags) {
    switch (given->length) {
    case 2: /* React sends pieces of a page with the ids S:0 and so on */
        return is_called(given, "id") && given->value && (*given->value == 'S' || *given->value == '&');
    case 3:
        return flags & IS_LEADING && (is_called(given, "rel") || is_called(given, "src"));
    case 4:
        return is_called(given, "open") || (flags & IS_LEADING && (is_called(given, "href") || is_called(given, "type")));
    case 5:
        return is_called(given, "style");
    case 6:
        return is_called(given, "hidden");
    case 7:
        return flags & IS_LEADING && is_called(given, "content");
    case 8:
        return flags & IS_LEADING && is_called(given, "hreflang");
    case 10:
        return flags & IS_LEADING && is_called(given, "http-equiv");
    }
    return 0;
}

static void put_attributes(Page *page, const Token *token, int flags) {
    Written *to = &page->to->markup;
    if (token->tidy && page->is_whole) {
        put(to, token->tidy, (size_t)(token->tidy_end - token->tidy));
        return;
    }
    for (int i = 0; i < token->count; i++) {
        const Given *given = &token->attributes[i];
        if (!page->is_whole && !is_looked_at(given, flags))
            continue;
        put(to, " ", 1);
        if (token->tidy) {
            put(to, given->name, (size_t)(given->end + 1 - given->name));
            continue;
        }
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

/* Three equal elements are enough: with a fourth, the standard forgets the first, and the page is left. */
static void add_format(Page *page, const Tag *tag, int64_t start) {
    int32_t length = (int32_t)(page->to->markup.length - start);
    int alike = 0;
    for (int i = page->format_count - 1; i >= 0 && !(page->formats[i].tag->flags & IS_MARKER); i--)
        alike += page->formats[i].tag == tag && page->formats[i].length == length;
    if (page->format_count == MOST_FORMATS || alike == 3)
        page->is_left = 1;
    else
        page->formats[page->format_count++] = (Format){tag, (int32_t)start, length, page->depth - 1};
}

static void forget_format(Page *page, int which) {
    page->format_count--;
    memmove(&page->formats[which], &page->formats[which + 1], (size_t)(page->format_count - which) * sizeof(Format));
}

/* An element ends: formatting may be opened again, unless it was in a marker. */
static void end_formats(Page *page, const Tag *tag, int place) {
    int last = page->format_count - 1;
    if (tag->flags & IS_MARKER) {
        while (last >= 0 && !(page->formats[last].tag->flags & IS_MARKER))
            last--;
        page->format_count = last < 0 ? 0 : last;
    }
    for (; tag->flags & IS_FORMAT && last >= 0; last--)
        if (page->formats[last].place == place)
            page->formats[last].place = -1;
}

/* Open formatting again that other elements have ended. */
static void reopen(Page *page) {
    Written *to = &page->to->markup;
    int from = page->format_count;
    while (from > 0 && page->formats[from - 1].place < 0)
        from--;
    for (; from < page->format_count && !page->is_left; from++) {
        Format *format = &page->formats[from];
        if (page->depth == DEEPEST) {
            page->is_left = 1;
            return;
        }
        page->opened[page->depth] = (Open){format->tag, (int32_t)to->length + 1, (int32_t)strlen(format->tag->name)};
        format->place = page->depth++;
        page->open_count[format->tag->kind]++;
        put(to, to->bytes + format->start, (size_t)format->length);
        page->is_left |= to->is_full;
    }
}

static void push(Page *page, const Tag *tag, const char *name, int length, const Token *token) {
    Written *to = &page->to->markup;
    if (page->depth == DEEPEST) {
        page->is_left = 1;
        return;
    }
    int64_t start = to->length;
    put(to, "<", 1);
    page->opened[page->depth] = (Open){tag, (int32_t)to->length, length};
    put(to, name, (size_t)length);
    if (token)
        put_attributes(page, token, tag->flags);
    put(to, ">", 1);
    page->depth++;
    page->open_count[tag->kind]++;
    page->is_left |= to->is_full; /* a name may be nowhere */
    if (tag->flags & (IS_FORMAT | IS_MARKER))
        add_format(page, tag, start);
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
    page->open_count[last->tag->kind]--;
    end_formats(page, last->tag, page->depth);
    put(to, "</", 2);
    put(to, to->bytes + last->name, (size_t)last->length);
    put(to, ">", 1);
}

/* An element that has no end tag. */
static void end_void(Page *page) {
    if (!page->is_left)
        page->open_count[page->opened[--page->depth].tag->kind]--;
}

static void insert(Page *page, const Tag *tag, const Token *token) {
    note_void(page, token, tag);
    push(page, tag, token->name, token->length, token);
    if (tag->flags & IS_VOID)
        end_void(page);
}

/* End elements up to this one. With a marker among them the page is left: the formatting in it would go on. */
static void pop_to(Page *page, int place) {
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

/* The place of the innermost element of this kind, or tag, that can be ended from here; -1: there is none. */
static int in_scope(const Page *page, enum Kind kind, const Tag *tag, enum Kind bound) {
    if (!page->open_count[kind])
        return -1;
    for (int place = page->depth - 1; place >= 0; place--) {
        const Tag *open = page->opened[place].tag;
        if (tag ? open == tag : open->kind == kind)
            return place;
        if (open->flags & IS_SCOPE || (bound && open->kind == bound))
            return -1;
    }
    return -1;
}

static void close_p(Page *page) {
    int place = in_scope(page, P, NULL, BUTTON);
    if (place < 0)
        return;
    pop_implied(page, page->opened[place].tag);
    pop_to(page, place);
}

static void close_cell(Page *page, int place) {
    pop_implied(page, NULL);
    pop_to(page, place);
}

/* The innermost open part of a table, -1: none. */
static int part_of_table(const Page *page) {
    int place = page->depth - 1;
    for (; place >= 0; place--) {
        enum Kind kind = page->opened[place].tag->kind;
        if (kind == TABLE || kind == SECTION || kind == ROW || kind == CELL || kind == CAPTION || kind == COLUMNS)
            break;
    }
    return place;
}

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
    for (int i = 0; i < page->format_count; i++)
        page->formats[i].start += (int32_t)(page->formats[i].start >= place ? size : 0);
    for (int i = 0; i < 2; i++)
        page->room[i] += page->room[i] >= place ? size : 0;
    page->head_end += page->head_end >= place ? size : 0;
    page->pre_start += page->pre_start > place ? size : 0;
}

/* A root tag once more: the root gets the attributes that it does not have. */
static void root_again(Page *page, const Token *token, int which) {
    Token *root = &page->roots[which], more = {.count = 0};
    int64_t from = page->to->markup.length;
    for (int i = 0; i < token->count; i++)
        if (!is_given(root, &token->attributes[i]))
            more.attributes[more.count++] = token->attributes[i];
    if (!more.count)
        return;
    page->is_left |= page->templates || root->count + more.count > MOST_ATTRIBUTES || given(&more, "lang")
        || given(&more, "xml:lang");
    if (page->is_left)
        return;
    memcpy(root->attributes + root->count, more.attributes, (size_t)more.count * sizeof(Given));
    root->count += more.count;
    put_attributes(page, &more, 0);
    move(page, from, page->room[which]);
}

#endif
