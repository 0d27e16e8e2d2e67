// The interposer: records the activity of every dispatch queue of the process. There is nothing to call. A program that
// links this target and is recorded (QUEUESCOPE_TRACE, or a session that the program starts) calls the hooks in place
// of libdispatch's functions.
#ifndef CDISPATCH_INTERPOSER_H
#define CDISPATCH_INTERPOSER_H
#endif
