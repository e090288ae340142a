/* The visible text of a page: the twin of clean/text/sentences.py, over the markup of a page instead of its tree.

   native/sentences.py says what the elements are (prepare_sight), out of elements.py. A look gives the lines, each
   followed by a line feed, with single blanks and none at their ends, and the number of sentences of each line; SPLIT
   stands between two sentences instead of a blank. A line that needs more than the plainest rules of split.py is left
   to split.py. */

#include "exponent.h"

enum { IS_BLOCK = 1, IS_PREFORMATTED = 2, IS_UNSEEN = 4, IS_NOSCRIPT = 8, IS_VOID = 16, IS_LINK = 32, IS_RAISED = 64,
       IS_ROOT = 128, IS_DIALOG = 256 };
enum { WITH_HIDDEN = 1, WITH_NOSCRIPT = 2 }; /* elements that are looked at as well */

#define FIRST_MARK 0x480   /* the first character among which are marks beyond ASCII */
#define FIRST_WIDE 0x2E80  /* scripts in which linked words follow without a blank begin here */
#define ELLIPSIS_OF_WINDOWS 0x85 /* Python calls it a blank, which nobody means by it */
#define SPLIT '\x1f'       /* Python calls it a blank, so no line contains it */
#define LONGEST_KNOWN 8    /* bytes of an abbreviation that is known */
#define LONGEST_WORD 20    /* bytes before a full stop that are looked at */

enum { UNSURE = -1, GOES_ON, ENDS }; /* a sentence, at a mark */
enum { NO_LETTER, SMALL, CAPITAL };

typedef struct {
    char *lines;
    int32_t *counts; /* of the sentences of each line; 0: not known */
    int64_t length;
    int32_t line_count, is_odd; /* is there a character that may be spelt in another way? */
} Seen;

typedef struct {
    Seen *seen;
    int16_t *opened; /* the flags of the open elements, 0 for those that mean nothing */
    int64_t opened_room, counts_room;
    int64_t depth, out; /* open elements; their number when the unseen element began */
    int64_t pieces, link, link_end; /* pieces of text: all; before the last link; up to its end, if it has one */
    int64_t line_start;
    int32_t preformatted;
    int with, is_waiting, is_after_wide, is_out_of_memory;
} Look;

static const Flagged *tags;
static Names tag_names;
static const unsigned *marks; /* that end sentences, beyond ASCII, in their order; the last is 0 */
static const uint64_t *known; /* abbreviations of letters, in their order */
static int32_t known_count;

static int16_t flags_of(const char *name, size_t length) { return flags_in(&tag_names, tags, name, length); }

/* Characters that normal.py does not change: no control characters, no marks, no invisible characters, and none that
   is written as another. There are more such characters; most texts consist of these. */
static int is_normal(unsigned point) {
    static const struct {
        unsigned first, last;
    } all[] = {
        {0x20, 0x7E}, {0xA1, 0xAC}, {0xAE, 0x2FF}, {0x384, 0x386}, {0x388, 0x3CE}, {0x400, 0x482}, {0x48A, 0x52F},
        {0x5D0, 0x5EA}, {0x621, 0x64A}, {0x671, 0x6D3}, {0x1EA0, 0x1EF9}, {0x2010, 0x2027}, {0x2030, 0x205E}, {0x20A0, 0x20BF},
        {0x2122, 0x2122}, {0x2190, 0x2328}, {0x2500, 0x27BF}, {0x3001, 0x3029}, {0x3041, 0x3096}, {0x30A1, 0x30FE},
        {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}, {0xFE0F, 0xFE0F}, {0xFF01, 0xFF5E}, {0x1F300, 0x1FAFF}};
    for (size_t i = 0; i < sizeof all / sizeof all[0] && point >= all[i].first; i++)
        if (point <= all[i].last)
            return 1;
    return 0;
}

/* Lines */

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_small(char c) { return c >= 'a' && c <= 'z'; }
static int is_sign(char c) { return !is_digit(c) && !is_small(lower(c)); }
static int is_mark(char c) { return c == '.' || c == '!' || c == '?'; }

enum { IS_ODD = 1, IS_SPACE = 2, MAY_END = 4 }; /* a byte: of no plain word; a blank; perhaps at the end of a sentence */

static unsigned char bytes[256];

/* Letters of Latin and Cyrillic are known by their first bytes; the bytes after these begin no other character. */
static void prepare_bytes(void) {
    for (int c = 0; c < 256; c++) {
        int is_of_letter = (c >= 0x80 && c < 0xC0) || (c >= 0xC3 && c <= 0xCB) || c == 0xD0 || c == 0xD1;
        int may_end = c >= 0x80 ? !is_of_letter : is_mark((char)c) || c == ';';
        int kind = c == ' ' ? IS_SPACE : is_plain((char)c) || is_of_letter ? 0 : IS_ODD;
        bytes[c] = (unsigned char)(kind | (may_end ? MAY_END : 0));
    }
}

/* The tables live as long as the program. 0: they are not as expected. */
int prepare_sight(const Flagged *all, int32_t count, const unsigned *all_marks, const uint64_t *all_known,
                  int32_t known_words) {
    if (count > SLOTS / 3 || *all_marks < FIRST_MARK)
        return 0;
    tags = all;
    marks = all_marks;
    known = all_known;
    known_count = known_words;
    for (int32_t i = 0; i < count; i++)
        add_name(&tag_names, all[i].name, i);
    prepare_bytes();
    return 1;
}

/* Of Latin and Cyrillic letters, as far as Europe has them. */
static int case_of(unsigned point) {
    if (point < 0x80)
        return point >= 'A' && point <= 'Z' ? CAPITAL : point >= 'a' && point <= 'z' ? SMALL : NO_LETTER;
    if (point >= 0xC0 && point < 0x100)
        return point == 0xD7 || point == 0xF7 ? NO_LETTER : point < 0xDF ? CAPITAL : SMALL;
    if ((point >= 0x100 && point < 0x138) || (point >= 0x14A && point < 0x178)) /* in pairs */
        return point % 2 ? SMALL : CAPITAL;
    if ((point >= 0x139 && point < 0x149) || (point >= 0x179 && point < 0x17F))
        return point % 2 ? CAPITAL : SMALL;
    return point >= 0x400 && point < 0x460 ? point < 0x430 ? CAPITAL : SMALL : NO_LETTER;
}

/* Behind quotes and brackets that close. */
static const char *past_closing(const char *p, const char *end) {
    while (p < end)
        if (*p == '"' || *p == '\'' || *p == ')' || *p == ']')
            p++;
        else if (end - p > 2 && (!memcmp(p, "”", 3) || !memcmp(p, "’", 3) || !memcmp(p, "“", 3)))
            p += 3;
        else
            break;
    return p;
}

/* Behind a quote or a bracket that opens. */
static const char *past_opening(const char *p, const char *end) {
    if (end - p > 3 && (!memcmp(p, "“", 3) || !memcmp(p, "‘", 3)))
        return p + 3;
    return end - p > 1 && *p == '(' ? p + 1 : p;
}

static int is_known(const char *word, size_t length) {
    uint64_t key = 0;
    int32_t low = 0, high = known_count;
    for (size_t i = 0; i < length; i++)
        key |= (uint64_t)(unsigned char)word[i] << 8 * i;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (known[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < known_count && known[low] == key;
}

/* Does a sentence that goes from here end with this full stop, which a blank and a capital follow? */
static int after_word(const char *from, const char *stop) {
    const char *word = stop;
    size_t digits = 0, vowels = 0, hyphens = 0;
    for (; word > from && word[-1] != ' '; word--) {
        unsigned char c = (unsigned char)word[-1];
        digits += is_digit((char)c);
        vowels += c < 0x80 && strchr("aeiouy", lower((char)c));
        if (c >= 0x80) { /* Latin and Cyrillic letters have two bytes; × and ÷ are signs */
            unsigned char lead = word - from > 1 ? (unsigned char)word[-2] : 0;
            if (!((lead >= 0xC3 && lead <= 0xC9) || lead == 0xD0 || lead == 0xD1)
                || (lead == 0xC3 && (c == 0x97 || c == 0xB7)))
                return UNSURE;
            word--;
        } else if (c == '-' || c == '\'')
            hyphens++;
        else if (is_sign((char)c))
            return UNSURE;
        if (stop - word > LONGEST_WORD)
            return UNSURE;
    }
    size_t length = (size_t)(stop - word);
    if (digits && digits == length && word == from) /* an item of a list */
        return GOES_ON;
    if (digits) /* a year, but no day */
        return digits == length && digits > 2 && word - from > 1 && word[-2] != ':' ? ENDS : UNSURE;
    if (length < 2 || (length > 2 && !memcmp(stop - 3, "str", 3)))
        return UNSURE;
    if (hyphens) /* no abbreviation has one */
        return is_small(lower(*word)) ? ENDS : UNSURE;
    return length > LONGEST_KNOWN || (vowels && !is_known(word, length)) ? ENDS : UNSURE;
}

/* Does a sentence that goes from here end with the mark at *p? *p moves behind it, or to the blank between two sentences. */
static int at_mark(const char *from, char **p, const char *end) {
    const char *mark = *p, *past = mark + 1;
    if (*mark == ';') {
        *p += 1;
        if (past == end || !is_sign(*past))
            return GOES_ON;
        return *past == ' ' && mark > from && (unsigned char)mark[-1] < 0x80 ? GOES_ON : UNSURE; /* the Greeks ask with it */
    }
    while (past < end && is_mark(*past))
        past++;
    past = past_closing(past, end);
    *p += past - mark;
    if (past == end)
        return GOES_ON;
    if (*past != ' ')
        return *past == '[' || (unsigned char)*past >= 0x80 ? UNSURE : GOES_ON;
    const char *next = past_opening(past + 1, end);
    int letter = next < end ? case_of(character(next, end).point) : SMALL;
    if (letter == SMALL)
        return GOES_ON;
    if (letter != CAPITAL || mark == from)
        return UNSURE;
    if (*mark == '.' && past == mark + 1)
        return after_word(from, mark);
    return is_sign(mark[-1]) || (*mark == '!' && strchr("ICLG", *next)) ? UNSURE : ENDS; /* Yahoo! Inc. */
}

/* Split a line into its sentences, and return how many they are; 0: that is not known. */
static int32_t sentences(char *start, const char *end) {
    int32_t count = 1;
    char *p = start, *from = start;
    int found = GOES_ON, is_wide = 0, is_marked = 0;
    while (p < end && found != UNSURE) {
        if (!(bytes[(unsigned char)*p] & MAY_END)) /* most of all lines */
            p++;
        else if ((unsigned char)*p >= 0x80) {
            Character c = character(p, end);
            p += c.taken;
            is_wide |= c.point >= FIRST_WIDE;
            const unsigned *mark = marks;
            while (*mark && *mark < c.point)
                mark++;
            found = *mark == c.point && p < end ? UNSURE : GOES_ON;
        } else if (p + 1 < end && !is_sign(p[1])) /* before a letter or a digit of ASCII none ends */
            p++;
        else {
            is_marked |= p + 1 < end;
            found = at_mark(from, &p, end);
            if (found == ENDS) {
                *p++ = SPLIT;
                from = p;
                count++;
            }
        }
    }
    if (found != UNSURE && !(is_wide && is_marked))
        return count;
    for (; count > 1; count--)
        *(start = memchr(start, SPLIT, (size_t)(end - start))) = ' ';
    return 0;
}

static void end_line(Look *look) {
    Seen *seen = look->seen;
    look->is_waiting = 0;
    if (seen->length == look->line_start)
        return;
    if (!makes_room(&seen->counts, seen->line_count, &look->counts_room, sizeof(int32_t))) {
        look->is_out_of_memory = 1;
        return;
    }
    seen->counts[seen->line_count++] = sentences(seen->lines + look->line_start, seen->lines + seen->length);
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

/* Is the text an exponent, and so written? */
static int is_exponent(Look *look, const char *p, const char *end) {
    char high[LONGEST_EXPONENT];
    int length = exponent(p, end, high);
    if (!length)
        return 0;
    write(look, high, length);
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
        int refused = IS_ODD | IS_SPACE; /* words with single blanks go on: one question for a byte, and easily foreseen */
        while (p < end && !(bytes[(unsigned char)*p] & refused))
            refused = IS_ODD | (bytes[(unsigned char)*p++] & IS_SPACE);
        p -= p > start && p[-1] == ' ';
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
    return past_tag(p, end);
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

/* Read the markup that begins with this <; return where it ends. */
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
    p = look->out ? past_tag(p, end) : past_attributes(p, end, flags, &is_hidden);
    begin_element(look, flags, is_hidden);
    if (flags & IS_VOID && !look->is_out_of_memory)
        end_element(look);
    return p;
}

/* Find the visible text. 0: there is not enough memory. The result is to be forgotten in any case. */
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
    free(seen->counts);
}
