// A non-variadic wrapper of OpenVINO's C API (compile and set_property are variadic there, which Swift cannot call),
// limited to what is used: the CPU, one input, some outputs. Tensors hold 32-bit floats, whatever the inference
// precision.
//
// Functions return 1 on success; on failure 0 and one line for people in `message` (COPENVINO_MESSAGE bytes).
#ifndef COPENVINO_H
#define COPENVINO_H

#include <stddef.h>
#include <stdint.h>

enum { COPENVINO_MESSAGE = 512 };

/// The runtime with its CPU plug-in. Thread-safe.
typedef struct copenvino_core copenvino_core;
/// `precision` is the inference precision of all its models: "f32" or "bf16".
int copenvino_core_create(copenvino_core **out, const char *precision, char *message);
void copenvino_core_free(copenvino_core *core);
/// Writes the runtime's build number, such as "2026.4.1-22982-…"; it is part of the cache key of compiled models.
int copenvino_version(char *out, size_t capacity);

/// A compiled model. Thread-safe, but its requests run one after the other, each on the thread that calls
/// `copenvino_request_run`: to run in parallel, threads need a compiled model each.
typedef struct copenvino_model copenvino_model;
/// Reads `.tflite` or `.xml` (with the `.bin` of the same name in its folder) and compiles it.
int copenvino_model_compile(copenvino_core *core, const char *path, copenvino_model **out, char *message);
/// Loads the output of `copenvino_model_export`. The model keeps using `bytes`, which must outlive it.
int copenvino_model_import(copenvino_core *core, const uint8_t *bytes, size_t size, copenvino_model **out,
                           char *message);
/// Exports the compiled model to memory that `free` releases. It is never written to disk: OpenVINO does not notice a
/// full one.
int copenvino_model_export(const copenvino_model *model, uint8_t **out, size_t *size, char *message);
void copenvino_model_free(copenvino_model *model);

/// An inference request and its tensors. Not thread-safe. Must be freed before its model.
typedef struct copenvino_request copenvino_request;
int copenvino_request_create(const copenvino_model *model, copenvino_request **out, char *message);
void copenvino_request_free(copenvino_request *request);
/// Sets `data` to the input tensor's floats, to be filled before each run; valid as long as the request.
int copenvino_request_input(copenvino_request *request, float **data, size_t *count, char *message);
/// Replaces the input tensor by one of another shape, for a model whose input has dimensions that vary.
int copenvino_request_reshape(copenvino_request *request, const int64_t *shape, int64_t rank, char *message);
int copenvino_request_run(copenvino_request *request, char *message);
/// Sets `data` to output number `index`, valid until the next run.
int copenvino_request_output(copenvino_request *request, size_t index, const float **data, size_t *count,
                             char *message);

#endif
