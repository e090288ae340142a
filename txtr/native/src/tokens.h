/* Tokens: the markup of a page as it came, in UTF-8, read as the HTML standard's tokenizer does.

   Only common ways of writing are read. Others are left to the parser (is_left): names with odd signs in them, tags
   that do not end, comments that do not end. */

#ifndef TOKENS_H
#define TOKENS_H

#include "markup.h"

#define LONGEST_TAG 32
#define LONGEST_REFERENCE 33  /* bytes of a name, with its semicolon */
#define MOST_ATTRIBUTES 64

typedef struct {
    char *bytes;
    int64_t length, room;
    int is_full; /* a text had no room */
} Written;

typedef struct {
    const char *name, *value, *end; /* as they are written; without a value, both are NULL */
    int length;                     /* of the name */
} Given;

typedef struct {
    char name[LONGEST_TAG]; /* in small letters */
    int length, is_end, is_closed, count;
    const char *tidy, *tidy_end; /* the attributes, if the parser would write them like this; else tidy is NULL */
    Given attributes[MOST_ATTRIBUTES];
} Token;

typedef struct {
    const char *const *names, *const *meanings; /* of references, in the order of their names */
    int32_t count;
} References;

static inline void put(Written *to, const char *bytes, size_t length) {
    if (to->length + (int64_t)length > to->room) {
        to->is_full = 1;
        return;
    }
    memcpy(to->bytes + to->length, bytes, length);
    to->length += (int64_t)length;
}

static inline void put_word(Written *to, const char *word) { put(to, word, strlen(word)); }

static inline int is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }
static inline int is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
static inline int is_figure(char c) { return c >= '0' && c <= '9'; }

static inline const char *past_space(const char *p, const char *end) {
    while (p < end && is_space(*p))
        p++;
    return p;
}

/* References */

static int compared(const char *name, size_t length, const char *known) {
    int order = strncmp(known, name, length);
    return order ? order : known[length] ? 1 : 0;
}

/* The meaning of the name of a reference; NULL: there is no such name. */
static const char *meaning(const References *all, const char *name, size_t length) {
    int32_t low = 0, high = all->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        int order = compared(name, length, all->names[middle]);
        if (!order)
            return all->meanings[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static size_t encoded(unsigned point, char *to) {
    static const unsigned short windows[32] = {
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178};
    if (point >= 0x80 && point < 0xA0)
        point = windows[point - 0x80];
    if (!point || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
        point = 0xFFFD;
    int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned char leads[4] = {0, 0xC0, 0xE0, 0xF0};
    to[0] = (char)(leads[more] | point >> 6 * more);
    for (int i = 1; i <= more; i++)
        to[i] = (char)(0x80 | (point >> 6 * (more - i) & 0x3F));
    return (size_t)more + 1;
}

/* The number of bytes of a reference such as &#228; or &#xE4; at p; 0: there is none. */
static size_t numbered(const char *p, const char *end, char *to, size_t *length) {
    const char *digits = p + 2;
    int is_hexadecimal = digits < end && lower(*digits) == 'x';
    unsigned point = 0;
    digits += is_hexadecimal;
    const char *past = digits;
    for (; past < end; past++) {
        char c = lower(*past);
        int digit = is_figure(c) ? c - '0' : is_hexadecimal && c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0)
            break;
        point = point > 0x10FFFF ? point : point * (is_hexadecimal ? 16 : 10) + (unsigned)digit;
    }
    if (past == digits)
        return 0;
    *length = encoded(point, to);
    return (size_t)(past - p) + (past < end && *past == ';');
}

/* The number of bytes of the reference at p, an &, and its meaning; 0: there is none. */
static size_t reference(const References *all, const char *p, const char *end, int is_value, char *to, size_t *length) {
    if (end - p > 2 && p[1] == '#')
        return numbered(p, end, to, length);
    const char *name = p + 1, *past = name;
    while (past < end && past - name < LONGEST_REFERENCE && (is_letter(*past) || is_figure(*past)))
        past++;
    if (is_value && past < end && *past == '=') /* a parameter of a link */
        return 0;
    size_t size = (size_t)(past - name);
    const char *found = past < end && *past == ';' ? meaning(all, name, size + 1) : NULL;
    if (found)
        size++;
    else /* some need no semicolon, and are the longest of these; in a value they are meant only if nothing follows */
        for (; size > 1 && !(found = meaning(all, name, size)); size--)
            ;
    if (!found)
        return 0;
    past = name + size;
    if (is_value && past[-1] != ';' && past < end && (*past == '=' || is_letter(*past) || is_figure(*past)))
        return 0;
    *length = strlen(found);
    memcpy(to, found, *length);
    return size + 1;
}

/* Texts and values */

enum { AS_TEXT, AS_VALUE, AS_IT_IS }; /* how a text is written: with its escapes, or what it says */

static void put_escaped(Written *to, const char *p, size_t length, int how) {
    const char *end = p + length;
    if (how == AS_IT_IS) {
        put(to, p, length);
        return;
    }
    while (p < end) {
        if (*p == '&')
            put_word(to, "&amp;");
        else if (*p == '<')
            put_word(to, "&lt;");
        else if (*p == '>')
            put_word(to, "&gt;");
        else if (*p == '"' && how == AS_VALUE)
            put_word(to, "&quot;");
        else if (*p == '\xC2' && end - p > 1 && p[1] == '\xA0') {
            put_word(to, "&nbsp;");
            p++;
        } else
            put(to, p, 1);
        p++;
    }
}

/* Behind what stands for itself in a text or a value. */
static inline const char *past_unescaped(const char *p, const char *end) {
    static const char escaped[256] = {['&'] = 1, ['<'] = 1, ['>'] = 1, ['"'] = 1, ['\r'] = 1, [0xC2] = 1};
    while (p < end && !escaped[(unsigned char)*p])
        p++;
    return p;
}

/* The length of the reference at p if it is written again unchanged, as most are; 0: it has to be looked up. */
static inline size_t kept(const char *p, const char *end) {
    return end - p > 4 && !memcmp(p, "&amp;", 5) ? 5 : end - p > 5 && !memcmp(p, "&nbsp;", 6) ? 6 : 0;
}

/* A text or a value with its references, as the parser would write it. */
static void put_text(const References *all, Written *to, const char *p, const char *end, int how, int is_value) {
    char meant[16];
    size_t length = 0;
    while (p < end) {
        const char *start = p;
        p = past_unescaped(p, end);
        put(to, start, (size_t)(p - start));
        if (p == end)
            break;
        size_t taken = how == AS_IT_IS ? 0 : kept(p, end);
        if (taken) {
            put(to, p, taken);
            p += taken;
            continue;
        }
        taken = *p == '&' ? reference(all, p, end, is_value, meant, &length) : 0;
        if (taken) {
            put_escaped(to, meant, length, how);
            p += taken;
        } else if (*p == '\r') {
            put(to, "\n", 1);
            p += 1 + (end - p > 1 && p[1] == '\n');
        } else {
            taken = *p == '\xC2' && end - p > 1 ? 2 : 1;
            put_escaped(to, p, taken, how);
            p += taken;
        }
    }
}

/* A text without references: a comment or a script. */
static void put_raw(Written *to, const char *p, const char *end) {
    while (p < end) {
        const char *next = memchr(p, '\r', (size_t)(end - p));
        put(to, p, (size_t)((next ? next : end) - p));
        if (!next)
            return;
        put(to, "\n", 1);
        p = next + 1 + (end - next > 1 && next[1] == '\n');
    }
}

/* Tags */

static int is_of_tag(char c) { return is_letter(c) || is_figure(c) || c == '-' || c == ':' || c == '_'; }

static const Given *given(const Token *token, const char *name) {
    size_t length = strlen(name);
    for (int i = 0; i < token->count; i++) {
        const Given *found = &token->attributes[i];
        if ((size_t)found->length == length && begins_with(found->name, found->name + length, name))
            return found;
    }
    return NULL;
}

static int is_given(const Token *token, const Given *new) {
    for (int i = 0; i < token->count; i++) {
        const Given *old = &token->attributes[i];
        int at = 0;
        if (old->length != new->length)
            continue;
        while (at < old->length && lower(old->name[at]) == lower(new->name[at]))
            at++;
        if (at == old->length)
            return 1;
    }
    return 0;
}

/* Read the value at *p, behind an equals sign; 0: the page is left. */
static int read_value(const char **p, const char *end, Token *token, Given *new) {
    const char *equals = *p;
    *p = past_space(*p, end);
    if (*p == end)
        return 0;
    char quote = **p;
    if (quote == '"' || quote == '\'') {
        new->value = *p + 1;
        int is_tidy = quote == '"' && new->value - equals == 1;
        new->end = is_tidy ? past_unescaped(new->value, end) : end; /* which may be far behind the other quote */
        if (new->end == end || *new->end != '"') {
            token->tidy = NULL;
            new->end = memchr(new->value, quote, (size_t)(end - new->value));
        }
        *p = new->end ? new->end + 1 : end;
        return new->end != NULL;
    }
    token->tidy = NULL;
    new->value = *p;
    while (*p < end && !is_space(**p) && **p != '>')
        ++*p;
    new->end = *p;
    return *p < end && new->end > new->value;
}

/* Read the attribute at *p; 0: the page is left. */
static int read_attribute(const char **p, const char *end, Token *token) {
    Given new = {.name = *p};
    int is_tidy = *p == token->tidy_end + 1 && (*p)[-1] == ' ';
    for (; *p < end && !is_space(**p) && **p != '/' && **p != '>' && **p != '='; ++*p)
        is_tidy &= **p == lower(**p);
    new.length = (int)(*p - new.name);
    const char *equals = past_space(*p, end);
    if (!new.length || equals == end)
        return 0;
    if (!is_tidy || equals > *p || *equals != '=')
        token->tidy = NULL;
    if (*equals == '=') {
        *p = equals + 1;
        if (!read_value(p, end, token, &new))
            return 0;
    }
    token->tidy_end = *p;
    if (is_given(token, &new)) { /* the first counts */
        token->tidy = NULL;
        return 1;
    }
    if (token->count == MOST_ATTRIBUTES)
        return 0;
    token->attributes[token->count++] = new;
    return 1;
}

/* Read the tag at p, a <; return where it ends, NULL if the page is left. */
static const char *read_tag(const char *p, const char *end, Token *token) {
    token->is_end = end - p > 1 && p[1] == '/';
    token->is_closed = token->count = token->length = 0;
    p += 1 + token->is_end;
    for (; p < end && is_of_tag(*p); p++) {
        if (token->length == LONGEST_TAG - 1)
            return NULL;
        token->name[token->length++] = lower(*p);
    }
    token->name[token->length] = 0;
    token->tidy = token->tidy_end = p;
    while (p < end && *p != '>') {
        if (*p == '/') {
            token->is_closed = end - p > 1 && p[1] == '>';
            p++;
        } else if (is_space(*p))
            p++;
        else if ((p[-1] != '/' && !is_space(p[-1]) && p[-1] != '"' && p[-1] != '\'') || !read_attribute(&p, end, token))
            return NULL;
    }
    return p < end && is_letter(token->name[0]) ? p + 1 : NULL;
}

/* Where the comment ends whose content begins at p, and what is behind it; NULL: it does not. */
static const char *end_of_comment(const char *p, const char *end, const char **past) {
    if (end - p > 0 && *p == '>') {
        *past = p + 1;
        return p;
    }
    if (end - p > 1 && p[0] == '-' && p[1] == '>') {
        *past = p + 2;
        return p;
    }
    for (const char *dash = p; (dash = start_of(dash, end, "--")); dash++) {
        if (end - dash > 2 && dash[2] == '>') {
            *past = dash + 3;
            return dash;
        }
        if (end - dash > 3 && dash[2] == '!' && dash[3] == '>') {
            *past = dash + 4;
            return dash;
        }
    }
    return NULL;
}

static int is_end_of_name(const char *p, const char *end) { return p < end && (is_space(*p) || *p == '/' || *p == '>'); }

/* Where the end tag of this name begins. */
static const char *end_of_raw(const char *p, const char *end, const char *name) {
    size_t length = strlen(name);
    while ((p = start_of(p, end, "</"))) {
        const char *past = p + 2 + length;
        if (begins_with(p + 2, end, name) && is_end_of_name(past, end))
            return p;
        p += 2;
    }
    return NULL;
}

/* Where the end tag of a script begins: a script that is in a comment has an end of its own. */
static const char *end_of_script(const char *p, const char *end) {
    int is_comment = 0, is_inner = 0;
    for (; p < end; p++) {
        if (!is_comment && !(p = memchr(p, '<', (size_t)(end - p))))
            return NULL;
        if (is_comment && begins_with(p, end, "-->"))
            is_comment = is_inner = 0;
        if (*p != '<')
            continue;
        if (begins_with(p, end, "<!--")) {
            is_comment = 1;
            p++; /* its dashes may end it */
        } else if (begins_with(p, end, "</script") && is_end_of_name(p + strlen("</script"), end)) {
            if (!is_inner)
                return p;
            is_inner = 0;
        } else if (is_comment && begins_with(p, end, "<script") && is_end_of_name(p + strlen("<script"), end))
            is_inner = 1;
    }
    return NULL;
}

#endif
