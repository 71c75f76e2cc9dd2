#include "signal_pcan.h"

#include "bits.h"

/* A polynomial of the ten bits behind the highest one. */
static int16_t gain_of(uint32_t noise, const int16_t *table) {
    if (noise <= 2u) {
        return table[noise];
    }
    const uint32_t bits = bits_of(noise);
    const int16_t *coefficients = table + 4u * bits - 6u;
    const int32_t rest = (int32_t)((bits < 11u ? noise << (11u - bits) : noise >> (bits - 11u)) & 0x3FFu);
    const int32_t slope = (coefficients[2] * rest >> 5) + coefficients[1] * 32;
    const int32_t rise = (int32_t)((uint32_t)slope * (uint32_t)rest + (1u << 14)) >> 15;
    return (int16_t)(rise + coefficients[0]);
}

/* x * x / 4 below 2, x - 1 from there on: 12 bits behind the point go in, 6 come out. */
static uint32_t shrunk(uint32_t x) {
    return x < 2u << 12 ? x * x >> 20 : (x >> 6) - (1u << 6);
}

static bool run(const kernel_call_t *call) {
    const kernel_signal_pcan_t *p = call->params;
    const uint32_t *channels = call->inputs[0];
    const uint32_t *noise = call->inputs[1];
    for (int32_t at = 0; at < p->count; ++at) {
        const uint32_t gain = (uint32_t)gain_of(noise[at], call->inputs[2]);
        ((uint32_t *)call->outputs[0])[at] = shrunk((uint32_t)((uint64_t)channels[at] * gain >> p->shift));
    }
    return true;
}

const kernel_t kernel_signal_pcan = {run, NULL};
