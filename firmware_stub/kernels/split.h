/* SPLIT, SPLIT_V and UNPACK: the way back from CONCATENATION */
#ifndef ARENA_KERNEL_SPLIT_H
#define ARENA_KERNEL_SPLIT_H

#include "concatenation.h"

typedef kernel_concatenation_t kernel_split_t; /* `first` is the position of the whole among the inputs */

/* inputs: the whole at position `first`   outputs: pieces */
extern const kernel_t kernel_split;

#endif
