/* Pruning: the twin of clean/html/prune.py, over the markup of a bare page instead of its tree.

   The parts that nobody reads are left out while the rest is copied. The end of a mark tells whether it is part of the
   text: if it is not, the copy of the mark is taken back. prune.py says what the elements are (prepare_prune). */

#include "exponent.h"

enum { IS_UNREAD = 1, IS_FRINGE = 2, IS_CENTRE = 4, IS_LINK = 8, IS_RAISED = 16, IS_READING = 32, IS_BRACKET = 64, IS_VOID = 128 };
enum { ANYTHING, BRACKET, TEXT_BEHIND_BRACKET }; /* what is before a node */

typedef struct {
    const Flagged *tags;
    const char *const *permalinks; /* the last is NULL */
    const unsigned *zeros;         /* of all scripts, in their order; the last is 0 */
    int32_t count, longest_mark;   /* of tags; characters of a mark */
} Tables;

typedef struct {
    char *bytes;
    int64_t length;
} Pruned;

typedef struct {
    int64_t copied, text;   /* the lengths of both when the element began */
    int16_t flags;          /* 0 for elements without a meaning, and inside parts that nobody reads */
    int8_t is_mark, is_inner_link, is_bracketed; /* is it a link into its own page? has a reading a bracket before it? */
    int8_t elements, holds_inner_link;           /* in it, 2 for more; is the last of them such a link? */
    int8_t before;          /* the node that comes next in it */
} Open;

typedef struct {
    Pruned *to;
    Open *opened;
    char *text;             /* of the marks that are open */
    int64_t opened_room, text_length, text_room;
    int64_t depth, unread;  /* open elements; their number when the unread part began */
    int64_t centres, marks; /* of the open elements */
    int is_out_of_memory;
} Prune;

static Tables tables;
static Names tag_names;

/* The tables live as long as the program. 0: there is no room for them. */
int prepare_prune(const Tables *all) {
    if (all->count > SLOTS / 3)
        return 0;
    tables = *all;
    for (int32_t i = 0; i < tables.count; i++)
        add_name(&tag_names, tables.tags[i].name, i);
    return 1;
}

static int16_t flags_of(const char *name, size_t length) { return flags_in(&tag_names, tables.tags, name, length); }

static void copy(Prune *prune, const char *p, const char *end) {
    if (prune->unread)
        return;
    memcpy(prune->to->bytes + prune->to->length, p, (size_t)(end - p));
    prune->to->length += end - p;
}

/* Marks */

static int is_permalink(const char *text, size_t length) {
    for (const char *const *known = tables.permalinks; *known; known++)
        if (is_named(text, length, *known))
            return 1;
    return 0;
}

static int is_digit(unsigned point) {
    for (const unsigned *zero = tables.zeros; *zero && *zero <= point; zero++)
        if (point < *zero + 10)
            return 1;
    return 0;
}

/* One to three digits, a letter or a sign, perhaps in brackets. */
static int is_note(const char *p, const char *end) {
    int32_t length = 0;
    for (const char *c = p; c < end && length <= tables.longest_mark; c++) /* marks in marks share a long text */
        length += (*c & 0xC0) != 0x80;
    if (length > tables.longest_mark)
        return 0;
    p = past_blanks(p, end);
    p += p < end && (*p == '[' || *p == '(');
    int digits = 0;
    Character c;
    while (digits < 3 && p < end && is_digit((c = character(p, end)).point)) {
        p += c.taken;
        digits++;
    }
    if (!digits) {
        c = p < end ? character(p, end) : (Character){0};
        if (!((c.point >= 'a' && c.point <= 'z') || c.point == '*' || c.point == 0x2020 || c.point == 0x2021))
            return 0;
        p += c.taken;
    }
    p += p < end && (*p == ']' || *p == ')');
    return past_blanks(p, end) == end;
}

/* Is the mark that ends here no part of the text? */
static int is_no_text(const Prune *prune, const Open *mark) {
    if (mark->flags & IS_READING)
        return !mark->is_bracketed;
    if (prune->text_length == mark->text)
        return 0;
    const char *text = prune->text + mark->text, *end = prune->text + prune->text_length;
    if (mark->flags & IS_LINK)
        return is_permalink(text, (size_t)(end - text));
    int is_linked = mark->elements == 1 ? mark->holds_inner_link : prune->depth && mark[-1].is_inner_link;
    return is_linked && is_note(text, end);
}

/* Add a text to that of the open marks, as it is without escapes. */
static void note_text(Prune *prune, const char *p, const char *end) {
    while (p < end) {
        Character c = character(p, end);
        for (int i = 0; i < c.length; i++) {
            if (!makes_room(&prune->text, prune->text_length, &prune->text_room, 1)) {
                prune->is_out_of_memory = 1;
                return;
            }
            prune->text[prune->text_length++] = c.bytes[i];
        }
        p += c.taken;
    }
}

/* Nodes */

static void follow(Prune *prune, int before) {
    if (prune->depth)
        prune->opened[prune->depth - 1].before = (int8_t)before;
}

static void text(Prune *prune, const char *p, const char *end) {
    if (prune->unread || p == end)
        return;
    const Open *around = prune->depth ? &prune->opened[prune->depth - 1] : NULL;
    if (prune->marks)
        note_text(prune, p, end);
    if (around)
        follow(prune, around->before == BRACKET ? TEXT_BEHIND_BRACKET : ANYTHING);
    int length = around && around->flags & IS_RAISED ? exponent(p, end, prune->to->bytes + prune->to->length) : 0;
    prune->to->length += length;
    if (!length)
        copy(prune, p, end);
}

/* From behind a tag's name to behind its >. */
static const char *past_attributes(const char *p, const char *end, int16_t flags, int *is_inner_link) {
    Attribute found;
    while (flags & IS_LINK && next_attribute(&p, end, &found))
        if (is_named(found.name, found.length, "href"))
            *is_inner_link = found.value < found.end && *found.value == '#';
    return past_tag(p, end);
}

static void begin_element(Prune *prune, int16_t flags, int is_inner_link) {
    Open *around = prune->depth ? &prune->opened[prune->depth - 1] : NULL;
    int before = around ? around->before : ANYTHING;
    if (around) {
        around->elements = (int8_t)(around->elements ? 2 : 1);
        around->holds_inner_link = (int8_t)is_inner_link;
        around->before = ANYTHING;
    }
    if (flags & IS_VOID)
        return;
    if (!makes_room(&prune->opened, prune->depth, &prune->opened_room, sizeof(Open))) {
        prune->is_out_of_memory = 1;
        return;
    }
    if (prune->unread)
        flags = 0;
    int is_mark = flags && (is_inner_link || flags & (IS_RAISED | IS_READING));
    prune->opened[prune->depth++] = (Open){
        .copied = prune->to->length, .text = prune->text_length, .flags = flags, .is_mark = (int8_t)is_mark,
        .is_inner_link = (int8_t)is_inner_link, .is_bracketed = before != ANYTHING};
    prune->marks += is_mark;
    prune->centres += (flags & IS_CENTRE) != 0;
    if (flags & IS_UNREAD || (flags & IS_FRINGE && !prune->centres))
        prune->unread = prune->depth;
}

static void end_element(Prune *prune) {
    if (!prune->depth)
        return;
    if (prune->unread == prune->depth)
        prune->unread = 0;
    const Open *ended = &prune->opened[--prune->depth];
    follow(prune, ended->flags & IS_BRACKET ? BRACKET : ANYTHING);
    prune->centres -= (ended->flags & IS_CENTRE) != 0;
    if (!ended->is_mark)
        return;
    if (is_no_text(prune, ended))
        prune->to->length = ended->copied;
    if (!--prune->marks)
        prune->text_length = 0;
}

/* Read the markup that begins with this <; return where it ends. */
static const char *markup_at(Prune *prune, const char *p, const char *end) {
    const char *start = p;
    if (end - p < 2 || p[1] == '/') {
        p = past_tag(p, end);
        if (p - start < 3 || !(flags_of(start + 2, (size_t)(p - start - 3)) & IS_VOID)) /* in a formula it may have one */
            end_element(prune);
        copy(prune, start, p);
        return p;
    }
    if (p[1] == '!' || p[1] == '?') {
        p = past_comment(p, end);
        if (!prune->unread)
            follow(prune, ANYTHING);
        copy(prune, start, p);
        return p;
    }
    p = end_of_name(start + 1, end);
    int is_inner_link = 0;
    int16_t flags = flags_of(start + 1, (size_t)(p - start - 1));
    p = past_attributes(p, end, flags, &is_inner_link);
    copy(prune, start, p);
    begin_element(prune, flags, is_inner_link);
    return p;
}

/* Prune a page. 0: there is not enough memory. The result is to be forgotten in any case. */
int prune(const char *markup, int64_t length, Pruned *to) {
    const char *p = markup, *end = markup + length;
    Prune state = {.to = to};
    *to = (Pruned){.bytes = malloc(3 * (size_t)length + LONGEST_EXPONENT)}; /* a raised digit takes three bytes */
    if (!to->bytes)
        return 0;
    while (p < end && !state.is_out_of_memory) {
        const char *next = memchr(p, '<', (size_t)(end - p));
        text(&state, p, next ? next : end);
        if (!next)
            break;
        p = markup_at(&state, next, end);
    }
    free(state.opened);
    free(state.text);
    return !state.is_out_of_memory;
}

void forget_pruned(Pruned *pruned) { free(pruned->bytes); }
