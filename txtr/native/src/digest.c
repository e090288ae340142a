/* BLAKE2b (RFC 7693) with a result of five bytes, of which the last 38 bits are a path's digest. */

#include <string.h>

#include "digest.h"

enum { BLOCK = 128, WORDS = 16, RESULT = 5 };

static const uint64_t BEGIN[8] = {
    0x6a09e667f3bcc908u, 0xbb67ae8584caa73bu, 0x3c6ef372fe94f82bu, 0xa54ff53a5f1d36f1u,
    0x510e527fade682d1u, 0x9b05688c2b3e6c1fu, 0x1f83d9abfb41bd6bu, 0x5be0cd19137e2179u,
};

static const uint8_t ORDER[10][WORDS] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

static inline uint64_t turned(uint64_t word, int bits) { return word >> bits | word << (64 - bits); }

#define MIX(a, b, c, d, one, other)          \
    do {                                     \
        a += b + (one);                      \
        d = turned(d ^ a, 32);               \
        c += d;                              \
        b = turned(b ^ c, 24);               \
        a += b + (other);                    \
        d = turned(d ^ a, 16);               \
        c += d;                              \
        b = turned(b ^ c, 63);               \
    } while (0)

#define ROUND(order)                                                        \
    do {                                                                    \
        MIX(v[0], v[4], v[8], v[12], m[order[0]], m[order[1]]);             \
        MIX(v[1], v[5], v[9], v[13], m[order[2]], m[order[3]]);             \
        MIX(v[2], v[6], v[10], v[14], m[order[4]], m[order[5]]);            \
        MIX(v[3], v[7], v[11], v[15], m[order[6]], m[order[7]]);            \
        MIX(v[0], v[5], v[10], v[15], m[order[8]], m[order[9]]);            \
        MIX(v[1], v[6], v[11], v[12], m[order[10]], m[order[11]]);          \
        MIX(v[2], v[7], v[8], v[13], m[order[12]], m[order[13]]);           \
        MIX(v[3], v[4], v[9], v[14], m[order[14]], m[order[15]]);           \
    } while (0)

static uint64_t number(const unsigned char *bytes) {
    uint64_t number = 0;
    for (int i = 7; i >= 0; i--)
        number = number << 8 | bytes[i];
    return number;
}

/* Written out twelve times, so that the compiler knows the order and keeps the words in registers. */
static void take_in(uint64_t state[8], const unsigned char *block, uint64_t until, int is_last) {
    uint64_t v[WORDS], m[WORDS];
    for (int i = 0; i < WORDS; i++)
        m[i] = number(block + 8 * i);
    for (int i = 0; i < 8; i++) {
        v[i] = state[i];
        v[i + 8] = BEGIN[i];
    }
    v[12] ^= until;
    if (is_last)
        v[14] = ~v[14];
    ROUND(ORDER[0]);
    ROUND(ORDER[1]);
    ROUND(ORDER[2]);
    ROUND(ORDER[3]);
    ROUND(ORDER[4]);
    ROUND(ORDER[5]);
    ROUND(ORDER[6]);
    ROUND(ORDER[7]);
    ROUND(ORDER[8]);
    ROUND(ORDER[9]);
    ROUND(ORDER[0]);
    ROUND(ORDER[1]);
    for (int i = 0; i < 8; i++)
        state[i] ^= v[i] ^ v[i + 8];
}

int64_t path_digest(const char *path, int64_t length) {
    uint64_t state[8], digest = 0;
    unsigned char last[BLOCK] = {0};
    memcpy(state, BEGIN, sizeof state);
    state[0] ^= 0x01010000u ^ RESULT; /* no key, one leaf */
    int64_t at = 0;
    for (; length - at > BLOCK; at += BLOCK)
        take_in(state, (const unsigned char *)path + at, (uint64_t)(at + BLOCK), 0);
    memcpy(last, path + at, (size_t)(length - at));
    take_in(state, last, (uint64_t)length, 1);
    for (int byte = 0; byte < RESULT; byte++)
        digest = digest << 8 | (state[0] >> 8 * byte & 255);
    return (int64_t)(digest & (((uint64_t)1 << DIGEST_BITS) - 1));
}
