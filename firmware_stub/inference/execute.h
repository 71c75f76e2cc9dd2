/* Running the network: one invocation at a time, operator by operator. */
#ifndef ARENA_EXECUTE_H
#define ARENA_EXECUTE_H

#include <stdbool.h>
#include <stdint.h>

/* Asks every kernel what its scratch buffers need. False where the plan has less. */
bool execute_scratch_suffices(void);

/* Sets the state as it is before the first invocation. */
void execute_reset(void);

/* Runs one invocation. False where an operator failed or something was wrong; the network cannot go on then. */
bool execute(uint32_t invocation);

#endif
