// The only thread ends by the system call instead of exit, so the C library runs no exit handlers.
//: ends 3
//: items 1
#define _GNU_SOURCE
#include "check.h"
#include <dispatch/dispatch.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	dispatch_sync(dispatch_queue_create("alone", NULL), ^{ puts("main"); });
	fflush(stdout);
	syscall(SYS_exit, 3);
}
