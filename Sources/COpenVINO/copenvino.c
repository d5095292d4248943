#define _GNU_SOURCE  // memfd_create, dladdr
#include "copenvino.h"

#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "openvino/c/openvino.h"

// The name of OpenVINO's CPU plug-in in its packages for this architecture.
#ifdef __aarch64__
#define CPU_PLUGIN "libopenvino_arm_cpu_plugin"
#else
#define CPU_PLUGIN "libopenvino_intel_cpu_plugin"
#endif

// `process` created the object. A forked child has none of OpenVINO's threads, and freeing would wait for them forever:
// there, nothing is freed.
struct copenvino_core {
  pid_t process;
  ov_core_t *core;
};
struct copenvino_model {
  pid_t process;
  ov_compiled_model_t *model;
};
struct copenvino_request {
  pid_t process;
  ov_infer_request_t *request;
  ov_tensor_t *input;
};

static int failed(ov_status_e status, const char *what, char *message) {
  if (status == OK) return 0;
  const char *detail = ov_get_last_err_msg();
  if (detail == NULL || *detail == 0) detail = ov_get_error_info(status);
  if (message) {
    snprintf(message, COPENVINO_MESSAGE, "%s: %s", what, detail);
    for (char *c = message; *c; c++) {
      if (*c == '\n') *c = ' ';
    }
  }
  return 1;
}

// Finds the folder that OpenVINO was loaded from, and the suffix of its library names, such as ".so.2641".
static int find_package(char folder[PATH_MAX], char ending[32]) {
  Dl_info info;
  if (!dladdr((const void *)(uintptr_t)&ov_core_create, &info) || !info.dli_fname) return 0;
  char *name = realpath(info.dli_fname, folder) ? strrchr(folder, '/') : NULL;
  char *version = name ? strstr(name, ".so") : NULL;
  if (version == NULL) return 0;
  snprintf(ending, 32, "%s", version);
  *name = 0;
  return 1;
}

static int is_there(const char *folder, const char *name, const char *ending, char *message) {
  char path[PATH_MAX + NAME_MAX];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
  if (access(path, R_OK) == 0) return 1;
  if (message) {
    snprintf(message, COPENVINO_MESSAGE, "OpenVINO is not complete: %s%s is missing in %s; install faceverify again",
             name, ending, folder);
  }
  return 0;
}

// By default, OpenVINO searches the current folder for plug-ins that are not next to it, where anyone may have put one.
// The location of the only plug-in used is passed in the form that OpenVINO accepts: an XML file.
static ov_core_t *create_core(char *message) {
  char folder[PATH_MAX], ending[32];
  if (!find_package(folder, ending)) {
    failed(GENERAL_ERROR, "OpenVINO's folder cannot be found", message);
    return NULL;
  }
  if (!is_there(folder, CPU_PLUGIN, ".so", message) ||
      !is_there(folder, "libopenvino_ir_frontend", ending, message) ||
      !is_there(folder, "libopenvino_tensorflow_lite_frontend", ending, message)) {
    return NULL;
  }
  int file = memfd_create("faceverify-plugins", MFD_CLOEXEC);
  if (file < 0) {
    failed(UNKNOW_EXCEPTION, "no memory file", message);
    return NULL;
  }
  dprintf(file, "<ie><plugins><plugin name=\"CPU\" location=\"");
  for (const char *c = folder; *c; c++) dprintf(file, strchr("&<>\"'", *c) ? "&#%d;" : "%c", *c);
  dprintf(file, "/" CPU_PLUGIN ".so\"/></plugins></ie>");
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  ov_core_t *core = NULL;
  failed(ov_core_create_with_config(path, &core), "OpenVINO does not start", message);
  close(file);
  return core;
}

int copenvino_core_create(copenvino_core **out, const char *precision, char *message) {
  ov_core_t *core = create_core(message);
  if (core == NULL) return 0;
  // Precision: by default, the plug-in computes in bf16 wherever it can, even without hardware support.
  // One stream of one thread: only then does OpenVINO run a request on the calling thread. With more streams, it hands
  // each request to a thread of its own and back, which costs two context switches.
  // Pinning would put two processes on the same core.
  if (failed(ov_core_set_property(core, "CPU", ov_property_key_hint_inference_precision, precision), "precision", message) ||
      failed(ov_core_set_property(core, "CPU", ov_property_key_hint_execution_mode, "ACCURACY"), "mode", message) ||
      failed(ov_core_set_property(core, "CPU", ov_property_key_num_streams, "1"), "streams", message) ||
      failed(ov_core_set_property(core, "CPU", ov_property_key_inference_num_threads, "1"), "threads", message) ||
      failed(ov_core_set_property(core, "CPU", ov_property_key_hint_enable_cpu_pinning, "NO"), "pinning", message)) {
    ov_core_free(core);
    return 0;
  }
  copenvino_core *box = malloc(sizeof *box);
  if (box == NULL) {
    ov_core_free(core);
    return !failed(UNKNOW_EXCEPTION, "out of memory", message);
  }
  *box = (copenvino_core){getpid(), core};
  *out = box;
  return 1;
}

void copenvino_core_free(copenvino_core *core) {
  if (core == NULL || core->process != getpid()) return;
  ov_core_free(core->core);
  free(core);
}

int copenvino_version(char *out, size_t capacity) {
  ov_version_t version;
  if (capacity == 0 || ov_get_openvino_version(&version) != OK) return 0;
  snprintf(out, capacity, "%s", version.buildNumber);
  ov_version_free(&version);
  return 1;
}

// Compiles the file at `path`, or if that is NULL, imports the bytes.
static int load(copenvino_core *core, const char *path, const uint8_t *bytes, size_t size, copenvino_model **out,
                char *message) {
  ov_compiled_model_t *model = NULL;
  // The CPU plug-in sets a signal stack on the thread that loads it, and unmaps it when it is unloaded, on whatever
  // thread. The thread's own signal stack, which Go, Rust and the sanitizers rely on, would be lost, and then even the
  // plug-in's: the next signal would end the process. (OpenVINO 2026.4.1, observed with strace.)
  stack_t stack;
  sigaltstack(NULL, &stack);
  ov_status_e status = path ? ov_core_compile_model_from_file(core->core, path, "CPU", 0, &model)
                            : ov_core_import_model(core->core, (const char *)bytes, size, "CPU", &model);
  sigaltstack(&stack, NULL);
  const char *what = path ? "OpenVINO cannot compile the model" : "OpenVINO cannot read the compiled model";
  if (failed(status, what, message)) return 0;
  copenvino_model *box = malloc(sizeof *box);
  if (box == NULL) {
    ov_compiled_model_free(model);
    return !failed(UNKNOW_EXCEPTION, "out of memory", message);
  }
  *box = (copenvino_model){getpid(), model};
  *out = box;
  return 1;
}

int copenvino_model_compile(copenvino_core *core, const char *path, copenvino_model **out, char *message) {
  return load(core, path, NULL, 0, out, message);
}

int copenvino_model_import(copenvino_core *core, const uint8_t *bytes, size_t size, copenvino_model **out,
                           char *message) {
  return load(core, NULL, bytes, size, out, message);
}

int copenvino_model_export(const copenvino_model *model, uint8_t **out, size_t *size, char *message) {
  int file = memfd_create("faceverify-model", MFD_CLOEXEC);
  if (file < 0) return !failed(UNKNOW_EXCEPTION, "no memory file", message);
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  uint8_t *bytes = NULL;
  size_t count = 0;
  int ok = !failed(ov_compiled_model_export_model(model->model, path), "OpenVINO cannot save the compiled model",
                   message);
  struct stat status;
  if (ok && fstat(file, &status) == 0 && status.st_size > 0) bytes = malloc((size_t)status.st_size);
  if (ok && bytes == NULL) ok = !failed(UNKNOW_EXCEPTION, "out of memory", message);
  while (ok && count < (size_t)status.st_size) {
    ssize_t got = pread(file, bytes + count, (size_t)status.st_size - count, (off_t)count);
    if (got <= 0) ok = !failed(UNKNOW_EXCEPTION, "the memory file cannot be read", message);
    if (got > 0) count += (size_t)got;
  }
  close(file);
  if (!ok) {
    free(bytes);
    return 0;
  }
  *out = bytes;
  *size = count;
  return 1;
}

void copenvino_model_free(copenvino_model *model) {
  if (model == NULL || model->process != getpid()) return;
  ov_compiled_model_free(model->model);
  free(model);
}

int copenvino_request_create(const copenvino_model *model, copenvino_request **out, char *message) {
  copenvino_request *box = calloc(1, sizeof *box);
  if (box == NULL) return !failed(UNKNOW_EXCEPTION, "out of memory", message);
  box->process = getpid();
  if (failed(ov_compiled_model_create_infer_request(model->model, &box->request), "no inference request", message) ||
      failed(ov_infer_request_get_input_tensor(box->request, &box->input), "no input tensor", message)) {
    copenvino_request_free(box);
    return 0;
  }
  *out = box;
  return 1;
}

void copenvino_request_free(copenvino_request *request) {
  if (request == NULL || request->process != getpid()) return;
  if (request->input) ov_tensor_free(request->input);
  if (request->request) ov_infer_request_free(request->request);
  free(request);
}

static int floats(const ov_tensor_t *tensor, void **data, size_t *count, char *message) {
  ov_element_type_e type;
  if (failed(ov_tensor_get_element_type(tensor, &type), "tensor type", message)) return 0;
  if (type != F32) return !failed(PARAMETER_MISMATCH, "the tensor does not hold 32-bit floats", message);
  return !failed(ov_tensor_get_size(tensor, count), "tensor size", message) &&
         !failed(ov_tensor_data(tensor, data), "tensor data", message);
}

int copenvino_request_input(copenvino_request *request, float **data, size_t *count, char *message) {
  void *memory = NULL;
  if (!floats(request->input, &memory, count, message)) return 0;
  *data = memory;
  return 1;
}

int copenvino_request_reshape(copenvino_request *request, const int64_t *dimensions, int64_t rank, char *message) {
  ov_shape_t shape;
  ov_tensor_t *tensor = NULL;
  if (failed(ov_shape_create(rank, dimensions, &shape), "tensor shape", message)) return 0;
  int ok = !failed(ov_tensor_create(F32, shape, &tensor), "no input tensor", message);
  ov_shape_free(&shape);
  if (!ok) return 0;
  if (failed(ov_infer_request_set_input_tensor(request->request, tensor), "input shape", message)) {
    ov_tensor_free(tensor);
    return 0;
  }
  ov_tensor_free(request->input);
  request->input = tensor;
  return 1;
}

int copenvino_request_run(copenvino_request *request, char *message) {
  return !failed(ov_infer_request_infer(request->request), "inference failed", message);
}

int copenvino_request_output(copenvino_request *request, size_t index, const float **data, size_t *count,
                             char *message) {
  ov_tensor_t *tensor = NULL;
  if (failed(ov_infer_request_get_output_tensor_by_index(request->request, index, &tensor), "no such output",
             message)) {
    return 0;
  }
  void *memory = NULL;
  int ok = floats(tensor, &memory, count, message);
  ov_tensor_free(tensor);  // only this handle: the memory belongs to the request
  if (ok) *data = memory;
  return ok;
}
