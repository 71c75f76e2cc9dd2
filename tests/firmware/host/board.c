/* A board that is a program of the host: text goes to standard output, tensors into the file tensors.bin. */
#include "../../../firmware_stub/board/board.h"

#include <stdio.h>
#include <stdlib.h>

#include "network.h"

static const char *running = "start-up";

_Noreturn void board_exit(uint32_t code) {
    exit((int)code);
}

void board_put(char character) {
    (void)putchar(character);
}

void board_init(void) {
}

void board_running(const char *what) {
    running = what;
}

const char *board_runs(void) {
    return running;
}

void board_watch(uint32_t seconds) {
    (void)seconds;
}

uint64_t board_instructions(void) {
    return 0u;
}

void board_send(const void *bytes, uint32_t count) {
    static FILE *file;
    if (file == NULL) {
        file = fopen("tensors.bin", "wb");
    }
    if (file == NULL || fwrite(bytes, 1, count, file) != count) {
        exit((int)BOARD_EXIT_FAULT);
    }
}

/* The arena alone: what is around it is AddressSanitizer's to watch. */
bool board_arena_zone(const uint8_t *arena, uint8_t **from, uint8_t **to) {
    *from = network.arena;
    *to = network.arena + network.arena_bytes;
    return arena == network.arena;
}
