/* Text without printf: what messages are made of. */
#ifndef ARENA_BOARD_TEXT_H
#define ARENA_BOARD_TEXT_H

#include <stdint.h>

void text_put(const char *text);
void text_decimal(int64_t value);
void text_hex(uint32_t value); /* 0x0000001f, always eight digits */

#endif
