/* A page between the steps: its blocks and boxes, as walk.c found them, in columns. Page in native/walk.py has the
   same fields. */

#include <stdint.h>

#define LINE '\0'        /* a line's end inside a text */
#define SEPARATOR '\x1f' /* behind each text */

typedef struct {
    const char *markup;
    char *texts;           /* of all blocks */
    int64_t texts_length;
    int32_t count, box_count;
    int32_t *numbers;      /* all columns that follow, one after another */
    int32_t *linked, *links, *strong, *box;                                /* of each block */
    int32_t *parent, *tag, *name, *name_length, *first_class, *first_class_length; /* of each box; names are places */
    int32_t *hints, *tags_around, *hints_around, *depth, *first, *end;             /* in the markup */
} Page;

/* Looks: what boxes have in common when they look alike. */

typedef struct {
    int32_t around, tag, name, name_length;
} Look;

typedef struct {
    const char *markup;
    struct Slot *slots;
    uint32_t mask;
} Looks;

int prepare_looks(Looks *looks, const char *markup, int32_t most);
int32_t first_alike(Looks *looks, Look look, int32_t box);
void forget_looks(Looks *looks);
