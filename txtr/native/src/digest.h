/* The digest by which a path is recognised among the paths of its domain (store/keys.py). */

#ifndef DIGEST_H
#define DIGEST_H

#include <stdint.h>

enum { DIGEST_BITS = 38 };

int64_t path_digest(const char *path, int64_t length);

#endif
