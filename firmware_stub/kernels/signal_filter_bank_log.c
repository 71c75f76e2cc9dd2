#include "signal_filter_bank_log.h"

#include "bits.h"

#define LN_2 45426u /* over 65536 */

/* log2 of a number from 2 on, with 16 bits behind the point: a straight line between two entries of the table. */
static uint32_t log2_of(uint32_t value, const uint16_t *bends) {
    const uint32_t whole = bits_of(value) - 1u;
    const uint32_t above = value - (1u << whole);
    const uint32_t rest = whole < 16u ? above << (16u - whole) : above >> (whole - 16u);
    const uint32_t entry = rest >> 9;
    const int32_t step = bends[entry + 1u] - bends[entry];
    return (whole << 16) + rest + bends[entry] + (uint32_t)(step * (int32_t)(rest & 511u) >> 16);
}

static bool run(const kernel_call_t *call) {
    const kernel_signal_filter_bank_log_t *p = call->params;
    const uint32_t *input = call->inputs[0];
    int16_t *output = call->outputs[0];
    for (int32_t at = 0; at < p->count; ++at) {
        const uint32_t value = input[at] << p->input_shift;
        if (value <= 1u) {
            output[at] = 0;
            continue;
        }
        const uint32_t natural = (uint32_t)(((uint64_t)LN_2 * log2_of(value, p->bends) + (1u << 15)) >> 16);
        const uint32_t scaled = (p->output_scale * natural + (1u << 15)) >> 16;
        output[at] = (int16_t)(scaled < INT16_MAX ? scaled : INT16_MAX);
    }
    return true;
}

const kernel_t kernel_signal_filter_bank_log = {run, NULL};
