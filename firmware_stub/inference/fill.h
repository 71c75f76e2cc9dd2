/* Inputs made of nothing but a seed; arena_codegen/verify/vectors.py makes the same on the host. */
#ifndef ARENA_FILL_H
#define ARENA_FILL_H

#include "network.h"

/* Writes `bytes` bytes of elements. */
void fill(uint8_t *to, uint32_t bytes, network_element_t element, network_fill_t kind, uint32_t seed);

#endif
