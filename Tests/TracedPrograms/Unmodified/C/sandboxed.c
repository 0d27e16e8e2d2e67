// A program that installs a seccomp filter, which returns EPERM for opening, mapping and creating files.
//: discards
#include "check.h"
#include <dispatch/dispatch.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_rename // on arm64 renameat takes its place
#define SYS_rename SYS_renameat
#define SYS_mkdir SYS_mkdirat
#define SYS_unlink SYS_unlinkat
#endif

#define REFUSE(call)                                                  \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1),            \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("sandboxed", NULL);
	dispatch_async(queue, ^{ });
	dispatch_sync(queue, ^{ });

	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		REFUSE(SYS_openat), REFUSE(SYS_ftruncate), REFUSE(SYS_fallocate), REFUSE(SYS_rename), REFUSE(SYS_mkdir),
		REFUSE(SYS_perf_event_open), REFUSE(SYS_memfd_create), REFUSE(SYS_unlink), REFUSE(SYS_pwrite64),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
	CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
	CHECK(open("/dev/null", O_RDONLY) == -1 && errno == EPERM);

	__block int runs = 0;
	for (int i = 0; i < 50000; i++)
		dispatch_async(queue, ^{ runs++; });
	dispatch_sync(queue, ^{ });
	printf("%d runs\n", runs);
	return 0;
}
