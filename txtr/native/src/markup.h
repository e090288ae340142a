/* Markup: how the parser writes its tree out, in UTF-8, as the walks here read it again.

   The markup is well formed: every element that may have content is closed, < and > in texts and values are escaped,
   attributes are in double quotes. Any other text is read somehow, and never beyond its end. */

#ifndef MARKUP_H
#define MARKUP_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OTHER, WIDE, BLANK, NEWLINE }; /* kinds of characters */

#define SLOTS 1024 /* of a table of names, more than three times as many as there are */

typedef struct {
    int16_t slots[SLOTS]; /* numbers of names, counted from 1; 0 is free */
} Names;

static inline int is_named(const char *name, size_t length, const char *wanted) {
    return strlen(wanted) == length && !memcmp(name, wanted, length);
}

/* The same for a name of a table: names are short, and two calls would take longer than this comparison. */
static inline int is_known_as(const char *name, size_t length, const char *known) {
    size_t i = 0;
    while (i < length && known[i] && known[i] == name[i])
        i++;
    return i == length && !known[i];
}

static inline unsigned slot_of(const char *name, size_t length) {
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return (hash ^ hash >> 15) % SLOTS;
}

/* A name that is added again, while another thread looks names up, is written where it is already. */
static inline void add_name(Names *table, const char *name, int32_t number) {
    unsigned slot = slot_of(name, strlen(name));
    while (table->slots[slot] && table->slots[slot] != number + 1)
        slot = (slot + 1) % SLOTS;
    table->slots[slot] = (int16_t)(number + 1);
}

/* An element, and what it is to a walk; the bits have another meaning in each walk. */
typedef struct {
    const char *name;
    int32_t flags;
} Flagged;

/* The flags of the element of this name; 0: the table does not have it. */
static inline int16_t flags_in(const Names *table, const Flagged *tags, const char *name, size_t length) {
    for (unsigned slot = slot_of(name, length); table->slots[slot]; slot = (slot + 1) % SLOTS) {
        const Flagged *tag = &tags[table->slots[slot] - 1];
        if (is_known_as(name, length, tag->name))
            return (int16_t)tag->flags;
    }
    return 0;
}

static inline char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

/* The length of the word, if the text begins with it; 0 if it does not. */
static inline size_t begins_with(const char *text, const char *end, const char *word) {
    size_t i = 0;
    while (word[i] && text + i < end && lower(text[i]) == word[i])
        i++;
    return word[i] ? 0 : i;
}

static inline const char *start_of(const char *p, const char *end, const char *wanted) {
    size_t length = strlen(wanted);
    while (p && (size_t)(end - p) >= length) {
        p = memchr(p, wanted[0], (size_t)(end - p));
        if (p && (size_t)(end - p) >= length && !memcmp(p, wanted, length))
            return p;
        p = p ? p + 1 : p;
    }
    return NULL;
}

/* Behind a comment or the like that begins at p. */
static inline const char *past_comment(const char *p, const char *end) {
    int is_comment = end - p > 3 && p[2] == '-' && p[3] == '-';
    const char *close = start_of(is_comment ? p + 4 : p, end, is_comment ? "-->" : ">");
    return close ? close + (is_comment ? 3 : 1) : end;
}

/* Characters */

static inline int is_blank(unsigned point) {
    return (point >= 9 && point <= 13) || (point >= 28 && point <= 32) || point == 0x85 || point == 0xA0
        || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029
        || point == 0x202F || point == 0x205F || point == 0x3000;
}

static inline int is_wide(unsigned point) {
    return (point >= 0x2E80 && point <= 0x312F) || (point >= 0x3190 && point <= 0xA4CF)
        || (point >= 0xF900 && point <= 0xFAFF) || (point >= 0xFE30 && point <= 0xFE4F)
        || (point >= 0xFF00 && point <= 0xFFEF);
}

/* A letter, digit or sign of ASCII that stands for itself. */
static inline int is_plain(char c) { return (unsigned char)(c - '!') < 0x7F - '!' && c != '&'; }

typedef struct {
    const char *bytes; /* to be written */
    int taken, length, kind;
    unsigned point;
} Character;

static inline Character escaped(const char *p, const char *end) {
    static const struct {
        const char *escape, *bytes;
        int length, kind;
        unsigned point;
    } all[] = {
        {"&amp;", "&", 1, OTHER, '&'}, {"&lt;", "<", 1, OTHER, '<'}, {"&gt;", ">", 1, OTHER, '>'},
        {"&quot;", "\"", 1, OTHER, '"'}, {"&nbsp;", "\xC2\xA0", 2, BLANK, 0xA0}};
    for (int i = 0; i < 5; i++) {
        size_t taken = begins_with(p, end, all[i].escape);
        if (taken)
            return (Character){all[i].bytes, (int)taken, all[i].length, all[i].kind, all[i].point};
    }
    return (Character){p, 1, 1, OTHER, '&'};
}

static inline Character character(const char *p, const char *end) {
    unsigned char c = (unsigned char)*p;
    if (c == ' ')
        return (Character){p, 1, 1, BLANK, c};
    if (c < 0x80) {
        if (c == '&')
            return escaped(p, end);
        return (Character){p, 1, 1, c == '\n' ? NEWLINE : is_blank(c) ? BLANK : OTHER, c};
    }
    int length = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
    if (length > end - p)
        return (Character){p, 1, 1, OTHER, c};
    unsigned point = c & (0xFF >> (length + 1));
    for (int i = 1; i < length; i++)
        point = point << 6 | ((unsigned char)p[i] & 0x3F);
    return (Character){p, length, length, is_blank(point) ? BLANK : is_wide(point) ? WIDE : OTHER, point};
}

static inline const char *past_blanks(const char *p, const char *end) {
    while (p < end && !is_plain(*p)) {
        Character c = character(p, end);
        if (c.kind != BLANK && c.kind != NEWLINE)
            break;
        p += c.taken;
    }
    return p;
}

/* Attributes */

typedef struct {
    const char *name, *value, *end; /* the value ends before its quote */
    size_t length;                  /* of the name */
} Attribute;

/* The attribute at *p, which moves behind it; 0: there is none. A name has no = but at its beginning. */
static inline int next_attribute(const char **p, const char *end, Attribute *found) {
    if (*p >= end || **p != ' ')
        return 0;
    found->name = *p + 1;
    const char *equals = found->name < end ? found->name + 1 : end; /* near: a search would take longer */
    while (equals < end && *equals != '=')
        equals++;
    const char *quote = end - equals > 1 ? memchr(equals + 2, '"', (size_t)(end - equals - 2)) : NULL;
    if (!quote) {
        *p = end;
        return 0;
    }
    found->length = (size_t)(equals - found->name);
    found->value = equals + 2;
    found->end = quote;
    *p = quote + 1;
    return 1;
}

/* Behind the > of a tag. */
static inline const char *past_tag(const char *p, const char *end) {
    p = p < end ? memchr(p, '>', (size_t)(end - p)) : NULL;
    return p ? p + 1 : end;
}

static inline const char *end_of_name(const char *p, const char *end) {
    while (p < end && *p != ' ' && *p != '>')
        p++;
    return p;
}

/* Styles */

static inline int is_style_blank(unsigned point) { return point == ' ' || (point >= '\t' && point <= '\r'); }

static inline const char *past_style_blanks(const char *p, const char *end) {
    while (p < end && is_style_blank((unsigned char)*p))
        p++;
    return p;
}

/* Does this declaration begin here? */
static inline int declares(const char *p, const char *end, const char *name, const char *value) {
    size_t taken = begins_with(p, end, name);
    const char *colon = taken ? past_style_blanks(p + taken, end) : end;
    return colon < end && *colon == ':' && begins_with(past_style_blanks(colon + 1, end), end, value);
}

/* Room for one more, or 0. */
static inline int makes_room(void *array, int64_t count, int64_t *room, size_t size) {
    void **place = array;
    if (count < *room)
        return 1;
    int64_t more = *room ? 2 * *room : 256;
    void *moved = realloc(*place, (size_t)more * size);
    if (!moved)
        return 0;
    *place = moved;
    *room = more;
    return 1;
}

#endif
