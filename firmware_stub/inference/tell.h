/* TAP version 13 on the UART, as the pattern check tells it. Lines that begin with `# @` are for programs, pairs of a
 * word and a number; invocations, operators and tensors are counted from 0, and operator -1 is the end of an
 * invocation:
 *   # @operator K invocation I instructions N
 *   # @tensor T invocation I operator K bytes B     B bytes of T follow in the file of tensors
 *   # @wrong I operator K tensor T                  K wrote something else than it must; T's bytes follow
 *   # @lost I operator K tensor T                   T no longer held what was written when K was to read it; likewise
 *   # @refused I operator K tensor -1               a library refused
 *   # @scratch S operator K planned P needed N      scratch buffer S is too small
 *   # @high-water U planned N
 *   # @points P failures F                          ends the run
 */
#ifndef ARENA_TELL_H
#define ARENA_TELL_H

#include <stdbool.h>
#include <stdint.h>

#define TELL_END (-1)

void tell_begin(void);
bool tell_end(void); /* true where no point failed */

/* One point: its number, then `invocation: operator: text`. An empty part is left out. */
void tell_point(bool passed, const char *invocation, const char *operator, const char *text);

/* A line for programs. */
typedef struct {
    const char *word;
    int64_t number;
} tell_number_t;
void tell_note(const tell_number_t *numbers, uint32_t count);

#endif
