/* Where tensors lie, and whether they hold what they must. */
#ifndef ARENA_TENSORS_H
#define ARENA_TENSORS_H

#include <stdbool.h>

#include "network.h"

/* The first byte of a tensor; NULL for NETWORK_NONE and for a tensor without bytes. */
const void *tensors_read(int32_t tensor);
void *tensors_write(int32_t tensor);

/* Forgets what was written. */
void tensors_forget(void);

/* Remembers what a tensor of the arena holds now. */
void tensors_written(int32_t tensor);

/* True where a tensor holds what it held when it was written last, or was not written in this invocation. */
bool tensors_whole(int32_t tensor);

/* True where a tensor that was just written holds what it must, or is for the host to judge. */
bool tensors_right(int32_t tensor, uint32_t invocation);

#endif
