/* What the start-up code promises to main(). */
#include "../../../firmware_stub/board/board.h"
#include "../../../firmware_stub/board/text.h"

static volatile uint32_t initialised = 0x12345678u;
static volatile uint32_t zeroed;

static uint32_t control(void) {
    uint32_t value;
    __asm__ volatile("mrs %0, control" : "=r"(value));
    return value;
}

int main(void) {
    volatile float third = 1.0f;
    third /= 3.0f;
    text_put(initialised == 0x12345678u ? "data " : "no data ");
    text_put(zeroed == 0u ? "bss " : "no bss ");
    text_put((control() & 2u) != 0u ? "psp " : "msp ");
    text_put(third > 0.33f && third < 0.34f ? "fpu " : "no fpu ");
    text_decimal(-2147483648LL);
    text_put(" ");
    text_decimal(4294967295LL);
    text_put(" ");
    text_hex(0x1f);
    text_put("\n");
    return 42;
}
