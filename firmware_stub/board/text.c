#include "text.h"

#include "board.h"

void text_put(const char *text) {
    while (*text != '\0') {
        board_put(*text++);
    }
}

void text_decimal(int64_t value) {
    char digits[20];
    uint32_t count = 0;
    uint64_t rest = value < 0 ? 0u - (uint64_t)value : (uint64_t)value;
    do {
        digits[count++] = (char)('0' + rest % 10u);
        rest /= 10u;
    } while (rest != 0u);
    if (value < 0) {
        board_put('-');
    }
    while (count > 0u) {
        board_put(digits[--count]);
    }
}

void text_hex(uint32_t value) {
    text_put("0x");
    for (uint32_t shift = 32; shift > 0u; shift -= 4u) {
        board_put("0123456789abcdef"[(value >> (shift - 4u)) & 15u]);
    }
}
