#include "../../../firmware_stub/board/board.h"

int main(void) {
    volatile uint8_t large[64 * 1024];
    board_running("op 3 CONV_2D");
    for (uint32_t at = sizeof large; at > 0u; --at) {
        large[at - 1u] = 1u;
    }
    return large[0];
}
