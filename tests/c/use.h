/* Every symbol and macro of a header in use, as C and as C++. */
#include "kws.h"

#if KWS_ARENA_SIZE > KWS_ARENA_BYTES || KWS_INPUT0_OFFSET + KWS_INPUT0_SIZE > KWS_ARENA_SIZE || !KWS_INPUTS_KEPT
#error "macros are numbers for the preprocessor too"
#endif
#if !KWS_INPUT0_KEPT || KWS_MODEL_CRC32 == 0 || KWS_TFLM_ARENA_SIZE < KWS_TFLM_TAIL_SIZE || KWS_TFLM_GREEDY_ARENA_SIZE == 0
#error "macros are numbers for the preprocessor too"
#endif
#if defined(KWS_INPUT1_OFFSET) || defined(KWS_OUTPUT1_SIZE)
#error "what has no bytes in the arena has no macros"
#endif

#ifdef __cplusplus
extern "C" {
#endif
int use_plan(const void *model, size_t size);
#ifdef __cplusplus
}
#endif

static const char fingerprint[] = KWS_MODEL_SHA256;

int use_plan(const void *model, size_t size)
{
    uint8_t *input = kws_arena + KWS_INPUT0_OFFSET;
    uint32_t bytes = 0U;
    uint32_t row;
    input[0] = input[KWS_INPUT0_SIZE - 1U];
    for (row = 0U; row < kws_plan.buffer_count; ++row) {
        bytes += kws_plan.buffers[row].size;
    }
    if (kws_plan.kernels != ARENA_KERNELS_CMSIS_NN || (kws_plan.flags & ARENA_PLAN_OVERLAP) == 0U) {
        return 0;
    }
    return arena_plan_matches(&kws_plan, model, size) && arena_plan_base_ok(&kws_plan, kws_arena, sizeof(kws_arena)) &&
           sizeof(kws_arena) == KWS_ARENA_BYTES && bytes > 0U && fingerprint[0] == '0';
}
