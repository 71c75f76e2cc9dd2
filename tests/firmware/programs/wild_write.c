/* Linked with --wrap=board_running: a kernel gone wild while the operator runs that WILD_OPERATOR names. */
#include <string.h>

#include "../../../firmware_stub/board/board.h"
#include "run.h"

void __real_board_running(const char *what);
void __wrap_board_running(const char *what);

void __wrap_board_running(const char *what) {
    __real_board_running(what);
    if (strcmp(what, WILD_OPERATOR) == 0) {
        arena_run.arena[WILD_BYTE] ^= 0x55u;
    }
}
