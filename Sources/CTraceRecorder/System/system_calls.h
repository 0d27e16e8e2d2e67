// System calls and constants of newer kernels that are missing in the headers of older systems. The recorder compiles
// with glibc 2.26 and the headers of Linux 4.14. On an older kernel these calls fail with ENOSYS or EINVAL, which the
// callers handle.
//
// Include this in place of sys/syscall.h, sys/mman.h and linux/perf_event.h.
#ifndef QS_SYSTEM_CALLS_H
#define QS_SYSTEM_CALLS_H

#include <linux/membarrier.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>

// Linux 5.9.
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE (1u << 1)
#endif

// glibc 2.27 has the functions; the system call is from Linux 3.17.
#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 1u
#endif

// Linux 4.11; a glibc that was compiled with older headers does not have the number.
#ifndef SYS_statx
#ifdef __x86_64__
#define SYS_statx 332
#else
#define SYS_statx 291
#endif
#endif
#ifndef AT_STATX_DONT_SYNC
#define AT_STATX_DONT_SYNC 0x4000
#endif

// Linux 4.17.
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#ifndef PERF_RECORD_MISC_SWITCH_OUT_PREEMPT
#define PERF_RECORD_MISC_SWITCH_OUT_PREEMPT (1u << 14)
#endif

// Linux 5.14.
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#endif
