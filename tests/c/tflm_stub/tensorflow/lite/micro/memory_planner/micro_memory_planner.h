#pragma once
#include <cstddef>

#include "tensorflow/lite/c/common.h"

namespace tflite {

class MicroMemoryPlanner {
 public:
  virtual ~MicroMemoryPlanner() = default;
  virtual TfLiteStatus AddBuffer(int size, int first, int last) = 0;
  virtual TfLiteStatus AddBuffer(int /*size*/, int /*first*/, int /*last*/, int /*offline_offset*/) { return kTfLiteError; }
  virtual size_t GetMaximumMemorySize() = 0;
  virtual int GetBufferCount() = 0;
  virtual TfLiteStatus GetOffsetForBuffer(int index, int* offset) = 0;
  virtual TfLiteStatus Init(unsigned char* /*memory*/, int /*size*/) { return kTfLiteOk; }
  virtual bool preserves_all_tensors() const = 0;
  virtual void PrintMemoryPlan() {}
};

}  // namespace tflite
