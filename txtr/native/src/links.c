/* The links of a page, as clean/links.py finds them in the tree, made canonical as urls.py does, each once. A link that
   needs the library of URLs, or a closer look, is given back as it is written.

   Each item ends with a NUL, which no tree contains. A link is one of three items: a canonical link; WRITTEN and a link
   as it is written; or REFRESH and the content of such an element. A hint is three items: hreflang; the text with which
   the anchor begins, if that may be the name of a language; and its link as it is written. */

#include "markup.h"

#define WRITTEN '\x01'
#define REFRESH '\x02'
#define LONGEST 2000 /* characters of a canonical link */
#define LONGEST_WRITTEN (4 * LONGEST)
#define LONGEST_HOST 253
#define LONGEST_LABEL 63
#define LONGEST_EXTENSION 7
#define LONGEST_PARAMETER 32 /* characters of its name: no parameter that is looked for has more */
#define LONGEST_SHAPE 40     /* characters of the name of a language */
#define MOST_STEPS 32        /* to the slot of an item: so links that are made to collide cost no time */

enum { /* what a character is */
    IN_PATH = 1,
    IN_QUERY = 2,
    ESCAPED_IN_PATH = 4,
    ESCAPED_IN_QUERY = 8,
    ENDS_SERVER = 16,
    BEGINS_POINTER = 32,
    NOT_COPIED = 64
};
enum { NO, YES, PERHAPS };

typedef struct {
    const char *scheme, *server, *directory, *page; /* the beginnings of the page's address; '' if it is not plain */
} Place;

typedef struct {
    char *bytes;
    int64_t length, room;
} Items;

typedef struct {
    int64_t place, length; /* in the links; a length of 0 is a free slot */
    unsigned hash;
} Slot;

typedef struct {
    Items links, hints, own, base; /* own: what the page says is its address */
    Slot *slots;
    int64_t count, room; /* of the slots */
    int32_t left;        /* links that are not canonical, or that may be repetitions */
    int32_t has_base;    /* then no links were looked for */
} Leads;

typedef struct {
    const char *name;       /* of a parameter, in small letters, or what it begins with; NULL after the last */
    const char *characters; /* the only ones of its value, in small letters; NULL: the value needs an expression */
    int32_t is_start, least, most; /* how many */
} Value;

typedef struct {
    const char *const *unwanted;       /* extensions of files that hold no text */
    const char *const *visitors;       /* parameters that say who is visiting, in small letters */
    const char *const *visitor_starts; /* what such parameters begin with */
    const Value *values;               /* parameters that say so if their value has this form */
    const char *const *shapes;         /* of names of languages */
    int32_t longest_name;              /* characters of an anchor's text that may be the name of a language */
} Tables;

static Tables tables;
static Names unwanted_names, visitor_names, shapes;
static size_t longest_shape;
static unsigned char characters[256];

static int has_names(Names *table, const char *const *names, size_t longest) {
    int32_t count = 0;
    for (; names[count]; count++) {
        if (count > SLOTS / 3 || strlen(names[count]) > longest)
            return 0;
        add_name(table, names[count], count);
    }
    return 1;
}

static void mark(unsigned char *kinds, const char *all, int kind) {
    for (; *all; all++)
        kinds[(unsigned char)*all] |= (unsigned char)kind;
}

/* The tables live as long as the program; lists end with NULL. 0: there is no room for them. */
int prepare_leads(const Tables *all) {
    if (!has_names(&unwanted_names, all->unwanted, LONGEST_EXTENSION)
        || !has_names(&visitor_names, all->visitors, LONGEST_PARAMETER - 1)
        || !has_names(&shapes, all->shapes, LONGEST_SHAPE))
        return 0;
    for (const char *const *start = all->visitor_starts; *start; start++)
        if (strlen(*start) >= LONGEST_PARAMETER)
            return 0;
    for (const Value *value = all->values; value->name; value++)
        if (strlen(value->name) >= LONGEST_PARAMETER)
            return 0;
    for (const char *const *shape = all->shapes; *shape; shape++)
        longest_shape = strlen(*shape) > longest_shape ? strlen(*shape) : longest_shape;
    tables = *all;

    /* A second call, while another thread reads the table, writes what is there already. */
    unsigned char kinds[256] = {0};
    for (int c = '0'; c <= 'z'; c++)
        if (c <= '9' || (lower((char)c) >= 'a' && lower((char)c) <= 'z'))
            kinds[c] |= IN_PATH | IN_QUERY;
    for (int c = 0x80; c <= 0xFF; c++)
        kinds[c] |= ESCAPED_IN_PATH | ESCAPED_IN_QUERY;
    mark(kinds, "_.~!$&()*+,;=:@-|[]", IN_PATH | IN_QUERY); /* / is the path's own */
    mark(kinds, "'", IN_PATH);
    mark(kinds, "/?^`{}\\", IN_QUERY);
    mark(kinds, " \"<>", ESCAPED_IN_PATH | ESCAPED_IN_QUERY);
    mark(kinds, "'", ESCAPED_IN_QUERY);
    mark(kinds, "/?#", ENDS_SERVER);
    mark(kinds, "abfilm", BEGINS_POINTER);
    mark(kinds, "&\t\n\r", NOT_COPIED);
    memcpy(characters, kinds, sizeof kinds);
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

/* Links */

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
    int has_dot = 0;
    if (end - p > LONGEST_HOST)
        return 0;
    for (const char *dot; (dot = memchr(p, '.', (size_t)(end - p))); p = dot + 1, has_dot = 1)
        if (!is_label(p, (size_t)(dot - p)))
            return 0;
    if (!has_dot || end - p < 2 || end - p > LONGEST_LABEL)
        return 0;
    for (const char *c = p; c < end; c++)
        if (*c < 'a' || *c > 'z')
            return 0;
    return 1;
}

static int is_among(const Names *table, const char *const *names, const char *p, size_t length) {
    for (unsigned slot = slot_of(p, length); table->slots[slot]; slot = (slot + 1) % SLOTS)
        if (is_known_as(p, length, names[table->slots[slot] - 1]))
            return 1;
    return 0;
}

static int has_value(const Value *value, const char *p, const char *end) {
    if (end - p < value->least || end - p > value->most)
        return 0;
    while (p < end && strchr(value->characters, lower(*p)))
        p++;
    return p == end;
}

/* Does this name=value say who is visiting, and nothing else? It holds neither & nor NUL. */
static int is_visitor(const char *p, const char *end) {
    char name[LONGEST_PARAMETER];
    size_t length = 0;
    int found = NO;
    p += begins_with(p, end, "amp;");
    for (; p < end && *p != '='; p++) {
        if (*p == ';' || *p == '/')
            return NO;
        if (length < LONGEST_PARAMETER)
            name[length++] = lower(*p);
    }
    const char *equals = p < end ? p : NULL;
    for (const Value *value = tables.values; equals && value->name; value++) {
        size_t taken = begins_with(name, name + length, value->name);
        if (!taken || (!value->is_start && (taken < length || length == LONGEST_PARAMETER)))
            continue;
        if (!value->characters)
            found = PERHAPS;
        else if (has_value(value, equals + 1, end))
            return YES;
    }
    int is_known = length < LONGEST_PARAMETER && is_among(&visitor_names, tables.visitors, name, length);
    for (const char *const *start = tables.visitor_starts; *start && !is_known; start++)
        is_known = begins_with(name, name + length, *start) > 0;
    while (is_known && p < end && *p != ';' && *p != '/')
        p++;
    return is_known && p == end ? YES : found;
}

/* May this path, in which there is a semicolon, say who is visiting? */
static int may_have_visitor(const char *p, const char *end) {
    while ((p = memchr(p, ';', (size_t)(end - p)))) {
        const char *next = ++p;
        while (next < end && *next != ';' && *next != '/' && *next != '&')
            next++;
        if (next < end && *next == '&') /* in a path, & has no meaning */
            return 1;
        if (is_visitor(p, next) != NO)
            return 1;
    }
    return 0;
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

static int value_of(char c) {
    return c >= '0' && c <= '9' ? c - '0' : lower(c) >= 'a' && lower(c) <= 'f' ? lower(c) - 'a' + 10 : -1;
}

static int is_unreserved(int c) {
    return (c >= '0' && c <= '9') || (c < 0x80 && lower((char)c) >= 'a' && lower((char)c) <= 'z') || c == '-'
        || c == '.' || c == '_' || c == '~';
}

typedef struct {
    char bytes[4 * LONGEST]; /* a link becomes three times as long at most, and may get a root */
    size_t length;
} Output;

static void put(Output *out, char c) { out->bytes[out->length++] = c; }

static void put_escape(Output *out, int c) {
    put(out, '%');
    put(out, "0123456789ABCDEF"[c >> 4]);
    put(out, "0123456789ABCDEF"[c & 15]);
}

/* Write the escape that a percent sign begins, as it should be spelt; return how many characters it had. */
static int put_respelt(Output *out, const char *p, const char *end) {
    int high = end - p > 2 ? value_of(p[1]) : -1, low = high < 0 ? -1 : value_of(p[2]);
    if (low < 0) {
        put_escape(out, '%');
        return 1;
    }
    if (is_unreserved(16 * high + low))
        put(out, (char)(16 * high + low));
    else
        put_escape(out, 16 * high + low);
    return 3;
}

/* Write a segment of the path, or a part of the query. 0: a character needs a closer look. */
static int put_part(Output *out, const char *p, const char *end, int plain, int to_escape) {
    while (p < end) {
        unsigned char c = (unsigned char)*p;
        if (characters[c] & plain)
            put(out, *p++);
        else if (c == '%')
            p += put_respelt(out, p, end);
        else if (characters[c] & to_escape)
            put_escape(out, (unsigned char)*p++);
        else
            return 0;
    }
    return 1;
}

/* May this segment be one or two dots, escaped? */
static int has_escaped_dot(const char *p, const char *end) {
    while ((p = memchr(p, '%', (size_t)(end - p))) && end - p > 2)
        if (*++p == '2' && lower(p[1]) == 'e')
            return 1;
    return 0;
}

/* Write the path, which is empty or begins with a slash, without dot segments. */
static int put_path(Output *out, const char *p, const char *end) {
    size_t start = out->length;
    while (p < end) {
        const char *segment = p + 1, *slash = memchr(segment, '/', (size_t)(end - segment));
        p = slash ? slash : end;
        size_t dots = p > segment && p - segment < 3 && *segment == '.' ? (size_t)(p - segment) : 0;
        if (dots == 1 || (dots == 2 && segment[1] == '.')) {
            if (dots == 2 && out->length > start)
                while (out->bytes[--out->length] != '/')
                    ;
            if (p == end)
                put(out, '/');
            continue;
        }
        put(out, '/');
        if (has_escaped_dot(segment, p) || !put_part(out, segment, p, IN_PATH, ESCAPED_IN_PATH))
            return 0;
    }
    if (out->length == start)
        put(out, '/');
    return 1;
}

/* Write the query, without parameters that only say who is visiting. */
static int put_query(Output *out, const char *p, const char *end) {
    size_t start = out->length;
    char before = '?';
    for (const char *next = p; next; p = next + 1) {
        size_t part = out->length + 1;
        next = memchr(p, '&', (size_t)(end - p));
        put(out, before);
        if (!put_part(out, p, next ? next : end, IN_QUERY, ESCAPED_IN_QUERY))
            return 0;
        int verdict = is_visitor(out->bytes + part, out->bytes + out->length);
        if (verdict == PERHAPS)
            return 0;
        if (verdict == YES)
            out->length = part - 1;
        else
            before = '&';
    }
    if (out->length == start + 1)
        out->length = start;
    return 1;
}

static const char *end_of_server(const char *p, const char *end) {
    while (p < end && !(characters[(unsigned char)*p] & ENDS_SERVER))
        p++;
    return p;
}

/* The part of the page's URL that completes a link; NULL if that needs a closer look. */
static const char *beginning(const char *p, const char *end, const Place *place) {
    if (begins_with(p, end, "http"))
        return "";
    if (*p == '/')
        return end - p > 1 && p[1] == '/' ? place->scheme : place->server;
    if (*p == '?')
        return *place->page ? place->page : NULL;
    int is_name = *p != '#' && !memchr(p, ':', (size_t)(end_of_server(p, end) - p));
    return is_name && *place->directory ? place->directory : NULL;
}

/* Write the whole link, canonical: scheme, server, path, query. NO: it leads to no text. PERHAPS: Python decides. */
static int put_canonical(Output *out, const char *p, const char *end) {
    /* 1. scheme and server */
    size_t scheme = begins_with(p, end, "https://");
    scheme = scheme ? scheme : begins_with(p, end, "http://");
    if (!scheme)
        return PERHAPS;
    const char *path = end_of_server(p + scheme, end), *fragment = memchr(path, '#', (size_t)(end - path));
    while (p < path)
        put(out, lower(*p++));
    if (!is_server(out->bytes + scheme, out->bytes + out->length))
        return PERHAPS;

    /* 2. path */
    end = fragment ? fragment : end;
    const char *query = memchr(path, '?', (size_t)(end - path));
    const char *written = out->bytes + out->length;
    if (!put_path(out, path, query ? query : end))
        return PERHAPS;
    const char *past = out->bytes + out->length, *semicolon = memchr(written, ';', (size_t)(past - written));
    if (semicolon && may_have_visitor(semicolon, past))
        return PERHAPS;
    if (is_unwanted(written, semicolon ? semicolon : past))
        return NO;

    /* 3. query */
    if (query && !put_query(out, query + 1, end))
        return PERHAPS;
    return out->length <= LONGEST ? YES : PERHAPS;
}

/* Write the link without escapes of HTML and without the blanks that the standard ignores. */
static size_t unescaped(char *link, const char *p, const char *end, int *is_ascii) {
    size_t length = 0;
    unsigned char all = 0;
    while (p < end && (unsigned char)*p <= ' ')
        p++;
    while (p < end && (unsigned char)end[-1] <= ' ')
        end--;
    while (p < end) {
        all |= (unsigned char)*p;
        if (!(characters[(unsigned char)*p] & NOT_COPIED)) {
            link[length++] = *p++;
        } else if (*p == '&') {
            Character c = escaped(p, end);
            memcpy(link + length, c.bytes, (size_t)c.length);
            length += (size_t)c.length;
            all |= (unsigned char)*c.bytes;
            p += c.taken;
        } else
            p++;
    }
    *is_ascii = all < 0x80;
    return length;
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

/* Once each */

static unsigned hash_of(const char *p, size_t length) {
    uint64_t hash = length, word = 0;
    for (; length >= 8; p += 8, length -= 8) {
        memcpy(&word, p, 8);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    word = 0;
    memcpy(&word, p, length);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return (unsigned)(hash >> 32);
}

/* The slot of this item, or a free slot; NULL: too many slots on the way are taken. */
static Slot *slot_for(Leads *found, const char *item, int64_t length, unsigned hash) {
    for (unsigned step = 0; step < MOST_STEPS; step++) {
        Slot *slot = &found->slots[(hash + step) & (unsigned)(found->room - 1)];
        if (!slot->length)
            return slot;
        int is_like = slot->hash == hash && slot->length == length;
        if (is_like && !memcmp(found->links.bytes + slot->place, item, (size_t)length))
            return slot;
    }
    return NULL;
}

static int has_slots(Leads *found) {
    if (2 * found->count < found->room)
        return 1;
    Slot *old = found->slots;
    int64_t room = found->room;
    found->room = room ? 2 * room : 512;
    found->slots = calloc((size_t)found->room, sizeof *found->slots);
    for (int64_t i = 0; found->slots && i < room; i++) {
        if (!old[i].length)
            continue;
        Slot *slot = slot_for(found, found->links.bytes + old[i].place, old[i].length, old[i].hash);
        if (slot)
            *slot = old[i];
        else
            found->left++; /* it may be repeated */
    }
    free(old);
    return found->slots != NULL;
}

/* An item that was put together at the end of the links stays only if there is no other like it. */
static int keep_if_new(Leads *found, int64_t start) {
    const char *item = found->links.bytes + start;
    int64_t length = found->links.length - start;
    unsigned hash = hash_of(item, (size_t)length);
    if (!has_slots(found))
        return 0;
    Slot *slot = slot_for(found, item, length, hash);
    if (slot && slot->length) {
        found->links.length = start;
        return 1;
    }
    if (slot) {
        *slot = (Slot){start, length, hash};
        found->count++;
    } else
        found->left++;
    return add(&found->links, "", 1);
}

static int add_written(Leads *found, char kind, const Attribute *written) {
    int64_t start = found->links.length;
    found->left++;
    return add(&found->links, &kind, 1) && add_text(&found->links, written->value, written->end)
        && keep_if_new(found, start);
}

/* Write a link that is written like this, made canonical. */
static int make_canonical(Output *out, const Attribute *written, const Place *place, int is_utf8) {
    char whole[LONGEST + LONGEST_WRITTEN], *link = whole + LONGEST; /* the part that completes it is written before it */
    int is_ascii = 1;
    out->length = 0;
    if (written->end - written->value > LONGEST_WRITTEN)
        return PERHAPS;
    size_t length = unescaped(link, written->value, written->end, &is_ascii);
    const char *lacking = length ? beginning(link, link + length, place) : NULL;
    if (!lacking || (!is_ascii && !is_utf8 && memchr(link, '?', length)))
        return PERHAPS;
    size_t before = strlen(lacking);
    if (before + length > LONGEST)
        return PERHAPS;
    memcpy(link - before, lacking, before);
    return put_canonical(out, link - before, link + length);
}

/* Add a link that is written like this, if it leads to a page. */
static int add_link(Leads *found, const Attribute *written, const Place *place, int is_utf8) {
    Output out;
    int64_t start = found->links.length;
    if (written->value == written->end || *written->value == '#' || has_other_scheme(written->value, written->end))
        return 1;
    int verdict = make_canonical(&out, written, place, is_utf8);
    if (verdict == PERHAPS)
        return add_written(found, WRITTEN, written);
    return verdict == NO || (add(&found->links, out.bytes, out.length) && keep_if_new(found, start));
}

/* Elements */

enum { NOFOLLOW = 1, STYLESHEET = 2, CANONICAL = 4, ALTERNATE = 8, NEIGHBOUR = 16 }; /* relations */

static const char *end_of_word(const char *p, const char *end) {
    while (p < end) {
        Character c = character(p, end);
        if (c.kind == BLANK || c.kind == NEWLINE)
            break;
        p += c.taken;
    }
    return p;
}

/* Is this text the word, in small or large letters? */
static int is_word(const char *p, const char *end, const char *word) {
    size_t taken = begins_with(p, end, word);
    return taken && p + taken == end;
}

static int relations_of(const char *p, const char *end) {
    static const struct {
        const char *word;
        int relation;
    } all[] = {{"nofollow", NOFOLLOW},   {"stylesheet", STYLESHEET}, {"canonical", CANONICAL},
               {"alternate", ALTERNATE}, {"next", NEIGHBOUR},        {"prev", NEIGHBOUR}};
    int relations = 0;
    while ((p = past_blanks(p, end)) < end) {
        const char *past = end_of_word(p, end);
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            if (is_word(p, past, all[i].word))
                relations |= all[i].relation;
        p = past;
    }
    return relations;
}

/* Is this value, without the blanks around it, this word? */
static int says(const Attribute *attribute, const char *word) {
    const char *p = past_blanks(attribute->value, attribute->end), *past = end_of_word(p, attribute->end);
    return is_word(p, past, word) && past_blanks(past, attribute->end) == attribute->end;
}

static int is_feed(const Attribute *type) {
    return past_blanks(type->value, type->end) < type->end && !says(type, "text/html")
        && !says(type, "application/xhtml+xml");
}

/* What all spellings of a letter have in common, of ASCII, Cyrillic and East Asia; other letters are alike. */
static char shape_of(unsigned point) {
    if (point < 0x80)
        return lower((char)point);
    if (point >= 0x410 && point < 0x450)
        return (char)(0x80 | (point & 0x1F));
    if (point >= 0x2E80 && point < 0xA640)
        return (char)(0x80 | (point & 0x7F));
    return point == 0x212A ? 'k' : '\x7F'; /* Kelvin's sign */
}

/* The text with which an anchor begins, without blanks around it, if it looks like the name of a language. */
static int find_name(const char **p, const char **end) {
    char shape[LONGEST_SHAPE + 1];
    size_t length = 0;
    int32_t count = 0;
    while (*end - *p > 1 && **p == '<' && (*p)[1] == '!')
        *p = past_comment(*p, *end);
    const char *close = memchr(*p, '<', (size_t)(*end - *p)), *start = *p, *last = *p;
    close = close ? close : *end;
    size_t trimmed = 0;
    for (const char *q = *p; q < close;) {
        Character c = character(q, close);
        if (++count > tables.longest_name)
            return 0;
        q += c.taken;
        int is_blank = c.kind == BLANK || c.kind == NEWLINE;
        if (is_blank && !length) {
            start = last = q;
            continue;
        }
        if (length >= longest_shape) {
            if (!is_blank)
                return 0;
            continue;
        }
        shape[length++] = shape_of(c.point);
        if (!is_blank) {
            last = q;
            trimmed = length;
        }
    }
    *p = start;
    *end = last;
    return trimmed && is_among(&shapes, tables.shapes, shape, trimmed);
}

static int add_item(Items *items, const char *p, const char *end) {
    return add_text(items, p, end) && add(items, "", 1);
}

enum { ANCHOR, AREA, BASE, FRAME, LINK, META, NOTHING };

static int kind_of(const char *name, size_t length) {
    switch (length) {
    case 1:
        return *name == 'a' ? ANCHOR : NOTHING;
    case 4:
        return !memcmp(name, "link", 4) ? LINK : !memcmp(name, "meta", 4) ? META : !memcmp(name, "area", 4) ? AREA
            : !memcmp(name, "base", 4) ? BASE : NOTHING;
    case 5:
        return !memcmp(name, "frame", 5) ? FRAME : NOTHING;
    case 6:
        return !memcmp(name, "iframe", 6) ? FRAME : NOTHING;
    }
    return NOTHING;
}

/* The attributes of an element that may lead elsewhere; a missing attribute has no name. */
typedef struct {
    Attribute href, relations, language, source, type, equivalent, content;
} Said;

static void read_attributes(Said *said, const char **p, const char *end) {
    Attribute attribute;
    memset(said, 0, sizeof *said);
    while (next_attribute(p, end, &attribute)) {
        const char *name = attribute.name;
        switch (attribute.length) {
        case 3:
            if (!memcmp(name, "rel", 3))
                said->relations = attribute;
            else if (!memcmp(name, "src", 3))
                said->source = attribute;
            break;
        case 4:
            if (!memcmp(name, "href", 4))
                said->href = attribute;
            else if (!memcmp(name, "type", 4))
                said->type = attribute;
            break;
        case 7:
            if (!memcmp(name, "content", 7))
                said->content = attribute;
            break;
        case 8:
            if (!memcmp(name, "hreflang", 8))
                said->language = attribute;
            break;
        case 10:
            if (!memcmp(name, "http-equiv", 10))
                said->equivalent = attribute;
        }
    }
    *p = past_tag(*p, end);
}

static int add_hint(Leads *found, const Said *said, const char *name, const char *end) {
    return add_item(&found->hints, said->language.value, said->language.end) && add_item(&found->hints, name, end)
        && add_item(&found->hints, said->href.value, said->href.end);
}

/* Add the link of an element of this kind, if it is to be followed. */
static int follow(Leads *found, int kind, const Said *said, const Place *place, int is_utf8) {
    const Attribute *link = kind == FRAME ? &said->source : &said->href;
    int relations = kind == FRAME || kind == META ? 0 : relations_of(said->relations.value, said->relations.end);
    if (kind == META) {
        if (!says(&said->equivalent, "refresh") || said->content.value == said->content.end)
            return 1;
        return add_written(found, REFRESH, &said->content);
    }
    if (kind == LINK && relations & CANONICAL && !add_item(&found->own, said->href.value, said->href.end))
        return 0;
    if (relations & NOFOLLOW)
        return 1;
    if (kind == LINK && (relations & STYLESHEET || !(relations & (CANONICAL | ALTERNATE | NEIGHBOUR))))
        return 1;
    if (kind == LINK && relations & ALTERNATE && is_feed(&said->type))
        return 1;
    return add_link(found, link, place, is_utf8);
}

/* Find the links of a page. 0: there is not enough memory. The result is to be forgotten in any case. If the page
   may have a base and has one, only the base is found. */
int lead(const char *markup, int64_t length, const Place *place, int is_utf8, int may_have_base, Leads *found) {
    const char *p = markup, *end = markup + length;
    Said said;
    memset(found, 0, sizeof *found);
    while ((p = memchr(p, '<', (size_t)(end - p))) && end - p > 1) {
        if (p[1] == '!' || p[1] == '?') {
            p = past_comment(p, end);
            continue;
        }
        const char *name = ++p;
        if (!(characters[(unsigned char)*name] & BEGINS_POINTER)) {
            p = past_tag(p, end);
            continue;
        }
        p = end_of_name(name, end);
        int kind = kind_of(name, (size_t)(p - name));
        if (kind == NOTHING) {
            p = past_tag(p, end);
            continue;
        }
        read_attributes(&said, &p, end);
        if (kind == BASE && may_have_base && said.href.name) {
            found->has_base = 1;
            return add_item(&found->base, said.href.value, said.href.end);
        }
        const char *text = p, *text_end = end;
        int has_name = kind == ANCHOR && find_name(&text, &text_end);
        if ((has_name || said.language.value != said.language.end)
            && !add_hint(found, &said, text, has_name ? text_end : text))
            return 0;
        if (kind != BASE && !follow(found, kind, &said, place, is_utf8))
            return 0;
    }
    return 1;
}

void forget_leads(Leads *found) {
    free(found->links.bytes);
    free(found->hints.bytes);
    free(found->own.bytes);
    free(found->base.bytes);
    free(found->slots);
}
