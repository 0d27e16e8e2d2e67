// Creates victims and ends them. Reads a job or a check from each line of standard input and answers with one line:
//
//	run DIRECTORY FAULT SEED MEMORY LIMIT THREADS EVENTS BYTES PAUSE PHASE DELAY FAULT-DELAY KILLED EARLY CRASH WINDOW
//	    → WAIT-STATUS HANGS START-ERROR PHASE MEASURES… : FINISHED…
//	    or, before that line, "hangs PID": the victim stays as it is until a line is read
//	check WINDOW DIRECTORY FINISHED…
//	    → VERDICT EVENTS FINISHED DISCARDED
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "victim.h"

static struct progress *progress;

static int64_t now_us(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000ll + time.tv_nsec / 1000;
}

// Waits actively for the last part, so that any moment can be reached.
static void wait_us(int64_t us)
{
	int64_t end = now_us() + us;
	if (us > 200) usleep((useconds_t)(us - 100));
	while (now_us() < end) {}
}

// Waits until the victim has reached a phase, has ended, or the deadline has passed.
static void wait_for_phase(pid_t victim, int phase, int64_t deadline)
{
	while (__atomic_load_n(&progress->phase, __ATOMIC_ACQUIRE) < phase && now_us() < deadline) {
		siginfo_t info = {0};
		if (waitid(P_PID, (id_t)victim, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == victim) return;
		sched_yield();
	}
}

static bool waits_for_end(pid_t victim, int64_t deadline)
{
	int descriptor = (int)syscall(SYS_pidfd_open, victim, 0);
	struct pollfd poller = {.fd = descriptor, .events = POLLIN};
	int64_t left = (deadline - now_us()) / 1000;
	int ready = poll(&poller, 1, left > 0 ? (int)left : 0);
	close(descriptor);
	return ready == 1;
}

static void run(const struct job *job, int patience_s)
{
	memset(progress, 0, sizeof *progress);
	int64_t deadline = now_us() + patience_s * 1000000ll;
	pid_t victim = fork();
	if (victim < 0) {
		printf("cannot fork\n");
		return;
	}
	if (victim == 0) {
		setpgid(0, 0);
		close(STDIN_FILENO);
		victim_run(job, progress);
	}
	setpgid(victim, victim);
	if (job->is_killed) {
		wait_for_phase(victim, job->phase, deadline);
		wait_us(job->delay_us);
		kill(victim, SIGKILL);
	} else if (!job->is_early && job->fault[0] != 0) {
		wait_for_phase(victim, PHASE_READY, deadline);
		wait_us(job->fault_us);
		disturb(job, victim);
	}
	bool hangs = !waits_for_end(victim, deadline);
	if (hangs) {
		printf("hangs %d\n", victim);
		while (getchar() != '\n' && !feof(stdin)) {}
		kill(victim, SIGABRT);
	}
	if (hangs && !waits_for_end(victim, now_us() + 5000000)) kill(victim, SIGKILL);
	int status = 0;
	while (waitpid(victim, &status, 0) < 0 && errno == EINTR) {}
	kill(-victim, SIGKILL); // the victim's children
	if (job->crash == CRASH_OUT_OF_MEMORY) remove_group(victim);
	printf("%d %d %d %d", status, hangs, progress->start_error, progress->phase);
	for (int index = 0; index < 8; index++) printf(" %lu", (unsigned long)progress->measures[index]);
	printf(" :");
	for (int thread = 0; thread < job->threads; thread++) {
		printf(" %lu", (unsigned long)progress->slots[thread].finished);
	}
	printf("\n");
}

static void check(char *line)
{
	uint64_t finished[MOST_THREADS];
	int threads = 0;
	char *rest = NULL;
	char *window = strtok_r(line, " \n", &rest);
	char *directory = strtok_r(NULL, " \n", &rest);
	for (char *word; threads < MOST_THREADS && (word = strtok_r(NULL, " \n", &rest)) != NULL;) {
		finished[threads++] = strtoull(word, NULL, 10);
	}
	trace_check(directory, atoi(window), finished, threads);
}

int main(int argc, char **argv)
{
	int patience_s = argc > 1 ? atoi(argv[1]) : 60;
	setvbuf(stdout, NULL, _IOLBF, 0);
	progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (progress == MAP_FAILED) return 1;
	static char line[8192];
	while (fgets(line, sizeof line, stdin) != NULL) {
		if (strncmp(line, "check ", 6) == 0) {
			check(line + 6);
			continue;
		}
		struct job job = {0};
		int is_killed, is_early;
		int count = sscanf(line, "run %511s %31s %lu %lu %lu %d %d %d %d %d %d %d %d %d %d %d",
			job.directory, job.fault,
			&job.seed, &job.memory, &job.limit, &job.threads, &job.events, &job.bytes, &job.pause, &job.phase,
			&job.delay_us, &job.fault_us, &is_killed, &is_early, &job.crash, &job.window_ms);
		if (count != 16) return 64;
		job.is_killed = is_killed != 0;
		job.is_early = is_early != 0;
		if (strcmp(job.fault, "-") == 0) job.fault[0] = 0;
		run(&job, patience_s);
	}
	return 0;
}
