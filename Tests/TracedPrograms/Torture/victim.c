// The victim: threads that write numbered events until they are stopped or killed.
#define _GNU_SOURCE
#include "victim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CTraceRecorder.h"

enum {
	NOBODY = 65534,
	SHORT_THREADS = 1000,
	IDLE_THREADS = 2000,
	STOP_SIGNALS_AFTER = 200,
	// Exit statuses of a victim that detected an error itself.
	CANNOT_START_THREAD = 80,
	CHILD_FAILED = 81,
};

static const struct job *job;
static struct progress *progress;
static bool is_over; // atomic
static char text[16 * 1024];

uint64_t next_random(uint64_t *state)
{
	uint64_t value = (*state += 0x9E3779B97F4A7C15u);
	value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
	value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
	return value ^ (value >> 31);
}

static void sleep_us(long us)
{
	struct timespec time = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
	while (nanosleep(&time, &time) != 0 && errno == EINTR) {}
}

// `queue` and `log` contain the thread's number, `item` and `signpost` the number of the event.
static void write_event(int thread, uint64_t number, uint64_t *state)
{
	uint64_t bytes = job->bytes != 0 ? next_random(state) % (uint64_t)job->bytes : 0;
	if (bytes < 16) qs_record_item_begin(number, (uint32_t)thread);
	else qs_record_signpost_event(number, (uint32_t)thread, 0, text, bytes);
	__atomic_store_n(&progress->slots[thread].finished, number, __ATOMIC_RELEASE);
}

static void *work(void *argument)
{
	int thread = (int)(intptr_t)argument;
	uint64_t state = job->seed + (uint64_t)thread;
	progress->slots[thread].tid = (uint64_t)syscall(SYS_gettid);
	for (uint64_t number = 1; !__atomic_load_n(&is_over, __ATOMIC_RELAXED); number++) {
		if (job->events != 0 && number > (uint64_t)job->events) break;
		write_event(thread, number, &state);
		uint64_t turns = job->pause != 0 ? next_random(&state) % (uint64_t)job->pause : 0;
		for (volatile uint64_t turn = 0; turn < turns; turn++) {}
	}
	return NULL;
}

// MARK: Crashes

enum { GROUP_BYTES = 128 << 20 };

// Path of a file in the control group of a process that runs out of memory: of version 2 or 1.
static const char *group_path(pid_t process, const char *file, bool is_second)
{
	static char path[200];
	const char *root = is_second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
	snprintf(path, sizeof path, "%s/queuescope-torture-%d%s%s", root, process, file[0] != 0 ? "/" : "", file);
	return path;
}

static bool has_second_version(void)
{
	return access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0;
}

static void write_text(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);
	if (file < 0 || write(file, text, strlen(text)) < 0) _exit(CHILD_FAILED);
	close(file);
}

// Puts this process into a control group of its own with little memory.
static void enter_group(void)
{
	bool is_second = has_second_version();
	char limit[24];
	snprintf(limit, sizeof limit, "%d", GROUP_BYTES);
	if (mkdir(group_path(getpid(), "", is_second), 0755) != 0) _exit(CHILD_FAILED);
	write_text(group_path(getpid(), is_second ? "memory.max" : "memory.limit_in_bytes", is_second), limit);
	write_text(group_path(getpid(), "cgroup.procs", is_second), "0");
}

void remove_group(pid_t victim)
{
	rmdir(group_path(victim, "", has_second_version()));
}

// Uses more memory than the control group has. Ends the process if the limit has no effect.
static void exhaust_memory(void)
{
	enum { MOST = 2 * GROUP_BYTES, PAGE = 4096 };
	volatile char *memory = malloc(MOST);
	for (long place = 0; memory != NULL && place < MOST; place += PAGE) memory[place] = 1;
	_exit(CHILD_FAILED);
}

static void crash(void)
{
	static volatile int *volatile nowhere;
	switch (job->crash) {
	case CRASH_SEGMENTATION: *nowhere = 1; break;
	case CRASH_ABORT: abort();
	case CRASH_TRAP: __builtin_trap();
	case CRASH_OUT_OF_MEMORY: exhaust_memory();
	default: break;
	}
}

// MARK: Faults from inside

static void set_limit(__rlimit_resource_t resource, rlim_t value)
{
	struct rlimit limit = {.rlim_cur = value, .rlim_max = value};
	if (setrlimit(resource, &limit) != 0) _exit(CHILD_FAILED);
}

// Installs a seccomp filter that refuses system calls of the recorder, for this thread or for all threads.
static void install_filter(int error, bool for_all)
{
	static const int calls[] = {SYS_openat, SYS_pwritev, SYS_ftruncate, SYS_fallocate, SYS_madvise, SYS_unlinkat,
		SYS_unlink, SYS_perf_event_open, SYS_membarrier, SYS_close_range, SYS_mmap, SYS_fstatfs};
	enum { COUNT = sizeof calls / sizeof calls[0] };
	struct sock_filter filter[1 + 2 * COUNT + 1] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
	for (int index = 0; index < COUNT; index++) {
		filter[1 + 2 * index] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[index], 0, 1);
		filter[2 + 2 * index] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error);
	}
	filter[1 + 2 * COUNT] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, for_all ? SECCOMP_FILTER_FLAG_TSYNC : 0, &program);
}

static void *write_one(void *argument)
{
	qs_record_worker_park((uint32_t)(uintptr_t)argument);
	return NULL;
}

static pthread_attr_t small_stack(void)
{
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 64 * 1024);
	return attributes;
}

static void *write_one_and_wait(void *argument)
{
	write_one(argument);
	for (;;) pause();
}

// Each of these threads keeps the chunk of its event until the end. A system with a lower limit has fewer of them.
static void start_idle_threads(void)
{
	pthread_attr_t attributes = small_stack();
	for (int made = 0; made < IDLE_THREADS; made++) {
		pthread_t thread;
		if (pthread_create(&thread, &attributes, write_one_and_wait, NULL) != 0) break;
		pthread_detach(thread);
	}
}

static void start_short_threads(void)
{
	pthread_attr_t attributes = small_stack();
	for (int made = 0; made < SHORT_THREADS; made += 8) {
		pthread_t threads[8];
		for (int index = 0; index < 8; index++) {
			if (pthread_create(&threads[index], &attributes, write_one, NULL) != 0) _exit(CANNOT_START_THREAD);
		}
		for (int index = 0; index < 8; index++) pthread_join(threads[index], NULL);
	}
}

// Forks children that continue without the recorder and call recording functions, which must have no effect.
static void fork_children(uint64_t *state)
{
	for (int round = 0; round < 3; round++) {
		pid_t child = fork();
		if (child == 0) {
			for (uint64_t number = 1; number < 1000; number++) qs_record_item_begin(number, MOST_THREADS);
			if (next_random(state) % 2 == 0) exit(0);
			_exit(0);
		}
		int status = 0;
		if (child < 0 || waitpid(child, &status, 0) != child || status != 0) _exit(CHILD_FAILED);
	}
}

static void handle(int signal)
{
	(void)signal;
	qs_record_item_end(1);
}

// A storm of signals: the handler records and interrupts threads that record.
static void storm(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	sigaction(SIGALRM, &action, NULL);
	struct itimerval interval = {{0, 50}, {0, 50}};
	setitimer(ITIMER_REAL, &interval, NULL);
	for (int index = 0; index < STOP_SIGNALS_AFTER; index++) kill(getpid(), SIGALRM);
}

static void change_affinity(uint64_t *state)
{
	for (int round = 0; round < 20; round++) {
		cpu_set_t set;
		CPU_ZERO(&set);
		CPU_SET(next_random(state) % (uint64_t)sysconf(_SC_NPROCESSORS_ONLN), &set);
		for (int thread = 0; thread < job->threads; thread++) {
			pid_t tid = (pid_t)progress->slots[thread].tid;
			if (tid != 0) sched_setaffinity(tid, sizeof set, &set);
		}
		sched_yield();
	}
}

// Fills the file system completely.
static void fill_disk(const char *directory)
{
	char path[600];
	snprintf(path, sizeof path, "%s.filler", directory);
	int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	static char block[64 * 1024];
	while (file >= 0 && write(file, block, sizeof block) > 0) {}
	if (file >= 0) close(file);
}

// Sets a limit of System V shared memory in a new IPC namespace.
static void limit_segments(const char *setting, const char *value)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/sys/kernel/%s", setting);
	int file = unshare(CLONE_NEWIPC) == 0 ? open(path, O_WRONLY | O_CLOEXEC) : -1;
	if (file < 0 || write(file, value, strlen(value)) < 0) _exit(CHILD_FAILED);
	close(file);
}

// Faults that are set up before the session starts.
static void prepare(void)
{
	const char *fault = job->fault;
	bool is_user = strcmp(fault, "processes") == 0 || strcmp(fault, "read-only") == 0;
	if (is_user && geteuid() == 0 && setuid(NOBODY) != 0) _exit(CHILD_FAILED);
	if (job->crash == CRASH_OUT_OF_MEMORY) enter_group();
	if (strcmp(fault, "memory-small") == 0) limit_segments("shmmax", "1048576");
	if (strcmp(fault, "memory-none") == 0) limit_segments("shmmni", "0");
}

static void happen(uint64_t *state)
{
	const char *fault = job->fault;
	if (strcmp(fault, "descriptors") == 0) set_limit(RLIMIT_NOFILE, next_random(state) % 8);
	if (strcmp(fault, "address-space") == 0) set_limit(RLIMIT_AS, (next_random(state) % 64 + 1) << 20);
	if (strcmp(fault, "file-size") == 0) set_limit(RLIMIT_FSIZE, next_random(state) % (256 * 1024));
	if (strcmp(fault, "locked-memory") == 0) set_limit(RLIMIT_MEMLOCK, 0);
	if (strcmp(fault, "processes") == 0) set_limit(RLIMIT_NPROC, 1);
	if (strcmp(fault, "setuid") == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)) _exit(CHILD_FAILED);
	if (strcmp(fault, "chroot") == 0 && (chroot("/var/empty") != 0 && chroot("/sys") != 0)) _exit(CHILD_FAILED);
	if (strcmp(fault, "seccomp") == 0) install_filter(next_random(state) % 2 ? EPERM : ENOSYS, false);
	if (strcmp(fault, "seccomp-all") == 0) install_filter(next_random(state) % 2 ? EPERM : ENOSYS, true);
	if (strcmp(fault, "short-threads") == 0) start_short_threads();
	if (strcmp(fault, "idle-threads") == 0) start_idle_threads();
	if (strcmp(fault, "fork") == 0) fork_children(state);
	if (strcmp(fault, "signals") == 0) storm();
	if (strcmp(fault, "affinity") == 0) change_affinity(state);
	if (strcmp(fault, "close-all") == 0) syscall(SYS_close_range, 3, ~0u, 0);
}

// MARK: Faults from outside

static void remove_directory(const char *path)
{
	DIR *directory = opendir(path);
	for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
		unlinkat(dirfd(directory), entry->d_name, 0);
	}
	if (directory != NULL) closedir(directory);
	rmdir(path);
}

// Removes the ring buffers. The file `.arena` of the trace has the id of their shared memory segment.
static void remove_ring(const char *directory)
{
	char path[600];
	snprintf(path, sizeof path, "%s/.arena", directory);
	FILE *file = fopen(path, "re");
	int id;
	if (file == NULL) return;
	if (fscanf(file, "shm %d", &id) == 1) shmctl(id, IPC_RMID, NULL);
	fclose(file);
}

// Empties each file that the victim writes through a mapping, as a user does who frees a tmpfs. A later access
// to such a mapping raises SIGBUS.
static void truncate_mappings(pid_t victim)
{
	char line[1024], rights[8], path[600];
	snprintf(path, sizeof path, "/proc/%d/maps", victim);
	FILE *maps = fopen(path, "re");
	while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
		bool is_file = sscanf(line, "%*s %7s %*s %*s %*s %599[^\n]", rights, path) == 2 && path[0] == '/';
		bool is_shared = is_file && rights[1] == 'w' && rights[3] == 's';
		if (is_shared && truncate(path, 0) != 0) continue; // a segment, or a file without a name
	}
	if (maps != NULL) fclose(maps);
}

void disturb(const struct job *disturbed, pid_t victim)
{
	const char *fault = disturbed->fault;
	if (strcmp(fault, "ring-removed") == 0) remove_ring(disturbed->directory);
	if (strcmp(fault, "ring-truncated") == 0) truncate_mappings(victim);
	if (strcmp(fault, "removed") == 0) remove_directory(disturbed->directory);
	if (strcmp(fault, "disk-full") == 0) fill_disk(disturbed->directory);
	if (strcmp(fault, "read-only") == 0) chmod(disturbed->directory, 0500);
}

// MARK: Life of the victim

// Measures resources that must not grow: pages, mappings, descriptors. After the end of the main thread /proc/self has
// none of them.
static void measure(uint64_t *measures)
{
	uint64_t size = 0, resident = 0, mappings = 0, descriptors = 0;
	FILE *file = fopen("/proc/thread-self/statm", "re");
	if (file == NULL || fscanf(file, "%lu %lu", &size, &resident) != 2) _exit(CHILD_FAILED);
	fclose(file);
	file = fopen("/proc/thread-self/maps", "re");
	for (int c; file != NULL && (c = fgetc(file)) != EOF;) mappings += c == '\n';
	fclose(file);
	DIR *directory = opendir("/proc/thread-self/fd");
	while (directory != NULL && readdir(directory) != NULL) descriptors += 1;
	closedir(directory);
	measures[0] = size;
	measures[1] = resident;
	measures[2] = mappings;
	measures[3] = descriptors;
}

static void start_session(void)
{
	struct qs_session_options options = {
		.limit = job->limit, .memory = job->memory, .is_flight = job->window_ms != 0,
		.window_ns = (uint64_t)job->window_ms * 1000000,
	};
	int system_error = 0;
	progress->start_error = qs_session_start(job->directory, &options, &system_error);
}

// Starts and stops sessions while the threads write.
static void *rotate(void *unused)
{
	(void)unused;
	int count = job->events;
	for (int index = 1; index <= count; index++) {
		start_session();
		if (progress->start_error != QS_SESSION_OK) _exit(CHILD_FAILED);
		write_one(NULL);
		if (index % 100 == 0) start_short_threads();
		qs_session_stop();
		remove_directory(job->directory);
		// Pools have reached their final size by now.
		if (index == count / 2) measure(progress->measures);
	}
	measure(progress->measures + 4);
	return NULL;
}

static bool is_rotation(void)
{
	return strncmp(job->fault, "rotation", 8) == 0;
}

// The main thread ends in the first session, and this thread rotates and ends the process.
static void *rotate_without_main(void *main_thread)
{
	pthread_join((pthread_t)main_thread, NULL);
	qs_session_stop();
	remove_directory(job->directory);
	rotate(NULL);
	__atomic_store_n(&progress->phase, PHASE_STOPPED, __ATOMIC_RELEASE);
	_exit(0);
}

static _Noreturn void end_main_thread(void)
{
	start_session();
	write_one(NULL);
	pthread_t thread;
	if (pthread_create(&thread, NULL, rotate_without_main, (void *)pthread_self()) != 0) _exit(CANNOT_START_THREAD);
	pthread_exit(NULL);
}

static void run_threads(uint64_t *state)
{
	pthread_t threads[MOST_THREADS];
	int started = 0;
	while (started < job->threads
		&& pthread_create(&threads[started], NULL, work, (void *)(intptr_t)started) == 0) {
		started++;
	}
	if (!job->is_early && started < job->threads) _exit(CANNOT_START_THREAD);
	if (strcmp(job->fault, "rotation-without-main") == 0) end_main_thread();
	if (is_rotation()) {
		rotate(NULL);
	} else {
		if (job->is_killed || job->crash != CRASH_NONE) {
			for (int index = 0; index < started; index++) {
				while (__atomic_load_n(&progress->slots[index].finished, __ATOMIC_RELAXED) == 0) sched_yield();
			}
		}
		__atomic_store_n(&progress->phase, PHASE_READY, __ATOMIC_RELEASE);
		if (job->crash != CRASH_NONE) {
			sleep_us(job->delay_us);
			crash();
		}
		if (job->fault[0] != 0) sleep_us(job->fault_us);
		if (!job->is_early) happen(state);
		bool waits_for_kill = job->is_killed && job->phase != PHASE_STOPPING;
		if (job->events == 0) sleep_us(job->delay_us + (waits_for_kill ? 1000000 : 0));
	}
	if (job->events == 0 || is_rotation()) __atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (int index = 0; index < started; index++) pthread_join(threads[index], NULL);
}

void victim_run(const struct job *its_job, struct progress *its_progress)
{
	static struct job copy; // outlives the main thread and its stack
	copy = *its_job;
	job = &copy;
	progress = its_progress;
	uint64_t state = job->seed;
	memset(text, 'm', sizeof text);
	prepare();
	if (job->is_early) happen(&state);
	if (!is_rotation()) start_session();
	run_threads(&state);
	__atomic_store_n(&progress->phase, PHASE_STOPPING, __ATOMIC_RELEASE);
	if (next_random(&state) % 2 == 0) exit(0); // the recorder's destructor stops the session
	qs_session_stop();
	__atomic_store_n(&progress->phase, PHASE_STOPPED, __ATOMIC_RELEASE);
	_exit(0);
}
