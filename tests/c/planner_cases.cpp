/* Cases for tflm_planner.h, one a name: each prints what the planner said and did, for test_tflm_planner.py to read. */
#include <cstdio>
#include <cstring>

#include "arena_codegen/tflm_planner.h"

namespace {

using arena_codegen::PlannedMemory;

const arena_buffer_t kRows[] = {{0, 40, 0, 1}, {48, 112, 1, 2}, {160, 0, 1, 1}};
const arena_buffer_t kOtherRows[] = {{16, 16, 0, 3}};
const arena_buffer_t kState[] = {{0, 64, -1, 9}, {64, 16, 0, 1}};
const arena_buffer_t kOutside[] = {{96, 100, 0, 1}};

arena_plan_t Plan(const arena_buffer_t* rows, uint32_t count, uint32_t size, uint32_t flags = 0,
                  uint32_t kernels = ARENA_KERNELS_CMSIS_NN) {
  return {ARENA_PLAN_ABI, size, 16, kernels, flags, 1, 2, count, rows};
}

struct Ask {
  int size, first, last;
};

/* What MicroAllocator does with a planner: Init, all requests, all offsets, the head. */
void Allocate(tflite::MicroMemoryPlanner& planner, const Ask* asks, int count, bool offline = false) {
  planner.Init(nullptr, -4096);
  for (int i = 0; i < count; ++i) {
    const Ask& ask = asks[i];
    const TfLiteStatus status = offline ? planner.AddBuffer(ask.size, ask.first, ask.last, 1234)
                                        : planner.AddBuffer(ask.size, ask.first, ask.last);
    if (status != kTfLiteOk) {
      printf("refused at %d\n", i);
      return;
    }
  }
  for (int i = 0; i < count; ++i) {
    int offset = -1;
    if (planner.GetOffsetForBuffer(i, &offset) != kTfLiteOk) {
      printf("no offset %d\n", i);
      return;
    }
    printf("offset %d\n", offset);
  }
  printf("head %zu count %d preserves %d\n", planner.GetMaximumMemorySize(), planner.GetBufferCount(),
         planner.preserves_all_tensors());
}

const Ask kAsks[] = {{48, 0, 1}, {112, 1, 2}, {0, 1, 1}};

struct Inner : tflite::MicroMemoryPlanner {
  int size = 0, first = 0, last = 0, offline = -1, calls = 0;
  using tflite::MicroMemoryPlanner::AddBuffer;
  TfLiteStatus AddBuffer(int s, int f, int l) override {
    size = s, first = f, last = l, ++calls;
    return calls > 2 ? kTfLiteError : kTfLiteOk;
  }
  TfLiteStatus AddBuffer(int s, int f, int l, int o) override {
    offline = o;
    return AddBuffer(s, f, l);
  }
  size_t GetMaximumMemorySize() override { return 4321; }
  int GetBufferCount() override { return calls; }
  TfLiteStatus GetOffsetForBuffer(int index, int* offset) override { return *offset = 100 * index, kTfLiteOk; }
  TfLiteStatus Init(unsigned char*, int) override { return calls = 0, kTfLiteOk; }
  bool preserves_all_tensors() const override { return true; }
};

}  // namespace

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "";
  const auto is = [name](const char* other) { return strcmp(name, other) == 0; };
  arena_plan_t plan = Plan(kRows, 3, 160);
  if (is("planned")) {
    PlannedMemory planner(&plan);
    Allocate(planner, kAsks, 3);
  } else if (is("again")) {
    PlannedMemory planner(&plan);
    Allocate(planner, kAsks, 3);
    Allocate(planner, kAsks, 3);
  } else if (is("offline")) {
    PlannedMemory planner(&plan);
    Allocate(planner, kAsks, 3, true);
  } else if (is("state")) {
    const arena_plan_t state = Plan(kState, 2, 80);
    const Ask asks[] = {{64, -1, 4}, {16, 0, 1}};
    PlannedMemory planner(&state);
    Allocate(planner, asks, 2, true);
  } else if (is("use")) {
    const arena_plan_t other = Plan(kOtherRows, 1, 32);
    const Ask asks[] = {{16, 1, 2}};
    PlannedMemory planner(&plan);
    Allocate(planner, kAsks, 3);
    planner.Use(&other);
    Allocate(planner, asks, 1);
  } else if (is("larger") || is("smaller")) {
    const Ask asks[] = {{48, 0, 1}, {is("larger") ? 128 : 96, 1, 2}, {0, 1, 1}};
    PlannedMemory planner(&plan);
    Allocate(planner, asks, 3);
  } else if (is("negative")) {
    const Ask asks[] = {{-16, 0, 1}};
    PlannedMemory planner(&plan);
    Allocate(planner, asks, 1);
  } else if (is("earlier") || is("later")) {
    const Ask asks[] = {{48, 0, 1}, {112, is("earlier") ? 0 : 1, is("later") ? 3 : 2}, {0, 1, 1}};
    PlannedMemory planner(&plan);
    Allocate(planner, asks, 3);
  } else if (is("more") || is("more-unknown")) {
    const Ask asks[] = {{48, 0, 1}, {112, 1, 2}, {0, 1, 1}, {16, 1, 1}};
    plan.flags = is("more") ? 0U : ARENA_PLAN_SCRATCH_UNKNOWN;
    PlannedMemory planner(&plan);
    Allocate(planner, asks, 4);
  } else if (is("fewer")) {
    PlannedMemory planner(&plan);
    Allocate(planner, kAsks, 2);
  } else if (is("none")) {
    PlannedMemory planner(&plan);
    Allocate(planner, kAsks, 0);
  } else if (is("outside")) {
    const arena_plan_t outside = Plan(kOutside, 1, 160);
    const Ask asks[] = {{112, 0, 1}};
    PlannedMemory planner(&outside);
    Allocate(planner, asks, 1);
  } else if (is("null")) {
    PlannedMemory planner(nullptr);
    Allocate(planner, kAsks, 3);
  } else if (is("abi")) {
    plan.abi = ARENA_PLAN_ABI + 1;
    PlannedMemory planner(&plan);
    Allocate(planner, kAsks, 3);
  } else if (is("overlap-untold") || is("overlap-other") || is("overlap-same")) {
    plan.flags = ARENA_PLAN_OVERLAP;
    PlannedMemory planner(&plan, is("overlap-untold")  ? ARENA_KERNELS_NONE
                                 : is("overlap-other") ? ARENA_KERNELS_REFERENCE
                                                       : ARENA_KERNELS_CMSIS_NN);
    Allocate(planner, kAsks, 3);
  } else if (is("in-place-untold") || is("in-place-other")) {
    plan.flags = ARENA_PLAN_IN_PLACE;
    PlannedMemory planner(&plan, is("in-place-untold") ? ARENA_KERNELS_NONE : ARENA_KERNELS_REFERENCE);
    Allocate(planner, kAsks, 3);
  } else if (is("index")) {
    PlannedMemory planner(&plan);
    Allocate(planner, kAsks, 3);
    int offset = -1;
    printf("%d %d\n", planner.GetOffsetForBuffer(3, &offset), planner.GetOffsetForBuffer(-1, &offset));
  } else if (is("recorded")) {
#if !defined(TF_LITE_STRIP_ERROR_STRINGS)
    Inner inner;
    arena_codegen::RecordedMemory recorder(&inner);
    Allocate(recorder, kAsks, 2, true);
    printf("inner %d %d %d %d\n", inner.size, inner.first, inner.last, inner.offline);
    Allocate(recorder, kAsks, 3);
    const Ask extremes[] = {{2147483647, -2147483647, 2147483647}};
    Allocate(recorder, extremes, 1);
#endif
  } else {
    return 2;
  }
  return 0;
}
