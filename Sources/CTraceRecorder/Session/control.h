// Control: commands of the same user, and of root, start and stop sessions of this process and ask for its state.
//
//	queuescope start 4711 ──connect──▸ @queuescope.1.4711 ──▸ control thread ──▸ qs_session_start
//	                      ◂──────────── answer ◂───────────────────┘
//
// The socket is an abstract Unix socket, so it needs no file and ends with the process. One thread of the recorder
// serves it and blocks all signals. It has its own descriptor table, so the program cannot see or close the socket.
// The thread sleeps until a command connects, except for a look at the main thread every 30 s.
//
// A forked child has no control thread and no socket: a second thread would break a child that calls unshare or setns.
#ifndef QS_CONTROL_H
#define QS_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

enum qs_control_wish {
	QS_CONTROL_UNSET,   // the preload object opens the socket, a linked recorder does not
	QS_CONTROL_OFF,     // QUEUESCOPE_CONTROL=0
	QS_CONTROL_ON,      // QUEUESCOPE_CONTROL=1
	QS_CONTROL_DORMANT, // QUEUESCOPE_CONTROL=dormant: QUEUESCOPE_TRACE is the default of later sessions
};

// Reads QUEUESCOPE_CONTROL. Prints an invalid value on standard error, once.
enum qs_control_wish qs_control_read_wish(void);

// Opens the socket if the environment or the kind of the recorder asks for it. `is_needed`: its thread also serves a
// signal (session_snapshot.h). An obstacle is not reported: the program is then not controllable. Context: a start of
// the process.
void qs_control_open_as_wished(enum qs_control_wish wish, bool is_needed);

// Makes the control thread end without a further system call of its own, at its next wake-up. Context: before a seccomp
// filter is installed on all threads.
void qs_control_abandon(void);

#endif
