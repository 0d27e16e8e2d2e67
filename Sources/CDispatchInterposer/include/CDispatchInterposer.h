// The interposer: records the activity of every dispatch queue of the process. A program that links this target calls
// nothing. When it is recorded (QUEUESCOPE_TRACE, or a session that the program starts), its calls reach the hooks in
// place of libdispatch's functions.
#ifndef CDISPATCH_INTERPOSER_H
#define CDISPATCH_INTERPOSER_H

#ifdef QS_FRONT_END_PRELOAD
// Opens the control socket of a process that has opened the preload object with dlopen (RTLD_LOCAL). The process is
// then dormant: the commands of the control socket start and stop sessions, as if the object had been preloaded. The
// object is never unloaded, and needs at most 1,600 bytes of thread-local storage. Returns 0, also when the socket is
// open, or errno: see qs_control_open. Blocks: up to 0.5 s. Context: any thread that holds no lock of the program.
__attribute__((visibility("default"))) int qs_attach(void);
#endif

#endif
