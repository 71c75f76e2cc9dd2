/* Faults end the run with a message: which fault, where, what ran. They never spin. */
#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "text.h"
#include "core.h"

#define FARTHEST_OVERFLOW 0x100000u

extern uint32_t board_stack_limit[], board_stack_top[];

static const char *fault_name(uint32_t exception) {
    static const char *const names[] = {"NMI", "HardFault", "MemManage fault", "BusFault", "UsageFault"};
    return exception >= 2u && exception <= 6u ? names[exception - 2u] : "unexpected interrupt";
}

/* The address that could not be accessed; 0 where the core does not know it. */
static uint32_t fault_address(uint32_t status) {
    if ((status & CORE_CFSR_BFAR_VALID) != 0u) {
        return CORE_BFAR;
    }
    return (status & CORE_CFSR_MMFAR_VALID) != 0u ? CORE_MMFAR : 0u;
}

/* True where the process stack left its memory: it is the lowest thing there, so what is touched lies below. */
static bool is_overflow(const uint32_t *frame, uint32_t status) {
    const uint32_t limit = (uint32_t)board_stack_limit;
    const uint32_t address = fault_address(status);
    return frame < board_stack_limit || (status & CORE_CFSR_STACKING) != 0u ||
           (address < limit && limit - address <= FARTHEST_OVERFLOW);
}

/* `frame`: r0-r3, r12, lr, pc, xPSR as the core stacked them. It is not read where it lies outside of the stack. */
__attribute__((used)) static _Noreturn void report_fault(const uint32_t *frame, uint32_t exception) {
    const uint32_t status = CORE_CFSR;
    text_put("\nBail out! ");
    text_put(fault_name(exception));
    if ((status & (CORE_CFSR_BFAR_VALID | CORE_CFSR_MMFAR_VALID)) != 0u) {
        text_put(" at address ");
        text_hex(fault_address(status));
    }
    if (frame >= board_stack_limit && frame + 8 <= board_stack_top) {
        text_put(", pc ");
        text_hex(frame[6]);
    }
    if (is_overflow(frame, status)) {
        text_put(", stack overflow");
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
