#include "../../../firmware_stub/board/board.h"

int main(void) {
    board_watch(1);
    board_running("op 3 CONV_2D");
    for (;;) {
    }
}
