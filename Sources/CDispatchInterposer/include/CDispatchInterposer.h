// The interposer: records what every dispatch queue of the process does, whoever uses it. There is nothing to call. A program that links this target and
// is recorded (QUEUESCOPE_TRACE, or a session that it starts itself) has the hooks in place of libdispatch's functions.
#ifndef CDISPATCH_INTERPOSER_H
#define CDISPATCH_INTERPOSER_H
#endif
