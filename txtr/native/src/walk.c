/* The walk through a pruned page: the twin of clean/content/walk.py, over the page's markup instead of its tree.

   native/walk.py says what the elements are and what names hint at (prepare); a walk gives the columns of a Page. */

#include "markup.h"
#include "page.h"

enum { INLINE, BOX, LINK, STRONG, BREAK, RULE };                             /* parts of a page */
enum { IS_ROOT = 1, IS_CELL = 2, IS_LIST = 4, IS_DIV = 8, IS_VERBATIM = 16, IS_VOID = 32 };
enum { NOTHING, A_BLANK, A_LINE };                                           /* what waits for the next character */

#define PAIRS 1024 /* of letters, or of a letter and a hyphen */

typedef struct {
    const char *name;
    int32_t part, flags, bits;
} Tag;

typedef struct {
    const char *word;
    int32_t bit;
} Word;

typedef struct {
    int32_t most_blocks, fewest_entries, most_entries, longest_entry, longest_name, hidden, consent;
    double menu;
} Limits;

typedef struct {
    int32_t linked, links, strong, box;
} Block;

typedef struct {
    int32_t start, length;
} Name; /* its place in the markup */

typedef struct {
    int32_t parent, tag;
    Name name, first_class;
    int32_t hints, tags_around, hints_around, depth, first, end;
} Box;

typedef struct {
    const char *markup;
    char *texts;
    Block *blocks;
    Box *boxes;
    int64_t texts_length;
    int32_t block_count, box_count;
} Found;

typedef struct {
    int64_t start;   /* of its text */
    int32_t size;    /* of its text, in characters */
} Span;

typedef struct {
    int32_t box, tags, hints, in_link;
} Place;

typedef struct {
    Found *found;
    Span *spans;             /* of the blocks */
    Place *inside;           /* what was around each open box */
    int16_t *opened;         /* the tags of the open elements, NO_TAG for those that mean nothing */
    int64_t blocks_room, boxes_room, inside_room, opened_room;
    int64_t depth, unread;   /* open elements; their number when the unread element began */
    int32_t inside_count;
    Place here;
    int32_t in_strong, verbatim;
    int32_t linked, links, strong; /* of the block that is being read */
    int64_t block_start;
    int32_t size;                  /* of its text so far */
    int waiting, has_pieces, is_after_line;
    int is_out_of_memory;
} Walk;

#define NO_TAG (-1)

static const Tag *tags;
static Names tag_names;
static struct {
    const Word *first;
    int32_t count;
} words_of[PAIRS]; /* by their first two letters, the longest first */
static Limits limits;

/* Tables */

static int16_t tag_of(const char *name, size_t length) {
    for (unsigned slot = slot_of(name, length); tag_names.slots[slot]; slot = (slot + 1) % SLOTS) {
        int16_t number = (int16_t)(tag_names.slots[slot] - 1);
        if (is_named(name, length, tags[number].name))
            return number;
    }
    return NO_TAG;
}

static unsigned pair_of(const char *text) { return (unsigned)(text[0] & 31) << 5 | (unsigned)(text[1] & 31); }

/* The tables live as long as the program. Words are in the order of their first two letters, the longest first.
   A second call, while another thread walks, writes what is there already. 0: the tables have no room. */
int prepare(const Tag *all_tags, int32_t count, const Word *words, const Limits *all_limits) {
    if (count > SLOTS / 3)
        return 0;
    tags = all_tags;
    limits = *all_limits;
    for (int32_t i = 0; i < count; i++)
        add_name(&tag_names, tags[i].name, i);
    while (words->word) {
        const Word *first = words;
        while (words->word && !strncmp(first->word, words->word, 2))
            words++;
        unsigned pair = pair_of(first->word);
        if (words_of[pair].first && words_of[pair].first != first)
            return 0;
        words_of[pair].first = first;
        words_of[pair].count = (int32_t)(words - first);
    }
    return 1;
}

/* Behind the character at p, which may be escaped. */
static const char *next_of(const char *p, const char *end) {
    const char *escape = *p == '&' ? memchr(p, ';', (size_t)(end - p)) : NULL;
    if (escape)
        return escape + 1;
    for (p++; p < end && (*p & 0xC0) == 0x80;)
        p++;
    return p;
}

static int32_t hints_of(const char *name, size_t length) {
    const char *end = name + length, *p = name;
    int32_t hints = 0;
    if (end - name > limits.longest_name) {
        for (int32_t i = 0; i < limits.longest_name && p < end; i++)
            p = next_of(p, end);
        end = p;
    }
    while (end - name > 1) {
        size_t taken = 0;
        unsigned pair = pair_of(name);
        for (int32_t i = 0; i < words_of[pair].count && !taken; i++)
            if ((taken = begins_with(name, end, words_of[pair].first[i].word)))
                hints |= words_of[pair].first[i].bit;
        name = taken ? name + taken : is_plain(*name) ? name + 1 : next_of(name, end);
    }
    return hints;
}

/* Memory: room for one more, or the walk is over */

static int has_room(Walk *walk, void *array, int64_t count, int64_t *room, size_t size) {
    int has = makes_room(array, count, room, size);
    walk->is_out_of_memory |= !has;
    return has;
}

/* Blocks */

static void flush(Walk *walk) {
    Found *found = walk->found;
    int64_t length = found->texts_length - walk->block_start;
    if (length && found->block_count < limits.most_blocks) {
        int64_t room = walk->blocks_room;
        if (!has_room(walk, &found->blocks, found->block_count, &room, sizeof(Block))
            || !has_room(walk, &walk->spans, found->block_count, &walk->blocks_room, sizeof(Span)))
            return;
        int32_t box = walk->here.box > 0 ? walk->here.box : 0;
        found->blocks[found->block_count] = (Block){walk->linked, walk->links, walk->strong, box};
        walk->spans[found->block_count++] = (Span){walk->block_start, walk->size};
        found->texts[found->texts_length++] = SEPARATOR;
    } else
        found->texts_length = walk->block_start;
    walk->block_start = found->texts_length;
    walk->linked = walk->links = walk->strong = walk->size = 0;
    walk->has_pieces = walk->is_after_line = 0;
    walk->waiting = NOTHING;
}

static void write(Walk *walk, const char *bytes, int64_t length, int32_t characters) {
    Found *found = walk->found;
    if (walk->waiting != NOTHING && found->texts_length > walk->block_start) {
        found->texts[found->texts_length++] = walk->waiting == A_LINE ? LINE : ' ';
        walk->size++;
    }
    walk->waiting = NOTHING;
    memcpy(found->texts + found->texts_length, bytes, (size_t)length);
    found->texts_length += length;
    walk->size += characters;
}

static void text(Walk *walk, const char *p, const char *end) {
    int32_t size = 0, between = 0; /* characters without the blanks at both ends; blanks since the last */
    int before = OTHER;
    if (walk->unread || p == end)
        return;
    if (!walk->verbatim && past_blanks(p, end) == end) {
        if (walk->has_pieces && walk->waiting == NOTHING)
            walk->waiting = A_BLANK;
        return;
    }
    walk->has_pieces = 1;
    walk->is_after_line = walk->verbatim && end - p == 1 && *p == '\n';
    while (p < end) {
        const char *start = p;
        while (p < end && (is_plain(*p) || (*p == ' ' && p > start && p + 1 < end && is_plain(p[1]))))
            p++;
        if (p > start) { /* words, with single blanks between them */
            int32_t length = (int32_t)(p - start);
            write(walk, start, length, length);
            size += between + length;
            between = 0;
            before = OTHER;
            continue;
        }
        Character c = character(p, end);
        p += c.taken;
        if (c.kind == NEWLINE && walk->verbatim) {
            walk->waiting = A_LINE;
            size += between + 1;
            between = 0;
        } else if (c.kind == NEWLINE && before == WIDE) { /* inside a Chinese or Japanese sentence, perhaps */
            const char *next = past_blanks(p, end);
            if (next < end && character(next, end).kind == WIDE)
                p = next;
            else
                p--, before = OTHER;
            continue;
        } else if (c.kind == BLANK || c.kind == NEWLINE) {
            if (walk->waiting == NOTHING)
                walk->waiting = A_BLANK;
            between += size > 0;
        } else {
            write(walk, c.bytes, c.length, 1);
            size += between + 1;
            between = 0;
        }
        before = c.kind;
    }
    if (walk->here.in_link)
        walk->linked += size;
    if (walk->in_strong)
        walk->strong += size;
}

/* Make one block of a box of links only. */
static int merge_menu(Walk *walk, const Tag *tag) {
    Found *found = walk->found;
    int32_t first = found->boxes[walk->here.box].first, count = found->block_count - first;
    if (count < limits.fewest_entries || count > limits.most_entries)
        return 0;
    int32_t last = found->block_count - 1;
    if (found->blocks[last].linked < limits.menu * walk->spans[last].size / 2)
        return 0;
    Block whole = {0, 0, 0, walk->here.box};
    int32_t size = 0;
    for (int32_t i = first; i <= last; i++) {
        size += walk->spans[i].size;
        whole.linked += found->blocks[i].linked;
        whole.links += found->blocks[i].links;
        whole.strong += found->blocks[i].strong;
    }
    if (whole.linked < limits.menu * size || (tag->flags & IS_DIV && size > limits.longest_entry * count))
        return 0;
    for (int32_t i = first + 1; i <= last; i++)
        found->texts[walk->spans[i].start - 1] = LINE;
    found->blocks[first] = whole;
    walk->spans[first].size = size + count - 1;
    found->block_count = first + 1;
    return 1;
}

/* Elements */

typedef struct {
    Name name, first_class;
    int32_t hints;
    int is_hidden;
} Attributes;

/* The first class of a name, without the digits at its end, by which templates count. */
static Name first_class(const char *markup, const char *p, const char *end) {
    const char *start = p = past_blanks(p, end);
    while (p < end) {
        Character c = character(p, end);
        if (c.kind == BLANK || c.kind == NEWLINE)
            break;
        p += c.taken;
    }
    while (p > start && p[-1] >= '0' && p[-1] <= '9')
        p--;
    return (Name){(int32_t)(start - markup), (int32_t)(p - start)};
}

static int has_style(const char *p, const char *end, const char *name, const char *value) {
    for (; p < end; p++)
        if (declares(p, end, name, value))
            return 1;
    return 0;
}

static void attribute(Attributes *all, const char *markup, const Attribute *found) {
    const char *name = found->name, *value = found->value, *end = found->end;
    size_t length = found->length, size = (size_t)(end - value);
    if (is_named(name, length, "class")) {
        all->name = (Name){(int32_t)(value - markup), (int32_t)size};
        all->first_class = first_class(markup, value, end);
        all->hints |= hints_of(value, size);
    } else if (is_named(name, length, "id") || is_named(name, length, "role") || is_named(name, length, "itemprop"))
        all->hints |= hints_of(value, size);
    else if (is_named(name, length, "hidden"))
        all->is_hidden = 1;
    else if (is_named(name, length, "aria-hidden"))
        all->is_hidden |= is_named(value, size, "true");
    else if (is_named(name, length, "style"))
        all->is_hidden |= has_style(value, end, "display", "none") || has_style(value, end, "visibility", "hidden");
}

/* From behind the tag's name to behind its >. */
static const char *attributes(const char *p, const char *markup, const char *end, Attributes *all) {
    Attribute found;
    while (all && next_attribute(&p, end, &found))
        attribute(all, markup, &found);
    return past_tag(p, end);
}

static void begin_box(Walk *walk, int16_t number, const Attributes *has) {
    Found *found = walk->found;
    const Tag *tag = &tags[number];
    int32_t own = has->hints;
    if (walk->has_pieces)
        flush(walk);
    if (!has_room(walk, &walk->inside, walk->inside_count, &walk->inside_room, sizeof(Place))
        || !has_room(walk, &found->boxes, found->box_count, &walk->boxes_room, sizeof(Box)))
        return;
    walk->inside[walk->inside_count++] = walk->here;
    walk->here.tags |= tag->bits | (has->is_hidden ? limits.hidden : 0);
    walk->here.hints |= own;
    if (tag->flags & IS_ROOT)
        own = walk->here.tags = walk->here.hints = 0;
    if (tag->flags & IS_CELL)
        walk->here.in_link = 0;
    if (tag->flags & IS_VERBATIM)
        walk->verbatim++;
    found->boxes[found->box_count] = (Box){
        walk->here.box, number, has->name, has->first_class, own,
        walk->here.tags, walk->here.hints, walk->inside_count, found->block_count, -1};
    walk->here.box = found->box_count++;
    if (walk->here.tags & limits.hidden && walk->here.hints & limits.consent)
        walk->unread = walk->depth;
}

static void end_element(Walk *walk) {
    Found *found = walk->found;
    if (!walk->depth)
        return;
    if (walk->unread == walk->depth)
        walk->unread = 0;
    int16_t number = walk->opened[--walk->depth];
    if (number == NO_TAG)
        return;
    const Tag *tag = &tags[number];
    if (tag->part == LINK)
        walk->here.in_link--;
    else if (tag->part == STRONG)
        walk->in_strong--;
    else if (tag->part == BOX) {
        if (walk->has_pieces)
            flush(walk);
        if (tag->flags & IS_LIST && merge_menu(walk, tag))
            found->box_count = walk->here.box + 1;
        found->boxes[walk->here.box].end = found->block_count;
        walk->here = walk->inside[--walk->inside_count];
        if (tag->flags & IS_VERBATIM)
            walk->verbatim--;
    }
}

static void begin_element(Walk *walk, int16_t number, const Attributes *has) {
    int part = number == NO_TAG ? INLINE : tags[number].part;
    if (!has_room(walk, &walk->opened, walk->depth, &walk->opened_room, sizeof(int16_t)))
        return;
    walk->opened[walk->depth++] = walk->unread ? NO_TAG : number;
    if (walk->unread)
        return;
    if (part == BOX)
        begin_box(walk, number, has);
    else if (part == LINK) {
        walk->here.in_link++;
        walk->links++;
    } else if (part == STRONG)
        walk->in_strong++;
    else if (part == BREAK && !walk->is_after_line) {
        walk->waiting = A_LINE;
        walk->has_pieces = walk->is_after_line = 1;
    } else if (part == BREAK || part == RULE)
        flush(walk);
}

/* Read the markup that begins with this <; return where it ends. */
static const char *markup_at(Walk *walk, const char *p, const char *end) {
    if (end - p < 2 || p[1] == '/') {
        end_element(walk);
        return past_tag(p, end);
    }
    if (p[1] == '!' || p[1] == '?')
        return past_comment(p, end);
    const char *name = p + 1;
    p = end_of_name(name, end);
    int16_t number = tag_of(name, (size_t)(p - name));
    Attributes has = {0};
    p = attributes(p, walk->found->markup, end, number != NO_TAG && tags[number].part == BOX && !walk->unread ? &has : NULL);
    begin_element(walk, number, &has);
    if (number != NO_TAG && tags[number].flags & IS_VOID && !walk->is_out_of_memory)
        end_element(walk);
    /* Where a text begins with a line feed the parser would skip one, so it is written twice. */
    if (number != NO_TAG && tags[number].flags & IS_VERBATIM && end - p > 1 && p[0] == '\n' && p[1] == '\n')
        p++;
    return p;
}

/* Columns */

static int32_t *column(int32_t **next, const void *field, int32_t count, size_t size) {
    int32_t *column = *next;
    const char *number = field;
    for (int32_t i = 0; i < count; i++, number += size)
        memcpy(&column[i], number, sizeof *column);
    *next += count;
    return column;
}

static void give(const Found *found, int32_t *next, Page *page) {
    const Block *block = found->blocks;
    const Box *box = found->boxes;
    int32_t blocks = page->count = found->block_count, boxes = page->box_count = found->box_count;
    page->texts_length = found->texts_length;
    if (blocks) {
        page->linked = column(&next, &block->linked, blocks, sizeof *block);
        page->links = column(&next, &block->links, blocks, sizeof *block);
        page->strong = column(&next, &block->strong, blocks, sizeof *block);
        page->box = column(&next, &block->box, blocks, sizeof *block);
    }
    if (boxes) {
        page->parent = column(&next, &box->parent, boxes, sizeof *box);
        page->tag = column(&next, &box->tag, boxes, sizeof *box);
        page->name = column(&next, &box->name.start, boxes, sizeof *box);
        page->name_length = column(&next, &box->name.length, boxes, sizeof *box);
        page->first_class = column(&next, &box->first_class.start, boxes, sizeof *box);
        page->first_class_length = column(&next, &box->first_class.length, boxes, sizeof *box);
        page->hints = column(&next, &box->hints, boxes, sizeof *box);
        page->tags_around = column(&next, &box->tags_around, boxes, sizeof *box);
        page->hints_around = column(&next, &box->hints_around, boxes, sizeof *box);
        page->depth = column(&next, &box->depth, boxes, sizeof *box);
        page->first = column(&next, &box->first, boxes, sizeof *box);
        page->end = column(&next, &box->end, boxes, sizeof *box);
    }
}

static int read_through(Found *found, const char *end) {
    const char *p = found->markup;
    Walk state = {.found = found, .here = {.box = -1}};
    while (p < end && !state.is_out_of_memory) {
        const char *next = memchr(p, '<', (size_t)(end - p));
        text(&state, p, next ? next : end);
        if (!next || (found->block_count >= limits.most_blocks && next + 1 < end && next[1] != '/'))
            break;
        p = markup_at(&state, next, end);
    }
    while (state.depth && !state.is_out_of_memory)
        end_element(&state);
    free(state.spans);
    free(state.inside);
    free(state.opened);
    return !state.is_out_of_memory;
}

/* Walk through the page of this markup. 0: there is not enough memory. The page is to be forgotten in any case. */
int walk(Page *page, int64_t length) {
    Found found = {.markup = page->markup, .texts = malloc((size_t)length + 16)};
    int is_done = found.texts && read_through(&found, page->markup + length);
    size_t size = (size_t)found.block_count * sizeof(Block) + (size_t)found.box_count * sizeof(Box);
    int32_t *numbers = is_done ? malloc(size + 1) : NULL;
    page->texts = found.texts;
    page->numbers = numbers;
    if (numbers)
        give(&found, numbers, page);
    free(found.blocks);
    free(found.boxes);
    return numbers != NULL;
}

void forget(Page *page) {
    free(page->texts);
    free(page->numbers);
}
