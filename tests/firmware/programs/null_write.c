#include "../../../firmware_stub/board/board.h"

int main(void) {
    volatile uint32_t *volatile nowhere = (volatile uint32_t *)0;
    board_running("op 3 CONV_2D");
    nowhere[1] = 1u;
    return 0;
}
