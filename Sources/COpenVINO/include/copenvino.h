// A non-variadic face of OpenVINO's C API (compile and set_property are variadic there, which Swift cannot call),
// cut down to what is used: the CPU, one fixed input, some outputs. Tensors hold 32-bit floats, whatever is computed in.
//
// Functions return 1 on success; on failure 0 with one line for people in `message` (COPENVINO_MESSAGE bytes).
#ifndef COPENVINO_H
#define COPENVINO_H

#include <stddef.h>
#include <stdint.h>

enum { COPENVINO_MESSAGE = 512 };

/// The runtime with its CPU plug-in. Shared by threads.
typedef struct copenvino_core copenvino_core;
/// `precision` is what all its models compute in: "f32" or "bf16".
int copenvino_core_create(copenvino_core **out, const char *precision, char *message);
void copenvino_core_free(copenvino_core *core);
/// The runtime's build number, such as "2026.4.1-22982-…"; it is part of the key of compiled models.
int copenvino_version(char *out, size_t capacity);

/// A compiled model. Shared by threads, but its requests run one after the other, each on the thread that calls
/// `copenvino_request_run`: to run at the same time, threads need a compiled model each.
typedef struct copenvino_model copenvino_model;
/// Reads `.tflite` or `.xml` (with the `.bin` of the same name beside it) and compiles it.
int copenvino_model_compile(copenvino_core *core, const char *path, copenvino_model **out,
                            char *message);
/// Takes back what `copenvino_model_export` wrote. The model goes on using `bytes`, which must outlive it.
int copenvino_model_import(copenvino_core *core, const uint8_t *bytes, size_t size, copenvino_model **out,
                           char *message);
/// The compiled model's bytes, which `free` releases. They never touch a disk: OpenVINO does not notice a full one.
int copenvino_model_export(const copenvino_model *model, uint8_t **out, size_t *size, char *message);
void copenvino_model_free(copenvino_model *model);

/// One running inference: its tensors. One thread at a time. Must be freed before its model.
typedef struct copenvino_request copenvino_request;
int copenvino_request_create(const copenvino_model *model, copenvino_request **out, char *message);
void copenvino_request_free(copenvino_request *request);
/// The input tensor's floats, to be filled before each run; valid as long as the request.
int copenvino_request_input(copenvino_request *request, float **data, size_t *count, char *message);
int copenvino_request_run(copenvino_request *request, char *message);
/// Output number `index`, valid until the next run.
int copenvino_request_output(copenvino_request *request, size_t index, const float **data, size_t *count,
                             char *message);

#endif
