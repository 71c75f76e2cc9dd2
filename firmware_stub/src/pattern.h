/* What is written into a buffer, so that one foreign byte shows.
 *
 * The byte at address `a` is byte `a % 4` of hash(a / 4), XOR a tag. The hash is the same for everybody; the tag is made of
 * the buffer's index and the parity of its generation. What that guarantees:
 *
 *   - within one round, two tags that differ differ at *every* byte of every address; two that are equal, nowhere;
 *   - a tag has room for 127 buffers and two generations. With more buffers the check runs in rounds, and round r takes
 *     digit r of the index in base 127. Two indices differ in some digit, so for every pair of buffers there is a round in
 *     which they differ at every byte, whatever their generations;
 *   - a buffer and its own generation before differ at every byte, in every round; generations two apart do not;
 *   - the paint, which marks bytes that nobody wrote, has a tag that no buffer has in any round.
 */
#ifndef ARENA_PATTERN_H
#define ARENA_PATTERN_H

#include <stdint.h>

#define PATTERN_PAINT 0xFFu

/* How many rounds tell `count` buffers apart; at least one. */
uint32_t pattern_rounds(uint32_t count);

/* The tag of a buffer in a round. */
uint8_t pattern_tag(uint32_t index, uint32_t generation, uint32_t round);

/* Writes [from, to). */
void pattern_fill(uint8_t *from, uint8_t *to, uint8_t tag);

/* The first byte of [from, to) that is not as pattern_fill() wrote it; `to` where there is none. */
uint8_t *pattern_damage(uint8_t *from, uint8_t *to, uint8_t tag);

/* One past the last byte of [from, to) that is not as pattern_fill() wrote it; `from` where there is none. */
uint8_t *pattern_last_damage(uint8_t *from, uint8_t *to, uint8_t tag);

#endif
