/* Text to the host: UART0 (CMSDK APB UART, DDI0479). */
#include <stdint.h>

#include "../board.h"
#include "../core.h"

#define UART0_DATA CORE_REGISTER(0x40004000u)
#define UART0_STATE CORE_REGISTER(0x40004004u)
#define UART0_CTRL CORE_REGISTER(0x40004008u)
#define UART0_BAUDDIV CORE_REGISTER(0x40004010u)
#define UART_STATE_TX_FULL 1u
#define UART_CTRL_TX_ENABLE 1u

void board_init(void) {
    UART0_BAUDDIV = 16u; /* the fastest that the UART has */
    UART0_CTRL = UART_CTRL_TX_ENABLE;
}

void board_put(char character) {
    while ((UART0_STATE & UART_STATE_TX_FULL) != 0u) {
    }
    UART0_DATA = (uint8_t)character;
}
