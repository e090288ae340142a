/* Boxes that look alike, and the places inside repeated boxes: the twin of clean/content/alike.py. */

#include <stdlib.h>
#include <string.h>

#include "page.h"

enum { FARTHEST = 200 }; /* slots between a look and its own slot; only a page made for it has more collisions */

struct Slot {
    Look look;
    int32_t box; /* the first that looks like this, counted from 1; 0: the slot is free */
};

/* 0: there is not enough memory. */
int prepare_looks(Looks *looks, const char *markup, int32_t most) {
    uint32_t size = 64;
    while (size < 2 * (uint32_t)most)
        size *= 2;
    *looks = (Looks){markup, calloc(size, sizeof *looks->slots), size - 1};
    return looks->slots != NULL;
}

void forget_looks(Looks *looks) { free(looks->slots); }

static uint32_t hash(const char *markup, Look look) {
    uint32_t hash = 2166136261u;
    for (int32_t i = 0; i < look.name_length; i++)
        hash = (hash ^ (unsigned char)markup[look.name + i]) * 16777619u;
    hash = (hash ^ (uint32_t)look.around) * 2654435761u;
    hash = (hash ^ hash >> 15 ^ (uint32_t)look.tag) * 2654435761u;
    return hash ^ hash >> 15;
}

static int is_same(const char *markup, Look one, Look other) {
    return one.around == other.around && one.tag == other.tag && one.name_length == other.name_length
        && !memcmp(markup + one.name, markup + other.name, (size_t)one.name_length);
}

/* The first box that looks like this one; -1: it was not found, for there are too many collisions. */
int32_t first_alike(Looks *looks, Look look, int32_t box) {
    uint32_t start = hash(looks->markup, look);
    for (uint32_t i = 0; i < FARTHEST; i++) {
        struct Slot *slot = &looks->slots[(start + i) & looks->mask];
        if (!slot->box)
            *slot = (struct Slot){look, box + 1};
        else if (!is_same(looks->markup, slot->look, look))
            continue;
        return slot->box - 1;
    }
    return -1;
}

static Look look_of(const Page *page, int32_t box, int32_t around) {
    return (Look){around, page->tag[box], page->first_class[box], page->first_class_length[box]};
}

/* Count the boxes with blocks that look alike, in the place of the first such box. */
static int count_alike(const Page *page, Looks *looks, int32_t *first, int32_t *often) {
    for (int32_t box = 0; box < page->box_count; box++) {
        first[box] = first_alike(looks, look_of(page, box, page->parent[box]), box);
        if (first[box] < 0)
            return 0;
        often[first[box]] += page->end[box] > page->first[box];
    }
    return 1;
}

static int find_ways(const Page *page, Looks *looks, const int32_t *is_item, int32_t fewest, const int32_t *first,
                     const int32_t *often, int32_t *place, int32_t *member) {
    for (int32_t box = 0; box < page->box_count; box++) {
        int32_t parent = page->parent[box], way = parent >= 0 ? place[parent] : 0;
        if (way)
            member[box] = member[parent];
        else if (is_item[page->tag[box]] && often[first[box]] >= fewest) {
            member[box] = box;
            way = ~parent; /* below zero: no place has such a number */
        } else
            continue;
        place[box] = 1 + first_alike(looks, look_of(page, box, way), box);
        if (!place[box])
            return 0;
    }
    return 1;
}

/* For each box a number for its place and the outermost repeated box that it is in; both are 0 before.
   0: there is not enough memory, or too many collisions. */
int ways(const Page *page, const int32_t *is_item, int32_t fewest, int32_t *place, int32_t *member) {
    int32_t *first = calloc(2 * (size_t)page->box_count, sizeof *first), *often = first + page->box_count;
    Looks looks = {0}, places = {0};
    int is_done = first && prepare_looks(&looks, page->markup, page->box_count)
        && prepare_looks(&places, page->markup, page->box_count) && count_alike(page, &looks, first, often)
        && find_ways(page, &places, is_item, fewest, first, often, place, member);
    forget_looks(&looks);
    forget_looks(&places);
    free(first);
    return is_done;
}
