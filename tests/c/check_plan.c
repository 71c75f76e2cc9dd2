/* Prints the offset table and checks the rest of the plan of layouts.with_everything(); exit code 1 names the fault. */
#include <stdio.h>
#include <string.h>

#include "kws.h"

extern int touch_arena(void); /* the same header in a unit of C++ */
extern char first;            /* one byte, so that nothing is aligned by luck */

static int faults;

static void expect(int is_true, const char *what)
{
    if (!is_true) {
        printf("not so: %s\n", what);
        faults = 1;
    }
}

static void expect_fingerprint(void)
{
    char model[10] = "123456789"; /* the check value of CRC-32 is 0xCBF43926 */
    expect(arena_plan_matches(&kws_plan, model, 9), "the model matches");
    expect(!arena_plan_matches(&kws_plan, model, 8), "a shorter model does not");
    expect(!arena_plan_matches(&kws_plan, model, 10), "a longer model does not");
    expect(!arena_plan_matches(&kws_plan, NULL, 9), "no model does not");
    model[4] ^= 1;
    expect(!arena_plan_matches(&kws_plan, model, 9), "a changed bit does not");
}

static void expect_base(void)
{
    const uint8_t *base = kws_arena;
    expect((uintptr_t)base % 16U == 0U, "the arena is aligned");
    expect(arena_plan_base_ok(&kws_plan, base, sizeof kws_arena), "the arena holds the plan");
    expect(arena_plan_base_ok(&kws_plan, base, KWS_ARENA_SIZE), "the planned bytes are enough");
    expect(!arena_plan_base_ok(&kws_plan, base, KWS_ARENA_SIZE - 1U), "a byte less is not");
    expect(!arena_plan_base_ok(&kws_plan, base + 8, KWS_ARENA_SIZE), "a base off by 8 is not");
    expect(!arena_plan_base_ok(&kws_plan, NULL, KWS_ARENA_SIZE), "no buffer is not");
}

int main(void)
{
    uint32_t row;
    for (row = 0; row < kws_plan.buffer_count; ++row) {
        const arena_buffer_t *b = &kws_plan.buffers[row];
        printf("%lu %lu %ld %ld\n", (unsigned long)b->offset, (unsigned long)b->size, (long)b->first, (long)b->last);
    }
    expect(first == 1, "the first byte is there");
    expect(kws_plan.abi == ARENA_PLAN_ABI && kws_plan.alignment == 16 && kws_plan.arena_size == 928, "sizes");
    expect(kws_plan.kernels == ARENA_KERNELS_CMSIS_NN && kws_plan.flags == 7, "kernels and flags");
    expect(strlen(KWS_MODEL_SHA256) == 64, "SHA-256");
    expect_fingerprint();
    expect_base();
    expect(touch_arena() == 42 && kws_arena[KWS_INPUT0_OFFSET] == 42, "both languages see one arena");
    if (!faults) {
        puts("all is well");
    }
    return faults;
}
