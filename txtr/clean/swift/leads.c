/* Where a page's anchors lead: their links, as links.py finds them in the tree, made canonical where they are as plain
   as urls.py says. What is not plain is given back as it is written.

   Each item ends with a NUL, which no tree contains: a canonical link; WRITTEN and a link as it is written; or
   ELSEWHERE, where another element stands that may lead somewhere. The names are what each anchor begins with. */

#include "markup.h"

#define WRITTEN '\x01'
#define ELSEWHERE '\x02'
#define LONGEST 2000    /* characters of a canonical link */
#define LONGEST_HOST 253
#define LONGEST_LABEL 63
#define LONGEST_EXTENSION 7
#define LONGEST_PARAMETER 32 /* characters of its name: more than any has that is looked for */

enum { IN_PATH = 1, IN_QUERY = 2 };

typedef struct {
    const char *scheme, *server, *directory; /* the beginnings of the page's address; '' if it is not plain */
} Place;

typedef struct {
    char *bytes;
    int64_t length, room;
} Items;

typedef struct {
    Items links, names;
    int32_t has_languages; /* does an anchor name the language that it leads to? */
} Leads;

typedef struct {
    const char *const *pointers;       /* elements that may lead somewhere, but anchors */
    const char *const *unwanted;       /* extensions of files that hold no text */
    const char *const *visitors;       /* parameters that say who is visiting, in small letters */
    const char *const *visitor_starts; /* what such parameters begin with */
    int32_t longest_name;              /* characters of an anchor's text that may be the name of a language */
} Tables;

static Tables tables;
static Names unwanted_names, visitor_names;
static unsigned char characters[256];

static int has_names(Names *table, const char *const *names) {
    int32_t count = 0;
    for (; names[count]; count++) {
        if (count > SLOTS / 3)
            return 0;
        add_name(table, names[count], count);
    }
    return 1;
}

/* The tables live as long as the program; lists end with NULL. 0: there is no room for them. */
int prepare_leads(const Tables *all) {
    if (!has_names(&unwanted_names, all->unwanted) || !has_names(&visitor_names, all->visitors))
        return 0;
    tables = *all;
    for (int c = '0'; c <= 'z'; c++)
        if (c <= '9' || (lower((char)c) >= 'a' && lower((char)c) <= 'z'))
            characters[c] = IN_PATH | IN_QUERY;
    for (const char *p = "_.~!$&'()*+,=:@/-"; *p; p++)
        characters[(unsigned char)*p] |= IN_PATH;
    for (const char *p = "_.~!$&()*+,;=:@/?-"; *p; p++)
        characters[(unsigned char)*p] |= IN_QUERY;
    return 1;
}

static int add(Items *items, const char *bytes, size_t length) {
    if (!length)
        return 1;
    if (items->length + (int64_t)length > items->room) {
        int64_t more = 2 * (items->length + (int64_t)length) + 4096;
        char *moved = realloc(items->bytes, (size_t)more);
        if (!moved)
            return 0;
        items->bytes = moved;
        items->room = more;
    }
    memcpy(items->bytes + items->length, bytes, length);
    items->length += (int64_t)length;
    return 1;
}

/* The characters from p on, unescaped. */
static int add_text(Items *items, const char *p, const char *end) {
    while (p < end) {
        const char *escape = memchr(p, '&', (size_t)(end - p));
        if (!add(items, p, (size_t)((escape ? escape : end) - p)))
            return 0;
        if (!escape)
            return 1;
        Character c = escaped(escape, end);
        if (!add(items, c.bytes, (size_t)c.length))
            return 0;
        p = escape + c.taken;
    }
    return 1;
}

/* Plain links */

static int is_label(const char *p, size_t length) {
    if (!length || length > LONGEST_LABEL || *p == '-' || p[length - 1] == '-')
        return 0;
    for (size_t i = 0; i < length; i++)
        if (!((p[i] >= 'a' && p[i] <= 'z') || (p[i] >= '0' && p[i] <= '9') || p[i] == '-'))
            return 0;
    return length < 4 || memcmp(p, "xn--", 4);
}

/* A name with a top-level domain: no port, number or IDN. */
static int is_server(const char *p, const char *end) {
    if (end - p > LONGEST_HOST)
        return 0;
    for (const char *dot; (dot = memchr(p, '.', (size_t)(end - p))); p = dot + 1)
        if (!is_label(p, (size_t)(dot - p)))
            return 0;
        else if (dot + 1 == end)
            return 0;
    if (end - p < 2 || end - p > LONGEST_LABEL)
        return 0;
    for (const char *c = p; c < end; c++)
        if (*c < 'a' || *c > 'z')
            return 0;
    return 1;
}

static int has_dot(const char *p, const char *end) { return memchr(p, '.', (size_t)(end - p)) != NULL; }

/* Where the path of a plain link begins; NULL if there is more to its server than that. */
static const char *path_of(const char *p, const char *end) {
    size_t scheme = begins_with(p, end, "https://");
    scheme = scheme ? scheme : begins_with(p, end, "http://");
    if (!scheme || memcmp(p, "http", 4)) /* in small letters */
        return NULL;
    const char *host = p + scheme, *path = host;
    while (path < end && *path != '/')
        path++;
    return has_dot(host, path) && is_server(host, path) ? path : NULL;
}

static int is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); }

static int value_of(char c) { return c <= '9' ? c - '0' : c - 'A' + 10; }

/* Is this percent sign part of an escape that is written as it should be, and needed? */
static int is_escape(const char *p, const char *end) {
    if (end - p < 3 || !is_hexadecimal(p[1]) || !is_hexadecimal(p[2]))
        return 0;
    int c = 16 * value_of(p[1]) + value_of(p[2]);
    return !((c >= '0' && c <= '9') || (c < 0x80 && lower((char)c) >= 'a' && lower((char)c) <= 'z'))
        && c != '-' && c != '.' && c != '_' && c != '~';
}

/* Characters of this kind alone, no dot segment, and none in disguise. */
static int is_plain_part(const char *p, const char *end, int kind) {
    for (; p < end; p++) {
        if (*p == '/' && end - p > 1 && (p[1] == '.' || (p[1] == '%' && end - p > 2 && p[2] == '2')))
            return 0;
        if (!(characters[(unsigned char)*p] & kind) && !(*p == '%' && is_escape(p, end)))
            return 0;
    }
    return 1;
}

static int is_among(const Names *table, const char *const *names, const char *p, size_t length) {
    for (unsigned slot = slot_of(p, length); table->slots[slot]; slot = (slot + 1) % SLOTS)
        if (is_named(p, length, names[table->slots[slot] - 1]))
            return 1;
    return 0;
}

/* May this name=value say who is visiting, and nothing else? */
static int is_visitor(const char *p, const char *end) {
    char name[LONGEST_PARAMETER];
    size_t length = 0;
    for (; p < end && *p != '=' && length < LONGEST_PARAMETER; p++)
        name[length++] = lower(*p);
    for (const char *const *start = tables.visitor_starts; *start; start++)
        if (begins_with(name, name + length, *start))
            return 1;
    return is_among(&visitor_names, tables.visitors, name, length);
}

static int is_plain_query(const char *p, const char *end) {
    if (!is_plain_part(p, end, IN_QUERY))
        return 0;
    while (p < end) {
        const char *next = memchr(p, '&', (size_t)(end - p));
        if (is_visitor(p, next ? next : end))
            return 0;
        p = next ? next + 1 : end;
    }
    return 1;
}

static int is_unwanted(const char *path, const char *end) {
    const char *p = end;
    char extension[LONGEST_EXTENSION + 1];
    while (p > path && p[-1] != '/' && p[-1] != '.')
        p--;
    size_t length = (size_t)(end - p);
    if (p - path < 2 || p[-1] != '.' || p[-2] == '/' || length > LONGEST_EXTENSION)
        return 0;
    for (size_t i = 0; i < length; i++)
        extension[i] = lower(p[i]);
    return is_among(&unwanted_names, tables.unwanted, extension, length);
}

/* What a link lacks, as its page has it; NULL if that needs a closer look. */
static const char *beginning(const char *p, const char *end, const Place *place) {
    if (end - p > 3 && !memcmp(p, "http", 4))
        return "";
    if (*p == '/')
        return end - p > 1 && p[1] == '/' ? place->scheme : place->server;
    int is_name = (*p >= '0' && *p <= '9') || (lower(*p) >= 'a' && lower(*p) <= 'z');
    return is_name && *place->directory && !memchr(p, ':', (size_t)(end - p)) ? place->directory : NULL;
}

/* Is it a link to anything but a page, such as mailto: or javascript:? */
static int has_other_scheme(const char *p, const char *end) {
    const char *colon = p;
    while (colon < end && ((lower(*colon) >= 'a' && lower(*colon) <= 'z') || (colon > p && *colon == '-')))
        colon++;
    if (colon == p || colon == end || *colon != ':')
        return 0;
    return !begins_with(p, end, "http:") && !begins_with(p, end, "https:");
}

/* The item that begins at start, and is a link as it is written, becomes canonical if it is plain. */
static int make_canonical(Leads *found, int64_t start, const Place *place) {
    Items *links = &found->links;
    const char *p = links->bytes + start + 1, *end = links->bytes + links->length;
    const char *lacking = beginning(p, end, place);
    if (!lacking)
        return 1;
    char whole[LONGEST + 2];
    size_t before = strlen(lacking);
    const char *fragment = memchr(p, '#', (size_t)(end - p));
    size_t length = (size_t)((fragment ? fragment : end) - p);
    if (before + length > LONGEST)
        return 1;
    memcpy(whole, lacking, before);
    memcpy(whole + before, p, length);
    const char *past = whole + before + length, *query = memchr(whole, '?', before + length);
    const char *path = path_of(whole, query ? query : past);
    if (!path || !is_plain_part(path, query ? query : past, IN_PATH) || (query && !is_plain_query(query + 1, past)))
        return 1;
    if (path == (query ? query : past) && query)
        return 1;
    links->length = start;
    if (is_unwanted(path, query ? query : past))
        return 1;
    return add(links, whole, (size_t)((query && query + 1 == past ? query : past) - whole))
        && (path < past || add(links, "/", 1));
}

/* Anchors */

static int has_nofollow(const char *p, const char *end) {
    while ((p = past_blanks(p, end)) < end) {
        size_t taken = begins_with(p, end, "nofollow");
        if (taken && past_blanks(p + taken, end) != p + taken)
            return 1;
        if (taken && p + taken == end)
            return 1;
        while (p < end) {
            Character c = character(p, end);
            if (c.kind == BLANK || c.kind == NEWLINE)
                break;
            p += c.taken;
        }
    }
    return 0;
}

/* The text that an anchor begins with, without the blanks around it, if it is short. */
static int add_name_of(Leads *found, const char *p, const char *end) {
    while (end - p > 1 && *p == '<' && (p[1] == '!' || p[1] == '?'))
        p = past_comment(p, end);
    const char *close = memchr(p, '<', (size_t)(end - p)), *start = past_blanks(p, close ? close : end), *last = start;
    int32_t count = 0;
    end = close ? close : end;
    while (p < end && count <= tables.longest_name) {
        Character c = character(p, end);
        p += c.taken;
        count++;
        if (c.kind != BLANK && c.kind != NEWLINE)
            last = p;
    }
    if (count <= tables.longest_name && last > start && !add_text(&found->names, start, last))
        return 0;
    return add(&found->names, "", 1);
}

static int add_anchor(Leads *found, const char **p, const char *end, const Place *place) {
    Attribute attribute, href = {0}, relations = {0};
    while (next_attribute(p, end, &attribute))
        if (is_named(attribute.name, attribute.length, "href"))
            href = attribute;
        else if (is_named(attribute.name, attribute.length, "rel"))
            relations = attribute;
        else if (is_named(attribute.name, attribute.length, "hreflang"))
            found->has_languages = 1;
    *p = past_tag(*p, end);
    if (!add_name_of(found, *p, end))
        return 0;
    if (href.value == href.end || *href.value == '#' || has_other_scheme(href.value, href.end)
        || has_nofollow(relations.value, relations.end))
        return 1;
    int64_t start = found->links.length;
    char written = WRITTEN;
    if (!add(&found->links, &written, 1) || !add_text(&found->links, href.value, href.end))
        return 0;
    if (!make_canonical(found, start, place))
        return 0;
    return found->links.length == start || add(&found->links, "", 1);
}

static int is_pointer(const char *name, size_t length) {
    for (const char *const *pointer = tables.pointers; *pointer; pointer++)
        if (is_named(name, length, *pointer))
            return 1;
    return 0;
}

/* 0: there is not enough memory. Whatever was found is to be forgotten in any case. */
int lead(const char *markup, int64_t length, const Place *place, Leads *found) {
    const char elsewhere[] = {ELSEWHERE, '\0'};
    const char *p = markup, *end = markup + length;
    memset(found, 0, sizeof *found);
    while ((p = memchr(p, '<', (size_t)(end - p))) && end - p > 1) {
        if (p[1] == '!' || p[1] == '?') {
            p = past_comment(p, end);
            continue;
        }
        const char *name = p + 1;
        p = end_of_name(name, end);
        size_t size = (size_t)(p - name);
        if (is_named(name, size, "a")) {
            if (!add_anchor(found, &p, end, place))
                return 0;
            continue;
        }
        if (is_pointer(name, size) && !add(&found->links, elsewhere, 2))
            return 0;
        p = past_tag(p, end);
    }
    return 1;
}

void forget_leads(Leads *found) {
    free(found->links.bytes);
    free(found->names.bytes);
}
