#include "../../../firmware_stub/board/board.h"

int main(void) {
    board_running("op 3 CONV_2D");
    __asm__ volatile("udf #7");
    return 0;
}
