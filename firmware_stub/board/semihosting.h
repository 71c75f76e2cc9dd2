/* The way to a host through a debugger or an emulator (Arm IHI0058). */
#ifndef ARENA_BOARD_SEMIHOSTING_H
#define ARENA_BOARD_SEMIHOSTING_H

#include <stdint.h>

#define SEMIHOSTING_OPEN 0x01u
#define SEMIHOSTING_WRITE 0x05u
#define SEMIHOSTING_EXIT_EXTENDED 0x20u

#define SEMIHOSTING_WRITE_BINARY 5u
#define SEMIHOSTING_APPLICATION_EXIT 0x20026u

/* One request with its block of arguments; gives what the host answers. Only where a host listens. */
static inline uintptr_t semihosting(uintptr_t number, const void *block) {
    register uintptr_t operation __asm__("r0") = number;
    register const void *argument __asm__("r1") = block;
    __asm__ volatile("bkpt 0xAB" : "+r"(operation) : "r"(argument) : "memory");
    return operation;
}

#endif
