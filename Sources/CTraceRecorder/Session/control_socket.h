// The name and the access rights of the control socket.
#ifndef QS_CONTROL_SOCKET_H
#define QS_CONTROL_SOCKET_H

#include <stdbool.h>

// Creates the socket of this process: @queuescope.VERSION.PID. Processes in several PID namespaces can have the same
// number and share the network namespace: then .1, .2 and so on follow. Returns a descriptor, -1 with errno. EEXIST:
// another recorder of this process has a socket.
int qs_control_socket_open(void);

// Accepts a connection. Returns -1 with errno. EPERM: the peer is another user.
int qs_control_socket_accept(int listener);

// Connects to the socket of this process and closes the connection, which wakes the thread that serves it. Takes a
// descriptor for some microseconds.
void qs_control_socket_wake(void);

#endif
