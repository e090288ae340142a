/* Exponents: what raised() of normal.py makes of a raised text, over markup. */

#ifndef EXPONENT_H
#define EXPONENT_H

#include "markup.h"

#define MOST_RAISED 4        /* characters of an exponent: a sign and three digits */
#define LONGEST_EXPONENT 12  /* bytes */

/* A character of an exponent as it is written when it is raised; NULL: there is no such character. */
static inline const char *raised(Character c, int is_first) {
    static const char *digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (c.point >= '0' && c.point <= '9')
        return digits[c.point - '0'];
    return !is_first ? NULL : c.point == '+' ? "⁺" : c.point == '-' || c.point == 0x2212 ? "⁻" : NULL;
}

/* Write the text raised; return its bytes. 0: it is no exponent. */
static inline int exponent(const char *p, const char *end, char *to) {
    int length = 0, count = 0, digits = 0;
    for (; p < end; count++) {
        Character c = character(p, end);
        const char *high = count < MOST_RAISED ? raised(c, count == 0) : NULL;
        if (!high)
            return 0;
        digits += c.point >= '0' && c.point <= '9';
        memcpy(to + length, high, strlen(high));
        length += (int)strlen(high);
        p += c.taken;
    }
    return digits >= 1 && digits < MOST_RAISED ? length : 0;
}

#endif
