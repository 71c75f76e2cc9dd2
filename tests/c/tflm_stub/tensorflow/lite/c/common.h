#pragma once
enum TfLiteStatus { kTfLiteOk = 0, kTfLiteError = 1 };
