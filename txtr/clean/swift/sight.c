/* What can be seen of a page: the walk of sentences.py, over its markup instead of its tree.

   What the elements are is told by sight.py (prepare_sight), out of visible.py. A look gives back the lines, each followed by a line
   feed, with single blanks and none at their ends, and the numbers of those that may hold more than one sentence. */

#include "markup.h"

enum { IS_BLOCK = 1, IS_PREFORMATTED = 2, IS_UNSEEN = 4, IS_NOSCRIPT = 8, IS_VOID = 16, IS_LINK = 32, IS_RAISED = 64,
       IS_ROOT = 128, IS_DIALOG = 256 };
enum { WITH_HIDDEN = 1, WITH_NOSCRIPT = 2 }; /* what is looked at as well */

#define FIRST_WIDE 0x2E80  /* from here on, scripts in which linked words follow without a blank */
#define ELLIPSIS_OF_WINDOWS 0x85 /* a blank of Python's, and never meant as one */
#define MOST_RAISED 4      /* characters of an exponent: a sign and three digits */

typedef struct {
    const char *name;
    int32_t flags;
} Tag;

typedef struct {
    char *lines;
    int32_t *doubtful;
    int64_t length;
    int32_t line_count, doubtful_count, is_odd; /* is there a character that may be spelt in another way? */
} Seen;

typedef struct {
    Seen *seen;
    int16_t *opened; /* the flags of the open elements, 0 for those that mean nothing */
    int64_t opened_room, doubtful_room;
    int64_t depth, out; /* open elements; how many there were when the one began that is not seen */
    int64_t pieces, link, link_end; /* of text; before the last link; up to its end, if it has any */
    int64_t line_start;
    int32_t preformatted;
    int with, is_waiting, is_after_wide, is_out_of_memory;
} Look;

static const Tag *tags;
static Names tag_names;
static const unsigned *marks; /* that end sentences, beyond ASCII, in their order; the last is 0 */

/* The tables live as long as the program. 0: there is no room for them. */
int prepare_sight(const Tag *all, int32_t count, const unsigned *all_marks) {
    if (count > SLOTS / 3)
        return 0;
    tags = all;
    marks = all_marks;
    for (int32_t i = 0; i < count; i++)
        add_name(&tag_names, all[i].name, i);
    return 1;
}

static int16_t flags_of(const char *name, size_t length) {
    for (unsigned slot = slot_of(name, length); tag_names.slots[slot]; slot = (slot + 1) % SLOTS) {
        const Tag *tag = &tags[tag_names.slots[slot] - 1];
        if (is_named(name, length, tag->name))
            return (int16_t)tag->flags;
    }
    return 0;
}

/* Characters that are left alone when a text is made normal (normal.py): no control characters, no marks, none that is
   unseen, none that another stands for. There are more of them; these are what most texts consist of. */
static int is_normal(unsigned point) {
    static const struct {
        unsigned first, last;
    } all[] = {
        {0x20, 0x7E}, {0xA1, 0xAC}, {0xAE, 0x2FF}, {0x391, 0x3A1}, {0x3A3, 0x3CE}, {0x400, 0x482}, {0x48A, 0x52F},
        {0x2010, 0x2027}, {0x2030, 0x205E}, {0x20A0, 0x20BF}, {0x2190, 0x22FF}, {0x3001, 0x3029}, {0x3041, 0x3096},
        {0x30A1, 0x30FE}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}, {0xFF01, 0xFF5E}};
    for (size_t i = 0; i < sizeof all / sizeof all[0] && point >= all[i].first; i++)
        if (point <= all[i].last)
            return 1;
    return 0;
}

/* Lines */

/* May a sentence end inside this line? Before a letter or a digit of ASCII it cannot. */
static int is_doubtful(const char *p, const char *end) {
    while (p < end) {
        if ((unsigned char)*p < 0x80) {
            char c = *p++;
            if ((c == '.' || c == '!' || c == '?' || c == ';') && p < end
                && !((*p >= '0' && *p <= '9') || (lower(*p) >= 'a' && lower(*p) <= 'z')))
                return 1;
            continue;
        }
        Character c = character(p, end);
        p += c.taken;
        const unsigned *mark = marks;
        while (*mark && *mark < c.point)
            mark++;
        if (*mark == c.point && p < end)
            return 1;
    }
    return 0;
}

static void end_line(Look *look) {
    Seen *seen = look->seen;
    look->is_waiting = 0;
    if (seen->length == look->line_start)
        return;
    if (is_doubtful(seen->lines + look->line_start, seen->lines + seen->length)) {
        if (!makes_room(&seen->doubtful, seen->doubtful_count, &look->doubtful_room, sizeof(int32_t))) {
            look->is_out_of_memory = 1;
            return;
        }
        seen->doubtful[seen->doubtful_count++] = seen->line_count;
    }
    seen->line_count++;
    seen->lines[seen->length++] = '\n';
    look->line_start = seen->length;
}

static void piece_of_line_end(Look *look) {
    end_line(look);
    look->pieces++;
    look->is_after_wide = 0;
}

static void write(Look *look, const char *bytes, int64_t length) {
    Seen *seen = look->seen;
    if (look->is_waiting && seen->length > look->line_start)
        seen->lines[seen->length++] = ' ';
    look->is_waiting = 0;
    memcpy(seen->lines + seen->length, bytes, (size_t)length);
    seen->length += length;
}

/* Characters of an exponent as they are written when they are raised; NULL: there is no such character. */
static const char *raised(Character c, int is_first) {
    static const char *digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (c.point >= '0' && c.point <= '9')
        return digits[c.point - '0'];
    return !is_first ? NULL : c.point == '+' ? "⁺" : c.point == '-' || c.point == 0x2212 ? "⁻" : NULL;
}

/* Is the text an exponent, and so written? */
static int is_exponent(Look *look, const char *p, const char *end) {
    const char *all[MOST_RAISED];
    int count = 0, digits = 0;
    while (p < end) {
        Character c = character(p, end);
        const char *high = count < MOST_RAISED ? raised(c, count == 0) : NULL;
        if (!high)
            return 0;
        digits += c.point >= '0' && c.point <= '9';
        all[count++] = high;
        p += c.taken;
    }
    if (digits < 1 || digits > MOST_RAISED - 1)
        return 0;
    for (int i = 0; i < count; i++)
        write(look, all[i], (int64_t)strlen(all[i]));
    look->is_after_wide = 0;
    return 1;
}

static void text(Look *look, const char *p, const char *end) {
    int before = OTHER;
    if (look->out || p == end)
        return;
    look->pieces++;
    if (look->depth && look->opened[look->depth - 1] & IS_RAISED && is_exponent(look, p, end))
        return;
    while (p < end) {
        const char *start = p;
        while (p < end && is_plain(*p))
            p++;
        if (p > start) {
            write(look, start, p - start);
            look->is_after_wide = 0;
            before = OTHER;
            continue;
        }
        if (*p == ' ' || (*p == '\n' && !look->preformatted && before != WIDE)) { /* most of what is between tags */
            look->is_waiting = 1;
            look->is_after_wide = 0;
            before = BLANK;
            p++;
            continue;
        }
        Character c = character(p, end);
        p += c.taken;
        look->is_after_wide = c.point >= FIRST_WIDE;
        if (c.kind == NEWLINE && look->preformatted)
            end_line(look);
        else if (c.kind == NEWLINE && before == WIDE) { /* inside a Chinese or Japanese sentence, perhaps */
            const char *next = past_blanks(p, end);
            if (next < end && character(next, end).kind == WIDE)
                p = next;
            else
                look->is_waiting = 1;
        } else if ((c.kind == BLANK || c.kind == NEWLINE) && c.point != ELLIPSIS_OF_WINDOWS)
            look->is_waiting = 1;
        else {
            write(look, c.bytes, c.length);
            look->seen->is_odd |= !is_normal(c.point);
        }
        before = c.kind;
    }
}

/* Elements */

static int is_hiding_style(const char *p, const char *end) {
    unsigned before = ';';
    while (p < end) {
        if ((before == ';' || is_style_blank(before))
            && (declares(p, end, "display", "none") || declares(p, end, "visibility", "hidden")))
            return 1;
        Character c = character(p, end);
        before = c.point;
        p += c.taken;
    }
    return 0;
}

/* From behind the tag's name to behind its >; says whether the element is hidden. */
static const char *past_attributes(const char *p, const char *end, int flags, int *is_hidden) {
    const char *close = memchr(p, '>', (size_t)(end - p));
    end = close ? close + 1 : end;
    if (!(flags & IS_DIALOG) && !start_of(p, end, "hidden") && !start_of(p, end, "style"))
        return end;
    Attribute found;
    int is_marked = 0, is_streamed = 0, is_open = 0, is_styled = 0;
    while (next_attribute(&p, end, &found)) {
        size_t size = (size_t)(found.end - found.value);
        if (is_named(found.name, found.length, "hidden"))
            is_marked = !is_named(found.value, size, "until-found");
        else if (is_named(found.name, found.length, "id"))
            is_streamed = size > 1 && !memcmp(found.value, "S:", 2);
        else if (is_named(found.name, found.length, "open"))
            is_open = 1;
        else if (is_named(found.name, found.length, "style"))
            is_styled = is_hiding_style(found.value, found.end);
    }
    if (flags & IS_ROOT)
        *is_hidden = 0;
    else if (is_marked)
        *is_hidden = !is_streamed;
    else
        *is_hidden = flags & IS_DIALOG ? !is_open : is_styled;
    return end;
}

static void begin_element(Look *look, int16_t flags, int is_hidden) {
    if (!makes_room(&look->opened, look->depth, &look->opened_room, sizeof(int16_t))) {
        look->is_out_of_memory = 1;
        return;
    }
    look->opened[look->depth++] = look->out ? 0 : flags;
    if (look->out)
        return;
    if (flags & IS_BLOCK) {
        piece_of_line_end(look);
        look->preformatted += (flags & IS_PREFORMATTED) != 0;
    } else if (flags & IS_LINK) {
        if (look->pieces == look->link_end && !look->preformatted && !look->is_after_wide) {
            look->is_waiting = 1;
            look->pieces++;
        }
        look->link = look->pieces;
    }
    if (flags & IS_UNSEEN || (flags & IS_NOSCRIPT && !(look->with & WITH_NOSCRIPT))
        || (is_hidden && !(look->with & WITH_HIDDEN)))
        look->out = look->depth;
}

static void end_element(Look *look) {
    if (!look->depth)
        return;
    if (look->out == look->depth)
        look->out = 0;
    int16_t flags = look->opened[--look->depth];
    if (flags & IS_BLOCK) {
        piece_of_line_end(look);
        look->preformatted -= (flags & IS_PREFORMATTED) != 0;
    } else if (flags & IS_LINK && look->pieces > look->link)
        look->link_end = look->pieces;
}

/* Everything from a < on that is no text; gives back where it ends. */
static const char *markup_at(Look *look, const char *p, const char *end) {
    if (end - p < 2 || p[1] == '/') {
        const char *past = past_tag(p, end);
        if (past - p < 3 || !(flags_of(p + 2, (size_t)(past - p - 3)) & IS_VOID)) /* in a formula it may have one */
            end_element(look);
        return past;
    }
    if (p[1] == '!' || p[1] == '?')
        return past_comment(p, end);
    const char *name = p + 1;
    p = end_of_name(name, end);
    int16_t flags = flags_of(name, (size_t)(p - name));
    int is_hidden = 0;
    p = past_attributes(p, end, flags, &is_hidden);
    begin_element(look, flags, is_hidden);
    if (flags & IS_VOID && !look->is_out_of_memory)
        end_element(look);
    return p;
}

/* 0: there is not enough memory. Whatever was seen is to be forgotten in any case. */
int look(const char *markup, int64_t length, int with, Seen *seen) {
    const char *p = markup, *end = markup + length;
    Look state = {.seen = seen, .link = -1, .link_end = -1, .with = with};
    memset(seen, 0, sizeof *seen);
    seen->lines = malloc(3 * (size_t)length + 16); /* a raised digit takes three bytes */
    if (!seen->lines)
        return 0;
    while (p < end && !state.is_out_of_memory) {
        const char *next = memchr(p, '<', (size_t)(end - p));
        text(&state, p, next ? next : end);
        if (!next)
            break;
        p = markup_at(&state, next, end);
    }
    end_line(&state);
    free(state.opened);
    return !state.is_out_of_memory;
}

void forget_sight(Seen *seen) {
    free(seen->lines);
    free(seen->doubtful);
}
