/* Faults end the run with a message: which fault, where, what ran. They never spin. */
#include <stdint.h>

#include "../board.h"
#include "../text.h"
#include "core.h"

extern uint32_t board_stack_limit[], board_stack_top[];

static const char *fault_name(uint32_t exception) {
    static const char *const names[] = {"NMI", "HardFault", "MemManage fault", "BusFault", "UsageFault"};
    return exception >= 2u && exception <= 6u ? names[exception - 2u] : "unexpected interrupt";
}

/* `frame`: r0-r3, r12, lr, pc, xPSR as the core stacked them. It is not read where stacking itself failed. */
__attribute__((used)) static _Noreturn void report_fault(const uint32_t *frame, uint32_t exception) {
    const uint32_t status = CORE_CFSR;
    text_put("\nBail out! ");
    text_put(fault_name(exception));
    if ((status & CORE_CFSR_BFAR_VALID) != 0u) {
        text_put(" at address ");
        text_hex(CORE_BFAR);
    } else if ((status & CORE_CFSR_MMFAR_VALID) != 0u) {
        text_put(" at address ");
        text_hex(CORE_MMFAR);
    }
    if (frame < board_stack_limit || frame + 8 > board_stack_top || (status & CORE_CFSR_STACKING) != 0u) {
        text_put(", stack overflow");
    } else {
        text_put(", pc ");
        text_hex(frame[6]);
    }
    text_put(", status ");
    text_hex(status);
    text_put(", during ");
    text_put(board_runs());
    text_put("\n");
    board_exit(BOARD_EXIT_FAULT);
}

__attribute__((naked)) void board_fault(void) {
    __asm__ volatile(
        "mrs r0, psp\n\t"
        "mrs r1, ipsr\n\t"
        "b report_fault");
}
