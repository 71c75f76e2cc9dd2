/* arena_codegen/plan.h: the types of a planned tensor arena, and two checks for the start of a program.
 *
 * C99 and C++11 and later; needs no library. A generated header carries this file whole, so that a project needs that
 * header alone. Whichever copy comes first defines the types; each later one stops the build where it was written for
 * other types.
 */
#ifndef ARENA_CODEGEN_PLAN_TYPES_H
#define ARENA_CODEGEN_PLAN_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* Changes whenever a type or a constant below does. */
#define ARENA_PLAN_ABI 1

/* What a compiler calls these things. Define them beforehand where yours differs. */
#ifndef ARENA_ALIGN
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define ARENA_ALIGN(bytes) alignas(bytes)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define ARENA_ALIGN(bytes) _Alignas(bytes)
#elif defined(__GNUC__) || defined(__ICCARM__) || defined(__ARMCC_VERSION)
#define ARENA_ALIGN(bytes) __attribute__((aligned(bytes)))
#elif defined(_MSC_VER)
#define ARENA_ALIGN(bytes) __declspec(align(bytes))
#else
#error "arena-codegen: define ARENA_ALIGN(bytes) as this compiler's way to align a variable"
#endif
#endif

#ifndef ARENA_SECTION /* follows the variable's name */
#define ARENA_SECTION(name) __attribute__((section(name)))
#endif

#ifndef ARENA_STATIC_ASSERT /* claim: an identifier that says what is wrong where the condition is false */
#if defined(__cplusplus)
#define ARENA_STATIC_ASSERT(condition, claim) static_assert(condition, #claim)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define ARENA_STATIC_ASSERT(condition, claim) _Static_assert(condition, #claim)
#else
#define ARENA_STATIC_ASSERT(condition, claim) typedef char claim[(condition) ? 1 : -1]
#endif
#endif

#ifndef ARENA_INLINE
#if defined(__GNUC__)
#define ARENA_INLINE static inline __attribute__((unused))
#else
#define ARENA_INLINE static inline
#endif
#endif

#ifdef __cplusplus
#define ARENA_CAST(type, value) reinterpret_cast<type>(value)
#else
#define ARENA_CAST(type, value) ((type)(value))
#endif

/* True where [offset, offset + size) lies inside [0, total); no sum that could wrap. */
#define ARENA_INSIDE(offset, size, total) ((size) <= (total) && (offset) <= (total) - (size))

#ifdef __cplusplus
extern "C" {
#endif

/* Whose scratch buffers a plan holds, and whose order of reads and writes its shared bytes rely on. */
typedef enum arena_kernels_t {
    ARENA_KERNELS_NONE = 0,         /* tensors alone */
    ARENA_KERNELS_CMSIS_NN = 1,     /* the CMSIS-NN that TFLM pins */
    ARENA_KERNELS_CMSIS_NN_4_0 = 2, /* CMSIS-NN 4.0.0 */
    ARENA_KERNELS_REFERENCE = 3,    /* TFLM's reference kernels */
    ARENA_KERNELS_RECORDED = 4      /* requests as a device printed them */
} arena_kernels_t;

/* Bits of arena_plan_t.flags. */
#define ARENA_PLAN_IN_PLACE 0x1U        /* some output stands in the bytes of its operator's input, same start */
#define ARENA_PLAN_OVERLAP 0x2U         /* some output trails its operator's input: only right for the plan's kernels */
#define ARENA_PLAN_SCRATCH_UNKNOWN 0x4U /* an operator's scratch is not in the plan; plan again with --requests */

/* One request for memory. Its bytes are not rounded up: TFLM asks for the next multiple of 16. */
typedef struct arena_buffer_t {
    uint32_t offset; /* bytes from the start of the arena */
    uint32_t size;   /* bytes that the tensor or the scratch buffer has; 0 where a kernel asks for none */
    int32_t first;   /* the first allocation scope in which it is alive; scope 0 is before the first operator */
    int32_t last;    /* the last one, included; first is -1 where it is alive from before the invocation to its end,
                        first and last are -1 where no operator uses it */
} arena_buffer_t;

/* A plan: all requests in the order in which TFLM makes them, and what is needed to see that it is the right plan. */
typedef struct arena_plan_t {
    uint32_t abi;                  /* ARENA_PLAN_ABI of the header that defined the plan */
    uint32_t arena_size;           /* planned bytes, a multiple of the alignment */
    uint32_t alignment;            /* of the arena's first byte; a power of two */
    uint32_t kernels;              /* an arena_kernels_t */
    uint32_t flags;                /* ARENA_PLAN_... */
    uint32_t model_size;           /* bytes of the model that was planned */
    uint32_t model_crc32;          /* its CRC-32, as zlib counts it */
    uint32_t buffer_count;         /* rows of the table */
    const arena_buffer_t *buffers; /* the table; has one row at least, even where buffer_count is 0 */
} arena_plan_t;

ARENA_STATIC_ASSERT(sizeof(arena_buffer_t) == 16U, arena_buffer_t_has_no_padding);
ARENA_STATIC_ASSERT(offsetof(arena_plan_t, buffers) == 32U, arena_plan_t_has_no_padding);

/* 1 where these bytes are the model that was planned (its size and its CRC-32), else 0. Reads each byte once. */
ARENA_INLINE int arena_plan_matches(const arena_plan_t *plan, const void *model_data, size_t size)
{
    static const uint32_t nibbles[16] = {
        0x00000000U, 0x1DB71064U, 0x3B6E20C8U, 0x26D930ACU, 0x76DC4190U, 0x6B6B51F4U, 0x4DB26158U, 0x5005713CU,
        0xEDB88320U, 0xF00F9344U, 0xD6D6A3E8U, 0xCB61B38CU, 0x9B64C2B0U, 0x86D3D2D4U, 0xA00AE278U, 0xBDBDF21CU};
    const uint8_t *bytes = ARENA_CAST(const uint8_t *, model_data);
    uint32_t crc = 0xFFFFFFFFU;
    size_t i;
    if (!model_data || size != plan->model_size) {
        return 0;
    }
    for (i = 0U; i < size; ++i) {
        crc ^= bytes[i];
        crc = (crc >> 4) ^ nibbles[crc & 0xFU];
        crc = (crc >> 4) ^ nibbles[crc & 0xFU];
    }
    return (crc ^ 0xFFFFFFFFU) == plan->model_crc32;
}

/* 1 where a buffer of `size` bytes at `base` can hold the planned arena: aligned and large enough; else 0. */
ARENA_INLINE int arena_plan_base_ok(const arena_plan_t *plan, const void *base, size_t size)
{
    return base && ARENA_CAST(uintptr_t, base) % plan->alignment == 0U && size >= plan->arena_size;
}

#ifdef __cplusplus
}
#endif

#endif /* ARENA_CODEGEN_PLAN_TYPES_H */

#if ARENA_PLAN_ABI != 1
#error "arena-codegen: two versions of arena_codegen/plan.h disagree; generate all headers with one arena-codegen"
#endif
