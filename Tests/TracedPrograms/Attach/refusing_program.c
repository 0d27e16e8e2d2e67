// A program into which no recorder is loaded. Prints "ready" and waits until it is ended.
//
//	refusing_program               uses no libdispatch
//	refusing_program seccomp       has a seccomp filter, which permits all system calls
//	refusing_program no-traps      ignores SIGTRAP
//	refusing_program traces PID    traces a process, as a debugger does
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <unistd.h>

static int install_filter(void)
{
	struct sock_filter code[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog program = {.len = 1, .filter = code};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) : -1;
}

int main(int count, char **words)
{
	const char *what = count > 1 ? words[1] : "";
	int error = 0;
	if (strcmp(what, "seccomp") == 0) error = install_filter();
	if (strcmp(what, "no-traps") == 0) error = signal(SIGTRAP, SIG_IGN) == SIG_ERR;
	if (strcmp(what, "traces") == 0) error = (int)ptrace(PTRACE_SEIZE, count > 2 ? atoi(words[2]) : 0, NULL, NULL);
	if (error != 0) perror(what);
	puts(error == 0 ? "ready" : "failed");
	fflush(stdout);
	char byte;
	while (read(0, &byte, 1) > 0) {}
	return error != 0;
}
