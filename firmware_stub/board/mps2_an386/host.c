/* The way to the host: UART0 (CMSDK APB UART, DDI0479) for text, semihosting for the exit code. */
#include <stdint.h>

#include "../board.h"
#include "core.h"

#define UART0_DATA CORE_REGISTER(0x40004000u)
#define UART0_STATE CORE_REGISTER(0x40004004u)
#define UART0_CTRL CORE_REGISTER(0x40004008u)
#define UART0_BAUDDIV CORE_REGISTER(0x40004010u)
#define UART_STATE_TX_FULL 1u
#define UART_CTRL_TX_ENABLE 1u

#define SEMIHOSTING_EXIT_EXTENDED 0x20u
#define SEMIHOSTING_APPLICATION_EXIT 0x20026u

void board_init(void) {
    UART0_BAUDDIV = 16u; /* the fastest that the UART has */
    UART0_CTRL = UART_CTRL_TX_ENABLE;
}

void board_put(char character) {
    while ((UART0_STATE & UART_STATE_TX_FULL) != 0u) {
    }
    UART0_DATA = (uint8_t)character;
}

_Noreturn void board_exit(uint32_t code) {
    const uint32_t block[2] = {SEMIHOSTING_APPLICATION_EXIT, code};
    register uint32_t operation __asm__("r0") = SEMIHOSTING_EXIT_EXTENDED;
    register const uint32_t *argument __asm__("r1") = block;
    __asm__ volatile("bkpt 0xAB" : "+r"(operation) : "r"(argument) : "memory");
    for (;;) { /* only where no host listens */
    }
}
