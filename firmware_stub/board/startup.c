/* From reset to main() on Armv7-M: vector table, stacks, FPU, memory protection, .data and .bss. */
#include <stdint.h>

#include "board.h"
#include "core.h"
#include "facts.h"

extern uint32_t board_stack_top[], board_handler_stack_top[];
extern uint32_t board_data_image[], board_data_start[], board_data_end[], board_bss_start[], board_bss_end[];

int main(void);
void board_reset(void);

typedef void (*vector_t)(void);

/* A union, since the first entry is a stack and the others are functions. */
typedef union {
    const void *stack;
    vector_t handler;
} vector_entry_t;

__attribute__((section(".vectors"), used)) static const vector_entry_t vectors[16] = {
    [0] = {.stack = board_handler_stack_top},
    [1] = {.handler = board_reset},
    [2] = {.handler = board_fault}, /* NMI */
    [3] = {.handler = board_fault}, /* HardFault */
    [4] = {.handler = board_fault}, /* MemManage */
    [5] = {.handler = board_fault}, /* BusFault */
    [6] = {.handler = board_fault}, /* UsageFault */
    [7] = {.handler = board_fault},  [8] = {.handler = board_fault},  [9] = {.handler = board_fault},
    [10] = {.handler = board_fault}, [11] = {.handler = board_fault}, [12] = {.handler = board_fault},
    [13] = {.handler = board_fault}, [14] = {.handler = board_fault},
    [15] = {.handler = board_tick},
};

/* Two regions fault where an access can only be wrong: below the stack, which is the lowest thing in its memory, and
 * where null pointers lead, when something is written there. */
static void protect(void) {
    CORE_MPU_RNR = 0u;
    CORE_MPU_RBAR = BOARD_NO_ACCESS_BASE;
    CORE_MPU_RASR = CORE_MPU_RASR_NO_ACCESS | CORE_MPU_RASR_SIZE(BOARD_NO_ACCESS_LOG2);
    CORE_MPU_RNR = 1u;
    CORE_MPU_RBAR = 0x00000000u;
    CORE_MPU_RASR = CORE_MPU_RASR_READ_ONLY | CORE_MPU_RASR_SIZE(BOARD_READ_ONLY_LOG2);
    CORE_MPU_CTRL = CORE_MPU_CTRL_ON;
}

__attribute__((used)) static _Noreturn void start(void) {
    const uint32_t *image = board_data_image;
    for (uint32_t *word = board_data_start; word < board_data_end; ++word) {
        *word = *image++;
    }
    for (uint32_t *word = board_bss_start; word < board_bss_end; ++word) {
        *word = 0u;
    }
    CORE_CPACR |= CORE_CPACR_FPU;
    CORE_CCR |= CORE_CCR_DIV_0_TRAP;
    CORE_SHCSR |= CORE_SHCSR_FAULTS;
    protect();
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    board_init();
    board_exit((uint32_t)main());
}

/* main() runs on the process stack, handlers on the main one: a handler can still speak after a stack overflow. */
__attribute__((naked)) void board_reset(void) {
    __asm__ volatile(
        "ldr r0, =board_stack_top\n\t"
        "msr psp, r0\n\t"
        "movs r0, #2\n\t"
        "msr control, r0\n\t"
        "isb\n\t"
        "b start\n\t"
        ".ltorg");
}
