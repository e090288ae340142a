/* The leaves in memory: the twin of store/shelves.py, called by store/native_shelves.py.

   A shelf is found by its domain's first key, in a table of slots; a leaf is found by where it begins. */

#include <stdlib.h>
#include <string.h>

#include "digest.h"

enum {
    STANDING_BITS = 64 - DIGEST_BITS,
    MOST = 96,       /* links in a leaf, as in store/leaf.py */
    GROWTH = 16,     /* links by which the room in a leaf grows: most domains have few */
    FEWEST = 1024,   /* slots */
    UNKNOWN = -1,    /* as in store/keys.py */
    ELSEWHERE = -2,  /* as in native_shelves.py */
    NO_MEMORY = -3,
    NOT_IN_ORDER = -4,
};

static const int64_t DIGESTS = (int64_t)1 << DIGEST_BITS;
static const uint64_t STANDING = ((uint64_t)1 << STANDING_BITS) - 1;

typedef struct {
    int64_t begin, end;
    uint64_t *numbers; /* each a digest and its standing, in order */
    int32_t count, room;
    int is_changed;
} Leaf;

typedef struct {
    int64_t first;
    Leaf *leaves;  /* by where they begin */
    int32_t count; /* 0: the slot is free */
    int64_t asked; /* the number of the tidying after which it was asked for last */
} Shelf;

typedef struct {
    Shelf *slots;
    uint64_t mask;     /* a power of two of slots, less one */
    int64_t used;      /* slots */
    int64_t latest;    /* leaves on the shelves that were asked for since the last tidying */
    int64_t tidyings;
    int64_t *changed;  /* keys of leaves, in any order */
    int64_t changed_count, changed_room;
    int64_t *written;
} Shelves;

/* NULL: there is not enough memory. */
Shelves *open_shelves(void) {
    Shelves *shelves = calloc(1, sizeof *shelves);
    if (shelves == NULL)
        return NULL;
    shelves->mask = FEWEST - 1;
    shelves->slots = calloc(FEWEST, sizeof *shelves->slots);
    if (shelves->slots == NULL) {
        free(shelves);
        return NULL;
    }
    return shelves;
}

static void empty(Shelf *shelf) {
    for (int32_t i = 0; i < shelf->count; i++)
        free(shelf->leaves[i].numbers);
    free(shelf->leaves);
    *shelf = (Shelf){0};
}

void close_shelves(Shelves *shelves) {
    for (uint64_t i = 0; i <= shelves->mask; i++)
        empty(&shelves->slots[i]);
    free(shelves->slots);
    free(shelves->changed);
    free(shelves->written);
    free(shelves);
}

/* --- finding */

/* The shelf of a domain, or the free slot where it would be. */
static Shelf *slot(Shelf *slots, uint64_t mask, int64_t first) {
    uint64_t at = ((uint64_t)first >> DIGEST_BITS) * 0x9e3779b97f4a7c15u >> 32;
    while (slots[at & mask].count && slots[at & mask].first != first)
        at++;
    return &slots[at & mask];
}

/* The place in a shelf of the last leaf that begins before this digest, or with it; -1: there is none. */
static int32_t place(const Shelf *shelf, int64_t digest) {
    int32_t low = 0, high = shelf->count;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (shelf->leaves[middle].begin <= digest)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

static void ask_for(Shelves *shelves, Shelf *shelf) {
    if (shelf->asked != shelves->tidyings) {
        shelf->asked = shelves->tidyings;
        shelves->latest += shelf->count;
    }
}

/* The leaf in which a digest is, or would be; NULL: it is not in memory. */
static Leaf *leaf_of(Shelves *shelves, Shelf *shelf, int64_t digest) {
    if (!shelf->count)
        return NULL;
    ask_for(shelves, shelf);
    int32_t at = place(shelf, digest);
    return at >= 0 && digest < shelf->leaves[at].end ? &shelf->leaves[at] : NULL;
}

/* The place in a leaf where a digest is, or would be. */
static int32_t find(const Leaf *leaf, int64_t digest) {
    uint64_t least = (uint64_t)digest << STANDING_BITS;
    int32_t low = 0, high = leaf->count;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (leaf->numbers[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int is_at(const Leaf *leaf, int32_t at, int64_t digest) {
    return at < leaf->count && (int64_t)(leaf->numbers[at] >> STANDING_BITS) == digest;
}

/* Write the standings of links. */
void stand(Shelves *shelves, int64_t first, const int64_t *digests, int64_t count, int64_t *standings) {
    Shelf *shelf = slot(shelves->slots, shelves->mask, first);
    for (int64_t i = 0; i < count; i++) {
        const Leaf *leaf = leaf_of(shelves, shelf, digests[i]);
        if (leaf == NULL) {
            standings[i] = ELSEWHERE;
            continue;
        }
        int32_t at = find(leaf, digests[i]);
        standings[i] = is_at(leaf, at, digests[i]) ? (int64_t)(leaf->numbers[at] & STANDING) : UNKNOWN;
    }
}

/* The same for paths of several domains, so many of each, all but the last followed by a line end. Their digests are
   written as well. 0: there are fewer paths. */
int meet(
    Shelves *shelves, int64_t domains, const int64_t *firsts, const int64_t *counts, const char *paths, int64_t length,
    int64_t total, int64_t *digests, int64_t *standings
) {
    const char *path = paths, *end = paths + length;
    int64_t met = 0;
    while (met < total && path <= end) {
        const char *stop = memchr(path, '\n', (size_t)(end - path));
        stop = stop == NULL ? end : stop;
        digests[met++] = path_digest(path, stop - path);
        path = stop + 1;
    }
    if (met < total || path <= end)
        return 0;
    for (int64_t i = 0, begin = 0; i < domains; begin += counts[i++])
        stand(shelves, firsts[i], digests + begin, counts[i], standings + begin);
    return 1;
}

/* --- changing */

static int grow(Shelves *shelves) {
    uint64_t mask = 2 * shelves->mask + 1;
    Shelf *slots = calloc(mask + 1, sizeof *slots);
    if (slots == NULL)
        return 0;
    for (uint64_t i = 0; i <= shelves->mask; i++)
        if (shelves->slots[i].count)
            *slot(slots, mask, shelves->slots[i].first) = shelves->slots[i];
    free(shelves->slots);
    shelves->slots = slots;
    shelves->mask = mask;
    return 1;
}

/* Put a leaf in its place; its numbers belong to the shelf from now on. */
static int insert(Shelves *shelves, Shelf *shelf, Leaf leaf) {
    Leaf *leaves = realloc(shelf->leaves, ((size_t)shelf->count + 1) * sizeof *leaves);
    if (leaves == NULL)
        return 0;
    shelf->leaves = leaves;
    int32_t at = place(shelf, leaf.begin) + 1;
    memmove(leaves + at + 1, leaves + at, (size_t)(shelf->count - at) * sizeof *leaves);
    leaves[at] = leaf;
    shelf->count++;
    shelves->latest++;
    return 1;
}

static int make_room(Leaf *leaf, int32_t count) {
    if (count <= leaf->room)
        return 1;
    int32_t room = (count + GROWTH - 1) / GROWTH * GROWTH;
    uint64_t *numbers = realloc(leaf->numbers, (size_t)room * sizeof *numbers);
    if (numbers == NULL)
        return 0;
    leaf->numbers = numbers;
    leaf->room = room;
    return 1;
}

static int is_in_order(int64_t begin, const uint64_t *row, int64_t length) {
    int64_t before = begin - 1;
    for (int64_t i = 1; i < length; i++) {
        int64_t digest = (int64_t)(row[i] >> STANDING_BITS);
        if (digest <= before)
            return 0;
        before = digest;
    }
    return row[0] <= (uint64_t)DIGESTS && before < (int64_t)row[0];
}

/* Take a leaf into memory from its row: where its digests end, and its numbers. Return where its digests end. */
int64_t put(Shelves *shelves, int64_t first, int64_t begin, const uint64_t *row, int64_t length) {
    if (!is_in_order(begin, row, length))
        return NOT_IN_ORDER;
    if (2 * (uint64_t)shelves->used > shelves->mask && !grow(shelves))
        return NO_MEMORY;
    Leaf leaf = {begin, (int64_t)row[0], NULL, 0, 0, 0};
    if (!make_room(&leaf, (int32_t)length)) /* one more than it needs */
        return NO_MEMORY;
    leaf.count = (int32_t)length - 1;
    memcpy(leaf.numbers, row + 1, (size_t)leaf.count * sizeof *row);
    Shelf *shelf = slot(shelves->slots, shelves->mask, first);
    if (!shelf->count) {
        *shelf = (Shelf){.first = first, .asked = shelves->tidyings};
        shelves->used++;
    }
    ask_for(shelves, shelf);
    if (!insert(shelves, shelf, leaf)) {
        free(leaf.numbers);
        return NO_MEMORY;
    }
    return leaf.end;
}

static int note_change(Shelves *shelves, const Shelf *shelf, Leaf *leaf) {
    if (leaf->is_changed)
        return 1;
    if (shelves->changed_count == shelves->changed_room) {
        int64_t room = 2 * shelves->changed_room + FEWEST;
        int64_t *changed = realloc(shelves->changed, (size_t)room * sizeof *changed);
        if (changed == NULL)
            return 0;
        shelves->changed = changed;
        shelves->changed_room = room;
    }
    shelves->changed[shelves->changed_count++] = shelf->first + leaf->begin;
    leaf->is_changed = 1;
    return 1;
}

/* Make two leaves of a leaf that is too full. */
static int part(Shelves *shelves, Shelf *shelf, Leaf *leaf) {
    int32_t half = leaf->count / 2;
    Leaf other = {(int64_t)(leaf->numbers[half] >> STANDING_BITS), leaf->end, NULL, 0, 0, 0};
    if (!make_room(&other, leaf->count - half))
        return 0;
    other.count = leaf->count - half;
    memcpy(other.numbers, leaf->numbers + half, (size_t)other.count * sizeof *other.numbers);
    leaf->count = half;
    leaf->end = other.begin;
    if (!note_change(shelves, shelf, &other) || !insert(shelves, shelf, other)) {
        free(other.numbers);
        return 0;
    }
    return 1;
}

static int set(Shelves *shelves, Shelf *shelf, Leaf *leaf, int64_t digest, uint64_t standing) {
    int32_t at = find(leaf, digest);
    if (!note_change(shelves, shelf, leaf))
        return 0;
    if (!is_at(leaf, at, digest)) {
        if (!make_room(leaf, leaf->count + 1))
            return 0;
        memmove(leaf->numbers + at + 1, leaf->numbers + at, (size_t)(leaf->count - at) * sizeof *leaf->numbers);
        leaf->count++;
    }
    leaf->numbers[at] = (uint64_t)digest << STANDING_BITS | standing;
    return leaf->count <= MOST || part(shelves, shelf, leaf);
}

/* Set the standings of links, up to the first link whose leaf is not in memory; return how many were set. */
int64_t set_some(Shelves *shelves, int64_t first, const int64_t *digests, int64_t count, int64_t standing) {
    Shelf *shelf = slot(shelves->slots, shelves->mask, first);
    for (int64_t i = 0; i < count; i++) {
        Leaf *leaf = leaf_of(shelves, shelf, digests[i]);
        if (leaf == NULL)
            return i;
        if (!set(shelves, shelf, leaf, digests[i], (uint64_t)standing))
            return NO_MEMORY;
    }
    return count;
}

/* Remove links as if they had never been met; return their number in the same way. */
int64_t remove_some(Shelves *shelves, int64_t first, const int64_t *digests, int64_t count) {
    Shelf *shelf = slot(shelves->slots, shelves->mask, first);
    for (int64_t i = 0; i < count; i++) {
        Leaf *leaf = leaf_of(shelves, shelf, digests[i]);
        if (leaf == NULL)
            return i;
        if (!note_change(shelves, shelf, leaf))
            return NO_MEMORY;
        int32_t at = find(leaf, digests[i]);
        if (is_at(leaf, at, digests[i])) {
            leaf->count--;
            memmove(leaf->numbers + at, leaf->numbers + at + 1, (size_t)(leaf->count - at) * sizeof *leaf->numbers);
        }
    }
    return count;
}

/* --- writing */

static int by_key(const void *one, const void *other) {
    int64_t left = *(const int64_t *)one, right = *(const int64_t *)other;
    return (left > right) - (left < right);
}

static Leaf *changed_leaf(Shelves *shelves, int64_t key) {
    int64_t first = key & ~(DIGESTS - 1);
    Shelf *shelf = slot(shelves->slots, shelves->mask, first);
    return &shelf->leaves[place(shelf, key - first)];
}

/* The leaves that were changed since the last time, in the order of their keys: all keys, where each ends among the
   numbers that follow, and these, each leaf's beginning with where its digests end. How many leaves they are. */
int64_t write_changed(Shelves *shelves, int64_t **written) {
    int64_t count = shelves->changed_count, numbers = 0;
    if (count)
        qsort(shelves->changed, (size_t)count, sizeof *shelves->changed, by_key);
    for (int64_t i = 0; i < count; i++)
        numbers += 1 + changed_leaf(shelves, shelves->changed[i])->count;
    free(shelves->written);
    int64_t *to = *written = shelves->written = malloc((size_t)(2 * count + numbers + 1) * sizeof *to);
    if (to == NULL)
        return NO_MEMORY;
    int64_t end = 0;
    for (int64_t i = 0; i < count; i++) {
        Leaf *leaf = changed_leaf(shelves, shelves->changed[i]);
        int64_t *row = to + 2 * count + end;
        row[0] = leaf->end;
        memcpy(row + 1, leaf->numbers, (size_t)leaf->count * sizeof *leaf->numbers);
        end += 1 + leaf->count;
        to[i] = shelves->changed[i];
        to[count + i] = end;
        leaf->is_changed = 0;
    }
    shelves->changed_count = 0;
    return count;
}

/* Forget shelves that were not asked for lately, if there are too many leaves; call it when everything is written.
   Without memory for the others, no shelf is forgotten. */
void tidy(Shelves *shelves, int64_t most) {
    if (shelves->latest <= most / 2)
        return;
    Shelf *slots = calloc(shelves->mask + 1, sizeof *slots);
    if (slots == NULL)
        return;
    shelves->used = 0;
    for (uint64_t i = 0; i <= shelves->mask; i++) {
        Shelf *shelf = &shelves->slots[i];
        if (shelves->latest > most || shelf->asked != shelves->tidyings) {
            empty(shelf);
        } else if (shelf->count) {
            *slot(slots, shelves->mask, shelf->first) = *shelf;
            shelves->used++;
        }
    }
    free(shelves->slots);
    shelves->slots = slots;
    shelves->latest = 0;
    shelves->tidyings++;
}
