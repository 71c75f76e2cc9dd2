#include "../../../firmware_stub/board/board.h"

int main(void) {
    board_running("op 3 CONV_2D");
    return (int)*(volatile uint32_t *)0x90000000u;
}
