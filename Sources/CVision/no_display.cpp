// OpenCV's core, linked statically, can share memory with a display's OpenGL, which nothing here does. A release build
// leaves that code out and what it calls with it; a debug build keeps it, and finds these.
extern "C" {
__attribute__((weak, visibility("hidden"))) void *glXGetCurrentContext() { return nullptr; }
__attribute__((weak, visibility("hidden"))) void *glXGetCurrentDisplay() { return nullptr; }
}
