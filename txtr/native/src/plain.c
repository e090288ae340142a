/* Plain pages: the markup of a page as the parser would write its tree out, without a tree.

   The HTML standard asks much of a parser, and most pages need little of it: elements that are left open or were never
   opened; parts of tables that are not written; formatting that is opened again in another paragraph, or that goes on
   inside a block that is open when the formatting ends. A page that needs more (text that moves out of a table,
   formulas) is left, and the parser reads it. Scripts, styles and drawings are empty: nobody reads them. */

#include "unparsed.h"

#define LONGEST 2000000 /* bytes of a page; a longer one, written out, takes too much memory */
#define GROWTH 6        /* bytes that one byte of the page may become, as " becomes &quot; */
#define MOST_BLOCKS 7   /* open in formatting that ends, as the standard has it */
#define SPARE 4096      /* bytes for elements that the page does not have: html, head, body */

/* The tables live as long as the program. */
void prepare_plain(const References *all, const char *const *all_telling) {
    references = *all;
    telling = all_telling;
    prepare_elements();
}

static void element_of_head(Page *page, const Tag *tag, const Token *token) {
    if (tag->flags & IS_RAW)
        raw_element(page, tag, token);
    else if (tag->kind == TITLE)
        words_element(page, tag, token);
    else
        insert(page, tag, token);
}

static void read_on(Page *page);

/* Where tree.py stops to make templates of noscript. */
static const char *end_of_change(const char *text, const char *end) {
    for (const char *p = text; (p = memchr(p, '<', (size_t)(end - p))); p++) {
        size_t tag = begins_with(p, end, "</head") + begins_with(p, end, "<body");
        if (tag && is_end_of_name(p + tag, end))
            return start_of(text, p, "<noscript") ? p : text;
    }
    return text;
}

static void start_template(Page *page, const Token *token) {
    if (!page->templates++)
        page->around = page->mode;
    push(page, tag_of("template", 8), "template", 8, token);
    page->mode = IN_BODY;
}

static void end_template(Page *page) {
    int place = page->depth - 1;
    while (place >= 0 && page->opened[place].tag->kind != TEMPLATE)
        place--;
    if (place < 0)
        return;
    pop_implied(page, NULL);
    pop_to(page, place);
    if (!--page->templates)
        page->mode = page->around;
}

/* A noscript that becomes a template, and may hold anything. */
static void changed_noscript(Page *page, const Token *token) {
    const char *last = end_of_raw(page->p, page->changed, "noscript");
    if (!last || has_word(page->p, last, "<noscript") || has_word(page->p, last, "</noscript")) {
        page->is_left = 1;
        return;
    }
    const char *end = page->end;
    Token inner;
    start_template(page, token);
    page->end = last;
    read_on(page);
    page->end = end;
    end_template(page);
    page->p = read_tag(last, end, &inner);
    page->is_left |= !page->p;
}

/* Start tags */

static int is_hidden_field(const Token *token) {
    const Given *type = given(token, "type");
    return type && type->value && type->end - type->value == 6 && begins_with(type->value, type->end, "hidden");
}

static void start_in_table(Page *page, const Tag *tag, const Token *token) {
    enum Kind at = current(page)->kind;
    switch (tag->kind) {
    case SECTION:
    case COLUMN:
    case COLUMNS:
    case CAPTION:
        if (at == ROW)
            pop(page);
        if (current(page)->kind == SECTION)
            pop(page);
        if (tag->kind == COLUMN)
            push_unwritten(page, "colgroup");
        insert(page, tag, token);
        return;
    case ROW:
    case CELL:
        if (at == ROW && tag->kind == ROW)
            pop(page);
        else if (at == TABLE)
            push_unwritten(page, "tbody");
        if (tag->kind == CELL && at != ROW)
            push_unwritten(page, "tr");
        insert(page, tag, token);
        return;
    case FORM:
        if (page->has_form)
            return;
        page->has_form = 1;
        insert(page, tag, token);
        pop(page);
        return;
    case SCRIPT:
    case STYLE:
        raw_element(page, tag, token);
        return;
    case FIELD:
        if (is_hidden_field(token)) {
            insert(page, tag, token);
            return;
        }
        /* fall through */
    default:
        page->is_left = 1; /* it moves before the table */
    }
}

static void start_in_select(Page *page, const Tag *tag, const Token *token) {
    if (tag->kind != OPTION && tag->kind != GROUP) {
        page->is_left = 1;
        return;
    }
    if (current(page)->kind == OPTION)
        pop(page);
    if (tag->kind == GROUP && current(page)->kind == GROUP)
        pop(page);
    if (current(page)->kind != SELECT && current(page)->kind != GROUP)
        page->is_left = 1;
    insert(page, tag, token);
}

/* A new item ends the one before it, unless another list is between them. */
static void close_item(Page *page, enum Kind kind) {
    for (int place = page->depth - 1; place >= 0; place--) {
        const Tag *open = page->opened[place].tag;
        if (open->kind == kind) {
            pop_implied(page, open);
            pop_to(page, place);
            return;
        }
        if (open->flags & IS_SPECIAL && open->kind != P && strcmp(open->name, "div") && strcmp(open->name, "address"))
            return;
    }
}

static int holds_block(const Page *page, int place) {
    while (++place < page->depth)
        if (page->opened[place].tag->flags & IS_SPECIAL)
            return 1;
    return 0;
}

/* End formatting before the block that is open in it, and begin it anew inside. 0: the page is left, as it is where
   another element is between the two, or where a preformatted text may have been given another newline. */
static int goes_inside(Page *page, int which) {
    Format *format = &page->formats[which];
    Written *to = &page->to->markup;
    Open *outer = &page->opened[format->place], *block = outer + 1, moved = *outer;
    if (!(block->tag->flags & IS_SPECIAL) || block->tag->flags & (IS_SCOPE | IS_MARKER) || block->tag->kind == PRE)
        return 0;
    int64_t from = to->length;
    put(to, "</", 2);
    put(to, to->bytes + outer->name, (size_t)outer->length);
    put(to, ">", 1);
    move(page, from, block->name - 1);
    from = to->length;
    int64_t place = past_tag(to->bytes + block->name, to->bytes + from) - to->bytes;
    put(to, to->bytes + format->start, (size_t)format->length);
    move(page, from, place);
    *outer = *block;
    moved.name = (int32_t)place + 1;
    *block = moved;
    format->start = (int32_t)place;
    format->place++;
    return !page->is_left;
}

/* End formatting. Blocks that are open in the formatting are formatted from inside. */
static void end_format(Page *page, const Tag *tag) {
    int which = page->format_count - 1;
    while (which >= 0 && page->formats[which].tag != tag && !(page->formats[which].tag->flags & IS_MARKER))
        which--;
    if (which < 0 || page->formats[which].tag != tag)
        return;
    for (int blocks = 0; page->formats[which].place >= 0 && holds_block(page, page->formats[which].place); blocks++)
        if (blocks == MOST_BLOCKS || !goes_inside(page, which)) {
            page->is_left = 1;
            return;
        }
    if (page->formats[which].place >= 0)
        pop_to(page, page->formats[which].place);
    forget_format(page, which);
}

static int opens_formats(const Tag *tag) {
    return tag->kind != TABLE && !(tag->flags & (CLOSES_P | IS_OF_HEAD | IS_RAW));
}

static void start_in_body(Page *page, const Tag *tag, const Token *token) {
    if (tag->flags & IS_LEFT || (page->templates && (tag->kind == FORM || is_part_of_table(tag)))) {
        page->is_left = 1;
        return;
    }
    if (page->open_count[SELECT]) {
        start_in_select(page, tag, token);
        return;
    }
    if (current(page)->kind == COLUMNS) {
        if (tag->kind == COLUMN) {
            insert(page, tag, token);
            return;
        }
        pop(page);
    }
    if (is_in_table(current(page)) && tag->kind != BODY) {
        start_in_table(page, tag, token);
        return;
    }
    if (is_part_of_table(tag)) {
        int place = part_of_table(page);
        if (place >= 0 && page->opened[place].tag->kind != CELL)
            page->is_left = 1;
        else if (place >= 0) {
            close_cell(page, place);
            start_in_table(page, tag, token);
        }
        return;
    }
    switch (tag->kind) {
    case HEAD:
        return;
    case BODY:
        root_again(page, token, 1);
        return;
    case LI:
    case DD:
        close_item(page, tag->kind);
        break;
    case FORM:
        if (page->has_form)
            return;
        page->has_form = 1;
        break;
    case BUTTON:
        page->is_left |= in_scope(page, BUTTON, NULL, ORDINARY) >= 0;
        break;
    case LINK:
        end_format(page, tag);
        break;
    case TABLE:
        if (in_scope(page, P, NULL, BUTTON) >= 0) {
            page->is_left |= page->likeness == UNKNOWN;
            if (page->likeness == STANDARD)
                close_p(page);
        }
        break;
    case OPTION:
    case GROUP:
        if (current(page)->kind == OPTION)
            pop(page);
        break;
    case LINE:
        reopen(page);
        if (in_scope(page, LINE, NULL, ORDINARY) >= 0)
            end_format(page, tag);
        break;
    case DRAWING:
        reopen(page);
        drawing(page, token);
        return;
    case TEXTAREA:
        words_element(page, tag, token);
        return;
    case NOSCRIPT:
        if (page->p > page->changed)
            break;
        changed_noscript(page, token);
        return;
    case TEMPLATE:
        start_template(page, token);
        return;
    default:
        break;
    }
    if (tag->flags & CLOSES_P)
        close_p(page);
    if (tag->kind == HEADING && current(page)->kind == HEADING)
        pop(page);
    if (opens_formats(tag))
        reopen(page);
    if (page->is_left)
        return;
    if (tag->flags & (IS_OF_HEAD | IS_RAW))
        element_of_head(page, tag, token);
    else
        insert(page, tag, token);
    if (tag->kind == PRE) {
        page->skips_newline = 1;
        page->pre_start = page->to->markup.length;
    }
}

static void begin_body(Page *page) {
    if (page->mode == BEFORE_HTML)
        push_unwritten(page, "html");
    if (page->mode <= BEFORE_HEAD)
        push_unwritten(page, "head");
    if (page->mode <= IN_HEAD)
        pop(page);
    if (page->mode <= AFTER_HEAD)
        push_unwritten(page, "body");
    page->mode = IN_BODY;
}

static void start_tag(Page *page, const Token *token) {
    const Tag *tag = tag_of(token->name, token->length);
    if (page->mode == BEFORE_HTML) {
        page->mode = BEFORE_HEAD;
        if (tag->kind == HTML) {
            note(page, token, NULL, NULL);
            push(page, tag, token->name, token->length, token);
            return;
        }
        push_unwritten(page, "html");
    }
    if (page->mode == BEFORE_HEAD && tag->kind != HTML) {
        page->mode = IN_HEAD;
        if (tag->kind == HEAD) {
            insert(page, tag, token);
            return;
        }
        push_unwritten(page, "head");
    }
    if (tag->kind == HTML && (page->mode < AFTER_HEAD || page->mode == IN_BODY)) {
        root_again(page, token, 0);
        return;
    }
    if (tag->kind == HTML || (tag->kind == TEMPLATE && page->mode == AFTER_HEAD) || tag->flags & IS_LEFT) {
        page->is_left = 1;
        return;
    }
    if (tag->kind == HEAD && page->mode <= AFTER_HEAD) {
        page->is_left = page->mode == AFTER_HEAD;
        return;
    }
    if (page->mode == IN_HEAD && tag->flags & IS_OF_HEAD)
        element_of_head(page, tag, token);
    else if (page->mode == IN_HEAD && tag->kind == TEMPLATE)
        start_template(page, token);
    else if (page->mode == IN_HEAD && tag->kind == NOSCRIPT && page->p <= page->changed)
        changed_noscript(page, token);
    else if (page->mode <= AFTER_HEAD && tag->kind == NOSCRIPT)
        page->is_left = 1; /* it has rules of its own */
    else if (page->mode == AFTER_HEAD && tag->flags & IS_OF_HEAD) {
        int64_t from = page->to->markup.length;
        element_of_head(page, tag, token);
        move(page, from, page->head_end);
    } else if (page->mode <= AFTER_HEAD && tag->kind == BODY) {
        if (page->mode == IN_HEAD)
            pop(page);
        insert(page, tag, token);
        page->mode = IN_BODY;
    } else {
        begin_body(page);
        start_in_body(page, tag, token);
    }
}

/* End tags */

static int is_in_caption(const Page *page) {
    int part = part_of_table(page);
    return part >= 0 && page->opened[part].tag->kind == CAPTION;
}

static void end_in_table(Page *page, const Tag *tag) {
    int part = part_of_table(page);
    if (part < 0)
        return;
    enum Kind at = page->opened[part].tag->kind;
    if (tag->kind == CELL) {
        int place = at == CELL && page->opened[part].tag == tag ? part : -1;
        if (place >= 0)
            close_cell(page, place);
        return;
    }
    int place = page->depth - 1; /* of the table's own part that ends */
    for (; place >= 0 && page->opened[place].tag != tag; place--)
        if (page->opened[place].tag->kind == TABLE)
            return;
    if (place < 0)
        return;
    if (at == CELL)
        close_cell(page, part);
    else if (at == CAPTION)
        page->is_left = 1;
    pop_to(page, place);
}

static void end_other(Page *page, const Tag *tag, const Token *token) {
    for (int place = page->depth - 1; place >= 0; place--) {
        const Open *open = &page->opened[place];
        const char *name = page->to->markup.bytes + open->name;
        if (open->length == token->length && !memcmp(name, token->name, (size_t)open->length)) {
            pop_implied(page, tag == &unknown ? NULL : tag);
            pop_to(page, place);
            return;
        }
        if (open->tag->flags & IS_SPECIAL)
            return;
    }
}

static void end_form(Page *page) {
    int place = in_scope(page, FORM, NULL, ORDINARY), has_form = page->has_form;
    page->has_form = 0;
    if (!has_form || place < 0)
        return;
    pop_implied(page, NULL);
    if (place != page->depth - 1)
        page->is_left = 1;
    pop_to(page, place);
}

static void end_in_select(Page *page, const Tag *tag) {
    if (tag->kind == OPTION && current(page)->kind == OPTION)
        pop(page);
    else if (tag->kind == GROUP) {
        if (current(page)->kind == OPTION && page->opened[page->depth - 2].tag->kind == GROUP)
            pop(page);
        if (current(page)->kind == GROUP)
            pop(page);
    } else if (tag->kind == SELECT) {
        while (current(page)->kind != SELECT && !page->is_left)
            pop(page);
        pop(page);
    } else
        page->is_left = 1;
}

static void end_heading(Page *page) {
    int place = in_scope(page, HEADING, NULL, ORDINARY);
    if (place < 0)
        return;
    pop_implied(page, NULL);
    pop_to(page, place);
}

static void end_scoped(Page *page, const Tag *tag, enum Kind bound) {
    int place = in_scope(page, tag->kind, tag, bound);
    if (place < 0)
        return;
    pop_implied(page, tag->flags & IS_IMPLIED ? tag : NULL);
    pop_to(page, place);
}

static void end_in_body(Page *page, const Tag *tag, const Token *token) {
    if (page->open_count[SELECT]) {
        end_in_select(page, tag);
        return;
    }
    if (current(page)->kind == COLUMNS) {
        page->is_left |= tag->kind == COLUMN;
        pop(page);
        if (tag->kind == COLUMNS)
            return;
    }
    int is_odd_place = is_in_table(current(page)) || (page->templates && current(page)->kind == TEMPLATE);
    switch (tag->kind) {
    case TABLE:
    case SECTION:
    case ROW:
    case CELL:
        end_in_table(page, tag);
        return;
    case CAPTION:
        if (is_in_caption(page))
            end_scoped(page, tag, ORDINARY);
        return;
    case COLUMN:
    case COLUMNS:
    case HEAD:
        return;
    case P:
        if (in_scope(page, P, NULL, BUTTON) < 0) {
            page->is_left |= is_odd_place;
            push_unwritten(page, "p");
        }
        close_p(page);
        return;
    case BREAK:
        page->is_left |= is_odd_place;
        reopen(page);
        push_unwritten(page, "br");
        end_void(page);
        return;
    case LI:
        end_scoped(page, tag, LIST);
        return;
    case DD:
    case BUTTON:
        end_scoped(page, tag, ORDINARY);
        return;
    case HEADING:
        end_heading(page);
        return;
    case FORM:
        if (!page->templates)
            end_form(page);
        return;
    default:
        break;
    }
    if (tag->flags & IS_LEFT)
        page->is_left = 1;
    else if (tag->flags & IS_FORMAT)
        end_format(page, tag);
    else if (tag->flags & (IS_BLOCK | IS_MARKER))
        end_scoped(page, tag, ORDINARY);
    else
        end_other(page, tag, token);
}

static void end_tag(Page *page, const Token *token) {
    const Tag *tag = tag_of(token->name, token->length);
    page->is_begun = 1;
    if (tag->kind == TEMPLATE) {
        end_template(page);
        return;
    }
    int is_end_of_page = tag->kind == BODY || tag->kind == HTML;
    if (tag->kind == HEAD && page->mode <= IN_HEAD) {
        if (page->mode == BEFORE_HTML)
            push_unwritten(page, "html");
        if (page->mode <= BEFORE_HEAD)
            push_unwritten(page, "head");
        page->head_end = page->to->markup.length;
        pop(page);
        page->mode = AFTER_HEAD;
        return;
    }
    if (page->mode <= AFTER_HEAD) {
        if (!is_end_of_page && tag->kind != BREAK)
            return;
        begin_body(page);
    }
    if (is_end_of_page) {
        page->is_left |= page->open_count[SELECT];
        if (in_scope(page, BODY, NULL, ORDINARY) >= 0)
            page->mode = tag->kind == BODY ? AFTER_BODY : AFTER_HTML;
        return;
    }
    page->mode = IN_BODY;
    end_in_body(page, tag, token);
}

/* Texts, comments and the rest */

static void characters(Page *page, const char *p, const char *end) {
    const char *words = past_space(p, end);
    if (page->mode <= BEFORE_HEAD)
        p = words;
    else if (page->mode <= AFTER_HEAD) {
        put_text(&references, &page->to->markup, p, words, AS_TEXT, 0);
        p = words;
    }
    if (p == end)
        return;
    if (page->mode <= AFTER_HEAD || page->skips_newline || page->to->markup.length == page->pre_start)
        page->is_left |= may_be_space(p, end);
    if (words < end)
        begin_body(page);
    int is_between_cells = is_in_table(current(page)) || current(page)->kind == COLUMNS;
    page->is_left |= words < end && is_between_cells;
    if (page->mode >= IN_BODY && !is_between_cells)
        reopen(page);
    if (page->skips_newline)
        p = past_newline(p, end);
    page->skips_newline = 0;
    if (page->to->markup.length == page->pre_start)
        put_first_newline(page, p, end);
    put_text(&references, &page->to->markup, p, end, AS_TEXT, 0);
}

/* A comment outside the root of the page. */
static void put_comment(Page *page, const char *p, const char *last, const char *past) {
    page->p = past;
    if (page->mode == BEFORE_HTML || page->mode == AFTER_HTML)
        return;
    Written *to = page->mode == AFTER_BODY ? &page->to->after : &page->to->markup;
    put(to, "<!--", 4);
    if (page->is_whole)
        put_raw(to, p, last);
    put(to, "-->", 3);
}

static void comment(Page *page, const char *p) {
    const char *past = NULL, *last = end_of_comment(p, page->end, &past);
    if (!last) {
        page->is_left = 1;
        return;
    }
    put_comment(page, p, last, past);
}

/* Text up to the next > that is no markup. */
static void bogus_comment(Page *page, const char *p) {
    const char *last = memchr(p, '>', (size_t)(page->end - p));
    if (last)
        put_comment(page, p, last, last + 1);
    else
        page->is_left = 1;
}

/* Only the plainest doctype is sure to mean the standard; a page without a doctype has quirks. */
static void doctype(Page *page, const char *p) {
    const char *last = memchr(p, '>', (size_t)(page->end - p));
    if (!last) {
        page->is_left = 1;
        return;
    }
    page->p = last + 1;
    if (page->mode != BEFORE_HTML || page->is_begun)
        return;
    page->is_begun = 1;
    const char *name = past_space(p, last);
    size_t html = begins_with(name, last, "html");
    int is_plain = html && (past_space(name + html, last) == last
                            || (is_space(name[html]) && start_of(name, last, "//DTD XHTML 1.")));
    page->likeness = is_plain ? STANDARD : UNKNOWN;
}

static void declaration(Page *page, const char *p) {
    if (page->end - p > 3 && p[2] == '-' && p[3] == '-')
        comment(page, p + 4);
    else if (begins_with(p, page->end, "<!doctype"))
        doctype(page, p + strlen("<!doctype"));
    else if (begins_with(p, page->end, "<![cdata["))
        page->is_left = 1;
    else
        bogus_comment(page, p + 2);
}

/* <?xml ...> and such as have no name; others are more than a comment. */
static int is_instruction_of_xml(const char *p, const char *end) {
    if (p[1] != '?')
        return 0;
    size_t xml = begins_with(p, end, "<?xml");
    const char *past = p + (xml ? xml : 2);
    return past < end && !is_letter(*past);
}

static void markup(Page *page, const char *p) {
    Token token;
    if (p[1] == '/' && page->end - p > 2 && p[2] == '>') {
        page->p = p + 3; /* it is nothing at all */
        return;
    }
    page->skips_newline = 0;
    if (p[1] == '!') {
        declaration(page, p);
    } else if (is_instruction_of_xml(p, page->end)) {
        bogus_comment(page, p + 1);
    } else if (is_letter(p[1]) || (p[1] == '/' && page->end - p > 2 && is_letter(p[2]))) {
        page->p = read_tag(p, page->end, &token);
        if (!page->p || is_changed(page, p + 1, page->p)) {
            page->is_left = 1;
        } else if (token.is_end) {
            end_tag(page, &token);
        } else
            start_tag(page, &token);
    } else if (p[1] == '/' && page->end - p > 2)
        bogus_comment(page, p + 2);
    else
        page->is_left = 1;
}

/* The next < that does not mean itself. */
static const char *next_markup(const char *p, const char *end) {
    for (; p < end && (p = memchr(p, '<', (size_t)(end - p))); p++)
        if (end - p > 1 && (is_letter(p[1]) || p[1] == '/' || p[1] == '!' || p[1] == '?'))
            return p;
    return NULL;
}

static void read_on(Page *page) {
    while (page->p < page->end && !page->is_left) {
        const char *next = next_markup(page->p, page->end), *last = next ? next : page->end;
        if (last > page->p)
            characters(page, page->p, last);
        page->p = last;
        if (next)
            markup(page, next);
    }
}

static int has_room(Written *to, int64_t room) {
    to->room = room;
    to->bytes = malloc((size_t)room);
    return to->bytes != NULL;
}

/* Write a plain page out. 1: the page is plain, and done. The result is to be forgotten in any case. Unless it is
   whole, it has only empty comments, and only the attributes that tell what can be seen and where it leads. */
int plain(const char *text, int64_t length, int is_whole, Plain *to) {
    const char *end = text + length;
    Page page = {.to = to, .start = text, .p = text, .end = end, .likeness = QUIRKS, .is_whole = is_whole};
    page.changed = end_of_change(text, end);
    memset(to, 0, sizeof *to);
    if (length > LONGEST || !has_room(&to->markup, GROWTH * length + SPARE) || !has_room(&to->notes, 2 * length + SPARE)
        || !has_room(&to->after, length + SPARE))
        return 0;
    read_on(&page);
    if (page.is_left || page.templates)
        return 0;
    begin_body(&page);
    while (page.depth > 1 && !page.is_left)
        pop(&page);
    put(&to->markup, to->after.bytes, (size_t)to->after.length);
    pop(&page);
    return !to->markup.is_full && !to->notes.is_full && !to->after.is_full;
}

void forget_plain(Plain *to) {
    free(to->markup.bytes);
    free(to->notes.bytes);
    free(to->after.bytes);
}
