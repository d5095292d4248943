// OpenCV's core, linked statically, can share memory with OpenGL, which is not used here. A release build drops that
// code and the functions that it calls; a debug build keeps it and resolves them here.
extern "C" {
__attribute__((weak, visibility("hidden"))) void *glXGetCurrentContext() { return nullptr; }
__attribute__((weak, visibility("hidden"))) void *glXGetCurrentDisplay() { return nullptr; }
}
