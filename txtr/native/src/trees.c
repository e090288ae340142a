/* The features of a page's blocks, as features.py computes them, and the scores that the trees give the blocks.

   Every sum is made in the same order as in Python, so that the scores are the same to the last bit. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

enum { OWN = 32, SPAN = 5, SPANS = 14, SAME = 5, PAGE = 22, MOST_COLUMNS = 128 };
enum { ROWS = 32 }; /* rows that go through the trees together: as many as the processor keeps at hand */

typedef struct {
    double number;    /* the threshold of a decision, the value of a leaf */
    uint16_t column;  /* that a decision is about */
    uint16_t step[2]; /* how far it is to the next node, when the value is not beyond the number, and when it is;
                         from a leaf it is 0, so that a path may be followed longer than it is */
} Node;

typedef struct {
    int32_t count, round_of; /* trees; a row goes through so many in a round */
    double sure;             /* a score, above or below zero, after which no more rounds follow */
    const int32_t *starts;   /* of each tree in the nodes */
    const int32_t *depths;   /* its longest path */
    const Node *nodes;
} Forest;

typedef struct {
    int32_t tags, hints, hints_near;              /* how many bits there are of each */
    const int32_t *tag_bits, *hint_bits, *near_bits;
    int32_t comment;                              /* the hint of readers' comments */
    int32_t long_chars, far, near, wide, levels, few; /* as features.py has them */
    double prose, most;
    int32_t ends;                                 /* how many characters end a sentence */
    const int32_t *end_points;                    /* which these are */
    const int32_t *kinds;                         /* of each tag */
    int32_t paragraph, cell, first_heading, last_heading; /* kinds; the first heading is h1 */
} Rules;

typedef struct {
    double of[SAME];
} Same;

typedef struct {
    const Page *page;
    const Rules *rules;
    const double *titles;            /* how much of the page's title each block is */
    const double *said;              /* what the page says it is, and how many elements of some kinds it has */
    int32_t *sizes, *marks, *ends, *lines, *kinds; /* of blocks; sizes are in characters */
    int32_t *group;                  /* the first box that looks like this one, -1 for none */
    double *density;
    int64_t *chars, *linked, *prose; /* running sums */
    Same *same;                      /* of each box */
    int32_t *up, *level;
    double total, total_prose, top_share, second_share, most_same, most_same_share;
    int32_t top, hub;
} Measured;

static int32_t at_least_0(int32_t number) { return number > 0 ? number : 0; }

static int64_t inside(const Measured *all, const int64_t *sums, int32_t box) {
    return sums[all->page->end[box]] - sums[all->page->first[box]];
}

/* Texts */

static int32_t last_point(const char *start, const char *end) {
    const char *p = end - 1;
    while (p > start && (*p & 0xC0) == 0x80)
        p--;
    unsigned char c = (unsigned char)*p;
    int32_t point = c < 0x80 ? c : c < 0xE0 ? c & 0x1F : c < 0xF0 ? c & 0x0F : c & 0x07;
    while (++p < end)
        point = point << 6 | (*p & 0x3F);
    return point;
}

/* Is it a comma or full stop of Chinese or Japanese? */
static int is_wide_mark(const char *p, const char *end) {
    return end - p >= 3 && (!memcmp(p, "，", 3) || !memcmp(p, "。", 3) || !memcmp(p, "、", 3));
}

static void read_text(const Measured *all, int32_t i, const char *start, const char *end) {
    int32_t size = 0, marks = 0, lines = 0, is_end = 0;
    for (const char *p = start; p < end; p++) {
        size += (*p & 0xC0) != 0x80;
        lines += *p == LINE;
        marks += *p == ',' || *p == '.' || ((unsigned char)*p >= 0xE0 && is_wide_mark(p, end));
    }
    int32_t last = last_point(start, end);
    for (int32_t number = 0; number < all->rules->ends; number++)
        is_end |= last == all->rules->end_points[number];
    all->sizes[i] = size;
    all->lines[i] = lines;
    all->marks[i] = size > all->rules->few ? marks : 0;
    all->ends[i] = is_end;
    all->kinds[i] = all->rules->kinds[all->page->tag[all->page->box[i]]];
}

static void read_texts(const Measured *all) {
    const char *p = all->page->texts, *end = p + all->page->texts_length;
    for (int32_t i = 0; i < all->page->count; i++) {
        const char *separator = memchr(p, SEPARATOR, (size_t)(end - p));
        read_text(all, i, p, separator);
        p = separator + 1;
    }
}

/* Empty boxes, paragraphs and cells are in no group. */
static int find_groups(const Measured *all) {
    const Page *page = all->page;
    Looks looks;
    int is_done = prepare_looks(&looks, page->markup, page->box_count);
    for (int32_t box = 0; box < page->box_count && is_done; box++) {
        int32_t kind = all->rules->kinds[page->tag[box]];
        int is_in_none = page->end[box] <= page->first[box] || kind == all->rules->paragraph || kind == all->rules->cell;
        Look look = {page->parent[box], page->tag[box], page->name[box], page->name_length[box]};
        all->group[box] = is_in_none ? -1 : first_alike(&looks, look, box);
        is_done = is_in_none || all->group[box] >= 0;
    }
    forget_looks(&looks);
    return is_done;
}

/* Measures of the page */

static void add_up(Measured *all) {
    const Page *page = all->page;
    for (int32_t i = 0; i < page->count; i++) {
        int32_t chars = all->sizes[i], linked = page->linked[i];
        all->density[i] = linked < chars ? (double)linked / chars : 1.0;
        int is_prose = chars >= all->rules->long_chars && all->density[i] < all->rules->prose;
        all->chars[i + 1] = all->chars[i] + chars;
        all->linked[i + 1] = all->linked[i] + linked;
        all->prose[i + 1] = all->prose[i] + (is_prose ? chars : 0);
    }
    all->total = (double)all->chars[page->count];
    all->total_prose = all->prose[page->count] ? (double)all->prose[page->count] : 1.0;
}

/* The box that holds most prose directly, and how much that is; and the second. */
static int find_tops(Measured *all) {
    const Page *page = all->page;
    double *held = calloc((size_t)page->box_count, sizeof *held);
    if (!held)
        return 0;
    for (int32_t i = 0; i < page->count; i++) {
        int64_t prose = all->prose[i + 1] - all->prose[i];
        int32_t parent = at_least_0(page->parent[page->box[i]]);
        held[parent] += (double)prose;
        held[at_least_0(page->parent[parent])] += (double)prose / 2;
    }
    double best = 0.0, second = 0.0;
    for (int32_t box = 0; box < page->box_count; box++)
        if (held[box] > best) {
            second = best;
            best = held[box];
            all->top = box;
        } else if (held[box] > second)
            second = held[box];
    all->top_share = best / all->total_prose;
    all->second_share = second / all->total_prose;
    free(held);
    return 1;
}

/* The smallest box with most of the prose in it: such boxes contain each other, outer ones first. */
static void find_hub(Measured *all) {
    double least = all->rules->most * (double)all->prose[all->page->count];
    for (int32_t box = 0; box < all->page->box_count; box++)
        if ((double)inside(all, all->prose, box) >= (least > 1 ? least : 1))
            all->hub = box;
}

/* From each box: the levels up to the first box that also holds the top, and from there down to the top. */
static void find_ways(Measured *all) {
    const int32_t *parent = all->page->parent;
    for (int32_t box = 0; box < all->page->box_count; box++)
        all->up[box] = -1;
    int32_t way = 0;
    for (int32_t box = all->top; box >= 0; box = parent[box])
        all->up[box] = way++;
    for (int32_t box = 0; box < all->page->box_count; box++)
        if (all->up[box] < 0) {
            all->up[box] = all->up[at_least_0(parent[box])];
            all->level[box] = all->level[at_least_0(parent[box])] + 1;
        }
}

/* For each box, what all boxes that look like it hold together. A box inside a repeated box has the numbers of that
   one, unless that one is repeated only twice. */
static int find_repeated(Measured *all) {
    const Page *page = all->page;
    int64_t(*held)[4] = calloc((size_t)page->box_count, sizeof *held); /* boxes, chars, linked, prose of a group */
    if (!held)
        return 0;
    for (int32_t box = 0; box < page->box_count; box++)
        if (all->group[box] >= 0) {
            int64_t *group = held[all->group[box]];
            group[0]++;
            group[1] += inside(all, all->chars, box);
            group[2] += inside(all, all->linked, box);
            group[3] += inside(all, all->prose, box);
        }
    for (int32_t box = 0; box < page->box_count; box++) {
        const int64_t *group = all->group[box] >= 0 ? held[all->group[box]] : NULL;
        Same outer = {{1.0, 0.0, 0.0, 0.0, 0.0}};
        if (page->parent[box] >= 0)
            outer = all->same[page->parent[box]];
        Same own = outer;
        if (group && group[0] > 1) {
            double count = (double)group[0], chars = (double)group[1];
            own = (Same){{count, chars / count, (double)group[2] / chars, (double)group[3] / chars, chars / all->total}};
            if (group[0] > 2 && own.of[4] > all->most_same_share) {
                all->most_same = own.of[0];
                all->most_same_share = own.of[4];
            }
        }
        all->same[box] = outer.of[0] > 2 ? outer : own;
    }
    free(held);
    return 1;
}

/* Parts of a row */

static void span(const Measured *all, int32_t box, double *row) {
    double chars = (double)inside(all, all->chars, box);
    chars = chars > 0 ? chars : 1;
    row[0] = log1p(chars);
    row[1] = (double)inside(all, all->linked, box) / chars;
    row[2] = all->page->end[box] - all->page->first[box];
    row[3] = (double)inside(all, all->prose, box) / chars;
    row[4] = chars / all->total;
}

static void spans(const Measured *all, int32_t parent, double *row) {
    const int32_t *parents = all->page->parent;
    int32_t grand = at_least_0(parents[parent]), section = grand;
    for (int32_t i = 0; i < all->rules->levels; i++)
        section = at_least_0(parents[section]);
    span(all, parent, row);
    span(all, grand, row + SPAN);
    double wide[SPAN];
    span(all, section, wide);
    memcpy(row + 2 * SPAN, wide, 3 * sizeof *row);
    row[2 * SPAN + 3] = wide[4];
}

static double *unpacked(int32_t bits, const int32_t *all, int32_t count, double *row) {
    for (int32_t i = 0; i < count; i++)
        *row++ = (bits & all[i]) != 0;
    return row;
}

/* The sum over the blocks that are at most `reach` away. */
static double around(const Measured *all, const int64_t *sums, int32_t block, int32_t reach) {
    int32_t from = block - reach, to = block + reach + 1;
    return (double)(sums[to < all->page->count ? to : all->page->count] - sums[from > 0 ? from : 0]);
}

static void own(const Measured *all, int32_t i, int32_t since_heading, int32_t since_h1, double *row) {
    const Page *page = all->page;
    int32_t count = page->count, box = page->box[i], chars = all->sizes[i];
    int32_t first = page->first[all->hub], end = page->end[all->hub];
    int is_first = i == 0, is_last = i + 1 == count;
    double near = around(all, all->chars, i, all->rules->near), wide = around(all, all->chars, i, all->rules->wide);
    int32_t up = all->up[box], level = all->level[box];
    double values[OWN] = {
        log1p(chars), page->links[i], all->density[i], (double)page->strong[i] / chars,
        (double)all->marks[i] / chars, all->marks[i], all->ends[i], all->lines[i], all->kinds[i],
        all->titles[i], (double)i / count, (double)all->chars[i] / all->total,
        (double)all->prose[i] / all->total_prose, since_heading, since_h1,
        is_first ? 0.0 : log1p(all->sizes[i - 1]), is_first ? 0.0 : all->density[i - 1],
        is_first ? 0.0 : all->kinds[i - 1], is_last ? 0.0 : log1p(all->sizes[i + 1]),
        is_last ? 0.0 : all->density[i + 1], is_last ? 0.0 : all->kinds[i + 1],
        log1p(near), around(all, all->linked, i, all->rules->near) / near,
        around(all, all->linked, i, all->rules->wide) / wide, around(all, all->prose, i, all->rules->wide) / wide,
        first <= i && i < end, i - first, end - i, page->depth[box], up, level, up > level ? up : level,
    };
    memcpy(row, values, sizeof values);
}

static void whole(const Measured *all, double *row) {
    const Page *page = all->page;
    double hub[SPAN];
    int64_t comment = 0;
    span(all, all->hub, hub);
    for (int32_t i = 0; i < page->count; i++)
        if (page->hints_around[page->box[i]] & all->rules->comment)
            comment += all->sizes[i];
    double values[PAGE] = {
        log1p(all->total), page->count, (double)all->linked[page->count] / all->total, log1p(all->total_prose),
        all->total_prose / all->total, all->top_share, all->second_share, hub[4], hub[1],
        (double)comment / all->total,
        all->said[0], all->said[1], all->said[2], all->said[3], all->said[4],
        all->said[5], all->said[6], all->said[7], all->said[8], all->said[9],
        all->most_same, all->most_same_share,
    };
    memcpy(row, values, sizeof values);
}

/* The trees */

/* Add a tree's numbers to these rows. All rows take a step before one takes its next: so the processor neither waits
   for a number nor guesses which way a row will go. */
static void ask(const Node *tree, int32_t depth, double *const *rows, int32_t count, double *said) {
    const Node *at[ROWS];
    for (int32_t i = 0; i < count; i++)
        at[i] = tree;
    for (int32_t level = 0; level < depth; level++)
        for (int32_t i = 0; i < count; i++)
            at[i] += at[i]->step[rows[i][at[i]->column] > at[i]->number];
    for (int32_t i = 0; i < count; i++)
        said[i] = at[i]->number;
}

static void score(const Forest *forest, double rows[][MOST_COLUMNS], int32_t count, double *scores) {
    double *unsure[ROWS], said[ROWS], round[ROWS];
    int32_t number[ROWS]; /* of an unsure row */
    for (int32_t i = 0; i < count; i++) {
        unsure[i] = rows[i];
        number[i] = i;
        scores[i] = 0.0;
    }
    for (int32_t start = 0; start < forest->count && count; start += forest->round_of) {
        for (int32_t tree = start; tree < forest->count && tree < start + forest->round_of; tree++) {
            ask(forest->nodes + forest->starts[tree], forest->depths[tree], unsure, count, said);
            for (int32_t i = 0; i < count; i++)
                round[i] = tree == start ? said[i] : round[i] + said[i];
        }
        int32_t left = 0;
        for (int32_t i = 0; i < count; i++) {
            double sum = scores[number[i]] += round[i];
            unsure[left] = unsure[i];
            number[left] = number[i];
            left += -forest->sure < sum && sum < forest->sure;
        }
        count = left;
    }
}

static void score_all(const Measured *all, const Forest *forest, double *scores) {
    const Page *page = all->page;
    const Rules *rules = all->rules;
    double rows[ROWS][MOST_COLUMNS], of_page[PAGE];
    int32_t since_heading = rules->far, since_h1 = rules->far, shown = 0;
    whole(all, of_page);
    for (int32_t i = 0; i < page->count; i++) {
        int32_t box = page->box[i], parent = at_least_0(page->parent[box]);
        double *row = rows[i - shown];
        own(all, i, since_heading, since_h1, row);
        double *next = unpacked(page->tags_around[box], rules->tag_bits, rules->tags, row + OWN);
        next = unpacked(page->hints_around[box], rules->hint_bits, rules->hints, next);
        next = unpacked(page->hints[box] | page->hints[parent], rules->near_bits, rules->hints_near, next);
        spans(all, parent, next);
        memcpy(next + SPANS, all->same[box].of, sizeof all->same[box].of);
        memcpy(next + SPANS + SAME, of_page, sizeof of_page);
        if (i + 1 - shown == ROWS || i + 1 == page->count) {
            score(forest, rows, i + 1 - shown, scores + shown);
            shown = i + 1;
        }
        int is_heading = rules->first_heading <= all->kinds[i] && all->kinds[i] <= rules->last_heading;
        since_heading = is_heading ? 0 : since_heading + (since_heading < rules->far);
        since_h1 = all->kinds[i] == rules->first_heading ? 0 : since_h1 + (since_h1 < rules->far);
    }
}

static int measure_and_score(Measured *all, const Forest *forest, double *scores) {
    read_texts(all);
    add_up(all);
    find_hub(all);
    if (!find_groups(all) || !find_tops(all) || !find_repeated(all))
        return 0;
    find_ways(all);
    score_all(all, forest, scores);
    return 1;
}

/* Find the score of each block. 0: there is not enough memory, or there are too many columns or collisions. */
int judge(const Page *page, const Rules *rules, const Forest *forest, const double *titles, const double *said,
          double *scores) {
    size_t blocks = (size_t)page->count, boxes = (size_t)page->box_count;
    Measured all = {.page = page, .rules = rules, .titles = titles, .said = said};
    int columns = OWN + rules->tags + rules->hints + rules->hints_near + SPANS + SAME + PAGE;
    all.density = malloc(blocks * sizeof *all.density);
    all.chars = calloc(3 * (blocks + 1), sizeof *all.chars);
    all.sizes = malloc(5 * blocks * sizeof *all.sizes);
    all.same = malloc(boxes * sizeof *all.same);
    all.up = calloc(3 * boxes, sizeof *all.up);
    int has_room = columns <= MOST_COLUMNS && all.density && all.chars && all.sizes && all.same && all.up;
    if (has_room) {
        all.linked = all.chars + blocks + 1;
        all.prose = all.linked + blocks + 1;
        all.marks = all.sizes + blocks;
        all.ends = all.marks + blocks;
        all.lines = all.ends + blocks;
        all.kinds = all.lines + blocks;
        all.level = all.up + boxes;
        all.group = all.level + boxes;
    }
    int is_done = has_room && measure_and_score(&all, forest, scores);
    free(all.density);
    free(all.chars);
    free(all.sizes);
    free(all.same);
    free(all.up);
    return is_done;
}
