#include "tensors.h"

static uint32_t crc_table[256];

/* CRC-32 as zlib counts it. */
static uint32_t crc32_of(const uint8_t *bytes, uint32_t count) {
    if (crc_table[1] == 0u) {
        for (uint32_t byte = 0; byte < 256u; ++byte) {
            uint32_t crc = byte;
            for (uint32_t bit = 0; bit < 8u; ++bit) {
                crc = (crc >> 1) ^ ((crc & 1u) != 0u ? 0xEDB88320u : 0u);
            }
            crc_table[byte] = crc;
        }
    }
    uint32_t crc = UINT32_MAX;
    for (uint32_t at = 0; at < count; ++at) {
        crc = (crc >> 8) ^ crc_table[(crc ^ bytes[at]) & 255u];
    }
    return ~crc;
}

static uint32_t hash_of(int32_t tensor) {
    return crc32_of(tensors_read(tensor), network.tensors[tensor].bytes);
}

static bool is_in_arena(int32_t tensor) {
    return tensor != NETWORK_NONE && network.tensors[tensor].buffer != NETWORK_NONE;
}

void *tensors_write(int32_t tensor) {
    if (tensor == NETWORK_NONE) {
        return NULL;
    }
    const network_tensor_t *row = &network.tensors[tensor];
    return row->buffer != NETWORK_NONE ? network.arena + network.plan->buffers[row->buffer].offset : row->state;
}

const void *tensors_read(int32_t tensor) {
    const void *const writable = tensors_write(tensor);
    return writable != NULL || tensor == NETWORK_NONE ? writable : network.tensors[tensor].constant;
}

void tensors_forget(void) {
    for (uint32_t tensor = 0; tensor < network.tensor_count; ++tensor) {
        network.held[tensor].is_known = 0u;
    }
}

void tensors_written(int32_t tensor) {
    if (is_in_arena(tensor)) {
        network.held[tensor] = (network_held_t){hash_of(tensor), 1u};
    }
}

bool tensors_whole(int32_t tensor) {
    return !is_in_arena(tensor) || network.held[tensor].is_known == 0u || network.held[tensor].hash == hash_of(tensor);
}

bool tensors_right(int32_t tensor, uint32_t invocation) {
    if (!is_in_arena(tensor) || network.tensors[tensor].judge != NETWORK_BY_HASH ||
        network.held[tensor].is_known == 0u) {
        return true;
    }
    return network.held[tensor].hash == network.expected[invocation * network.tensor_count + (uint32_t)tensor];
}
