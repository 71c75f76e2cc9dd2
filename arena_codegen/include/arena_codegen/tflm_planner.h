/* arena_codegen/tflm_planner.h: a generated plan as the memory planner of TensorFlow Lite Micro. C++17, header-only.
 *
 *     #include "kws_plan.h"
 *     #include "arena_codegen/tflm_planner.h"
 *
 *     arena_codegen::PlannedMemory planner(&kws_plan);
 *     tflite::MicroAllocator* allocator = tflite::MicroAllocator::Create(kws_arena, KWS_ARENA_BYTES, &planner);
 *     tflite::MicroInterpreter interpreter(model, resolver, allocator);
 *     interpreter.AllocateTensors();
 *
 * TFLM's own shim for offline plans reports a head of 0 and checks nothing. This one reports the planned head, so that
 * an arena which is too small is refused, and refuses a request that is not the planned one. Needs no heap, no
 * exceptions, no RTTI. A planner must outlive the allocator, and lies outside of the arena.
 */
#ifndef ARENA_CODEGEN_TFLM_PLANNER_H
#define ARENA_CODEGEN_TFLM_PLANNER_H

#include <cstddef>
#include <cstdint>
#include <limits>

#include "arena_codegen/plan.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/micro/memory_planner/micro_memory_planner.h"
#include "tensorflow/lite/micro/micro_log.h"

namespace arena_codegen {

/* Hands out the offsets of a plan, in the order in which TFLM asks.
 *
 * A plan in which buffers share bytes beyond their lifetimes ("overlap") is right for the kernels that it was made for
 * only: say which ones are linked, PlannedMemory(&kws_plan, ARENA_KERNELS_CMSIS_NN), or it is refused.
 */
class PlannedMemory : public tflite::MicroMemoryPlanner {
 public:
  explicit PlannedMemory(const arena_plan_t* plan, arena_kernels_t kernels = ARENA_KERNELS_NONE)
      : plan_(plan), kernels_(kernels) {}
  PlannedMemory(const PlannedMemory&) = delete;
  PlannedMemory& operator=(const PlannedMemory&) = delete;

  /* The plan of the model that is allocated next, by an interpreter on the same allocator. */
  void Use(const arena_plan_t* plan) {
    plan_ = plan;
    requests_ = 0;
  }

  TfLiteStatus Init(unsigned char* /*working_memory*/, int /*size*/) override {
    requests_ = 0;
    return kTfLiteOk;
  }

  TfLiteStatus AddBuffer(int size, int first, int last) override {
    const int index = requests_;
    if (!IsUsable()) {
      return kTfLiteError;
    }
    if (index >= Planned()) {
      MicroPrintf("arena-codegen: request %d of %d bytes, but only %d are planned: %s", index, size, Planned(),
                  (plan_->flags & ARENA_PLAN_SCRATCH_UNKNOWN) ? "plan with --requests, from a RecordedMemory log"
                                                              : kPlanAgain);
      return kTfLiteError;
    }
    const arena_buffer_t& row = plan_->buffers[index];
    if (size < 0 || static_cast<uint64_t>(size) != RoundedUp(row.size)) {
      MicroPrintf("arena-codegen: request %d is %d bytes, planned are %d: %s", index, size,
                  static_cast<int>(RoundedUp(row.size)), kPlanAgain);
      return kTfLiteError;
    }
    if (first < row.first || last > row.last) {
      MicroPrintf("arena-codegen: request %d lives in scopes %d..%d, planned are %d..%d: %s", index, first, last,
                  static_cast<int>(row.first), static_cast<int>(row.last), kPlanAgain);
      return kTfLiteError;
    }
    if (!ARENA_INSIDE(row.offset, row.size, plan_->arena_size)) {
      MicroPrintf("arena-codegen: row %d of the plan lies outside of its %d bytes: generate the header again", index,
                  static_cast<int>(plan_->arena_size));
      return kTfLiteError;
    }
    ++requests_;
    return kTfLiteOk;
  }

  /* A model that carries an offline plan of its own, in its metadata: the plan given here holds. */
  TfLiteStatus AddBuffer(int size, int first, int last, int /*offline_offset*/) override {
    return AddBuffer(size, first, last);
  }

  /* The planned head, which TFLM holds against the arena; more than any arena has where requests are missing. */
  size_t GetMaximumMemorySize() override {
    return IsComplete() ? plan_->arena_size : std::numeric_limits<size_t>::max() / 2;
  }

  int GetBufferCount() override { return requests_; }

  TfLiteStatus GetOffsetForBuffer(int index, int* offset) override {
    if (!IsComplete() || index < 0 || index >= requests_) {
      return kTfLiteError;
    }
    *offset = static_cast<int>(plan_->buffers[index].offset);
    return kTfLiteOk;
  }

  bool preserves_all_tensors() const override { return false; }

 private:
  static constexpr const char* kPlanAgain = "plan again, for this model and its kernels";

  /* TFLM asks for multiples of 16, whatever alignment the plan has. */
  static uint64_t RoundedUp(uint32_t bytes) { return (static_cast<uint64_t>(bytes) + 15U) / 16U * 16U; }

  int Planned() const { return static_cast<int>(plan_->buffer_count); }

  bool IsUsable() const {
    if (plan_ == nullptr) {
      MicroPrintf("arena-codegen: no plan: give PlannedMemory the address of one");
      return false;
    }
    if (plan_->abi != ARENA_PLAN_ABI) {
      MicroPrintf("arena-codegen: plan of version %d, tflm_planner.h is of version %d: generate the header again",
                  static_cast<int>(plan_->abi), static_cast<int>(ARENA_PLAN_ABI));
      return false;
    }
    const bool is_told = kernels_ != ARENA_KERNELS_NONE;
    const bool is_same = static_cast<uint32_t>(kernels_) == plan_->kernels;
    const uint32_t shares = plan_->flags & (is_told ? ARENA_PLAN_OVERLAP | ARENA_PLAN_IN_PLACE : ARENA_PLAN_OVERLAP);
    if (shares != 0U && !(is_told && is_same)) {
      MicroPrintf("arena-codegen: buffers share bytes as kernels %d allow, linked are %d (see arena_kernels_t): %s",
                  static_cast<int>(plan_->kernels), static_cast<int>(kernels_),
                  is_told ? "plan with their --kernels, or with --no-overlap --no-in-place"
                          : "name them to PlannedMemory, or plan with --no-overlap");
      return false;
    }
    return true;
  }

  bool IsComplete() const {
    if (plan_ == nullptr || plan_->abi != ARENA_PLAN_ABI) {
      return false;
    }
    if (requests_ != Planned()) {
      MicroPrintf("arena-codegen: %d requests, planned are %d: %s", requests_, Planned(), kPlanAgain);
      return false;
    }
    return true;
  }

  const arena_plan_t* plan_;
  arena_kernels_t kernels_;
  int requests_ = 0;

#ifdef TF_LITE_STATIC_MEMORY /* nothing is ever deleted: what a virtual destructor refers to need not be linked */
  void operator delete(void*) {}
#endif
};

#if !defined(TF_LITE_STRIP_ERROR_STRINGS) /* which strips what this class prints */
/* Prints each request that TFLM makes of a planner, one line each: a log of them is what --requests reads.
 *
 * For kernels that arena-codegen has no table for. Wrap TFLM's own planner, and boot with a large arena:
 *
 *     tflite::GreedyMemoryPlanner greedy;
 *     arena_codegen::RecordedMemory recorder(&greedy);
 *     tflite::MicroAllocator::Create(arena, sizeof(arena), &recorder);
 */
class RecordedMemory : public tflite::MicroMemoryPlanner {
 public:
  explicit RecordedMemory(tflite::MicroMemoryPlanner* inner) : inner_(inner) {}
  RecordedMemory(const RecordedMemory&) = delete;
  RecordedMemory& operator=(const RecordedMemory&) = delete;

  TfLiteStatus Init(unsigned char* working_memory, int size) override {
    requests_ = 0;
    return inner_->Init(working_memory, size);
  }

  TfLiteStatus AddBuffer(int size, int first, int last) override {
    Print(size, first, last);
    return inner_->AddBuffer(size, first, last);
  }

  TfLiteStatus AddBuffer(int size, int first, int last, int offline_offset) override {
    Print(size, first, last);
    return inner_->AddBuffer(size, first, last, offline_offset);
  }

  size_t GetMaximumMemorySize() override { return inner_->GetMaximumMemorySize(); }
  int GetBufferCount() override { return inner_->GetBufferCount(); }
  TfLiteStatus GetOffsetForBuffer(int index, int* offset) override { return inner_->GetOffsetForBuffer(index, offset); }
  bool preserves_all_tensors() const override { return inner_->preserves_all_tensors(); }
  void PrintMemoryPlan() override { inner_->PrintMemoryPlan(); }

 private:
  void Print(int size, int first, int last) {
    MicroPrintf("arena-codegen-request {\"i\":%d,\"size\":%d,\"first\":%d,\"last\":%d}", requests_, size, first, last);
    ++requests_;
  }

  tflite::MicroMemoryPlanner* inner_;
  int requests_ = 0;

#ifdef TF_LITE_STATIC_MEMORY /* nothing is ever deleted: what a virtual destructor refers to need not be linked */
  void operator delete(void*) {}
#endif
};
#endif

}  // namespace arena_codegen

#endif  // ARENA_CODEGEN_TFLM_PLANNER_H
