// The name and the access rights of the control socket.
#ifndef QS_CONTROL_SOCKET_H
#define QS_CONTROL_SOCKET_H

#include <stdbool.h>

// Creates the socket of this process: @queuescope.VERSION.PID. Processes in several PID namespaces can have the same
// number and share the network namespace: then .1, .2 and so on follow. Returns a descriptor, -1 with errno. EEXIST:
// another recorder of this process has a socket.
int qs_control_socket_open(void);

// Accepts a connection. Returns -1 with errno. EPERM: the peer is another user, and `refuse` answered it.
int qs_control_socket_accept(int listener, void (*refuse)(int file));

// Connects to the socket of this process and closes the connection, which wakes the thread that serves it. Takes a
// descriptor for some microseconds. Context: also a signal handler.
void qs_control_socket_wake(void);

// Asks the other recorder of this process to write its events into the files, and waits for the answer, for at most
// this time. Returns false when it has no socket or does not answer. Takes a descriptor. Context: any other thread than
// the control thread.
bool qs_control_socket_flush(int milliseconds);

#endif
