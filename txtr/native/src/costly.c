/* The costly tags of a page: the twin of clean/html/costly.py, over a text in UTF-8. */

#include "markup.h"

typedef struct {
    int64_t roots, widest_root, formats, format_characters, widest_link; /* characters of attributes */
} Burden;

enum { LINK, ROOT, FORMAT, KINDS };

static const char *const *costly[KINDS]; /* names of links, roots and formatting; each list ends with NULL */
static uint32_t initials;                /* of all these names, a bit each */

void prepare_burden(const char *const *links, const char *const *roots, const char *const *formats) {
    costly[LINK] = links;
    costly[ROOT] = roots;
    costly[FORMAT] = formats;
    for (int kind = LINK; kind < KINDS; kind++)
        for (const char *const *known = costly[kind]; *known; known++)
            initials |= 1u << (**known & 31);
}

static int is_tag_end(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == '/' || c == '>'; }

/* The kind of the name behind a <; *p moves behind the name. -1: it is of no kind; *p moves behind the <. */
static int kind_of(const char **p, const char *end) {
    const char *name = ++*p, *past = name;
    while (past < end && ((*past >= 'a' && *past <= 'z') || (*past >= 'A' && *past <= 'Z')))
        past++;
    if (past == name || past == end || !is_tag_end(*past) || !(initials >> (*name & 31) & 1))
        return -1;
    for (int kind = LINK; kind < KINDS; kind++)
        for (const char *const *known = costly[kind]; *known; known++)
            if (begins_with(name, past, *known) == (size_t)(past - name)) {
                *p = past;
                return kind;
            }
    return -1;
}

/* Behind the attributes: up to a > that is not in quotes, or to the end. */
static const char *past_values(const char *p, const char *end) {
    while (p < end && *p != '>') {
        if (*p == '"' || *p == '\'') {
            const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
            if (!close)
                return end;
            p = close;
        }
        p++;
    }
    return p;
}

static int64_t characters(const char *p, const char *end) {
    int64_t count = 0;
    for (; p < end; p++)
        count += (*p & 0xC0) != 0x80;
    return count;
}

void weigh(const char *text, int64_t length, Burden *found) {
    const char *p = text, *end = text + length;
    memset(found, 0, sizeof *found);
    while ((p = memchr(p, '<', (size_t)(end - p)))) {
        int kind = kind_of(&p, end);
        if (kind < 0)
            continue;
        const char *past = past_values(p, end);
        int is_narrow = kind == LINK && past - p <= found->widest_link; /* in bytes, so in characters as well */
        int64_t width = is_narrow ? 0 : characters(p, past);
        p = past;
        if (kind == LINK && width > found->widest_link)
            found->widest_link = width;
        else if (kind == ROOT) {
            found->roots++;
            found->widest_root = width > found->widest_root ? width : found->widest_root;
        } else if (kind == FORMAT) {
            found->formats++;
            found->format_characters += width;
        }
    }
}
