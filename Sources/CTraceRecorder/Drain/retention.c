#define _GNU_SOURCE
#include "retention.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../Events/arena.h"
#include "../Events/arena_name.h"
#include "../Events/identity.h"
#include "../System/directory_entries.h"
#include "trace_files.h"
#include "trace_pattern.h"

enum {
	MOST_TRACES = 4096, // further traces are removed by a later session
	HEAD_BYTES = 4096,  // of the metadata: the environment block is in it
	// A recorder that starts has not locked its arena yet.
	LEAST_AGE_S = 60,
};

struct trace {
	int64_t written_ns; // when its metadata was written: at its start, and at its end
	uint64_t bytes;
	bool is_kept;       // it is surplus, but must not be removed
	char name[NAME_MAX + 1];
};

static struct {
	char pattern[NAME_MAX + 1]; // "": there is nothing to remove
	struct qs_retention kept;
	int folder;                 // descriptor of the folder of the traces; valid during a run
	struct trace *traces;       // found by the first run of a session
	uint32_t count;
	uint64_t bytes;             // of all traces
} retention;

void qs_retention_begin(const char *pattern, const struct qs_retention *kept)
{
	if (retention.traces != NULL) munmap(retention.traces, MOST_TRACES * sizeof *retention.traces);
	retention.traces = NULL;
	retention.pattern[0] = 0;
	retention.kept = *kept;
	if (kept->traces == 0 && kept->bytes == 0) return;
	size_t end = strlen(pattern);
	while (end > 0 && pattern[end - 1] == '/') end--;
	size_t begin = end;
	while (begin > 0 && pattern[begin - 1] != '/') begin--;
	if (end - begin >= sizeof retention.pattern) return;
	memcpy(retention.pattern, pattern + begin, end - begin);
	retention.pattern[end - begin] = 0;
}

// MARK: One trace

struct content {
	int directory;
	uint64_t bytes;
	bool is_foreign; // it has an entry that Queuescope does not write
	bool is_changed; // an entry was removed
};

static bool is_numbered(const char *name, const char *prefix)
{
	size_t length = strlen(prefix);
	return strncmp(name, prefix, length) == 0 && name[length + strspn(name + length, "0123456789")] == 0;
}

static bool is_own_file(const char *name)
{
	static const char *const names[] = {
		"metadata", ".metadata", "definitions", "definitions-of-library", ".arena", ".arena-of-library", ".ending",
		".snapshot", ".queuescope-names", "overwritten",
	};
	for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
		if (strcmp(name, names[index]) == 0) return true;
	}
	return is_numbered(name, "thread-") || is_numbered(name, "kernel-") || is_numbered(name, ".queuescope-names.");
}

static void inspect_file(const char *name, void *context)
{
	struct content *content = context;
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return;
	struct stat status;
	bool is_own = is_own_file(name) && fstatat(content->directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0
		&& S_ISREG(status.st_mode);
	if (is_own) content->bytes += (uint64_t)status.st_blocks * 512;
	else content->is_foreign = true;
}

// The descriptors of a trace directory and of its metadata, and the start of the metadata.
struct open_trace {
	int directory;
	int metadata;
	struct stat status; // of the metadata
	char head[HEAD_BYTES + 1];
};

static void close_trace(struct open_trace *trace)
{
	if (trace->metadata >= 0) close(trace->metadata);
	if (trace->directory >= 0) close(trace->directory);
}

// Opens a directory of this user. Returns false, with nothing open, when it is not a trace of Queuescope.
static bool open_trace(const char *name, struct open_trace *trace)
{
	const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	struct stat folder;
	trace->metadata = -1;
	trace->directory = openat(retention.folder, name, flags | O_DIRECTORY);
	bool is_own = trace->directory >= 0 && fstat(trace->directory, &folder) == 0 && folder.st_uid == geteuid();
	if (is_own) trace->metadata = openat(trace->directory, "metadata", flags);
	bool is_file =
		trace->metadata >= 0 && fstat(trace->metadata, &trace->status) == 0 && S_ISREG(trace->status.st_mode);
	ssize_t length = is_file ? pread(trace->metadata, trace->head, HEAD_BYTES, 0) : 0;
	trace->head[length > 0 ? length : 0] = 0;
	if (strstr(trace->head, "tracer_name = \"queuescope\"") != NULL) return true;
	close_trace(trace);
	return false;
}

// The recorder writes the number of streams when the files are complete.
static bool is_finished(const struct open_trace *trace)
{
	static const char field[] = "\tstreams = ";
	const char *place = strstr(trace->head, field);
	return place != NULL && strtoul(place + strlen(field), NULL, 10) > 0;
}

// Whether the shared memory segment belongs to this user and is an arena of this trace.
static bool is_arena_of(const struct open_trace *trace, int id)
{
	static const char field[] = "uuid = \"";
	const char *digit = strstr(trace->head, field);
	struct shmid_ds status;
	bool is_own = digit != NULL && shmctl(id, IPC_STAT, &status) == 0 && status.shm_perm.uid == geteuid()
		&& status.shm_segsz >= sizeof(struct qs_arena_head);
	const struct qs_arena_head *head = is_own ? shmat(id, NULL, SHM_RDONLY) : (void *)-1;
	if (head == (void *)-1) return false;
	bool is_arena = memcmp(head->magic, "QSARENA", sizeof head->magic) == 0;
	digit += strlen(field);
	for (size_t index = 0; index < sizeof head->uuid && is_arena; index++) {
		char byte[3];
		snprintf(byte, sizeof byte, "%02x", head->uuid[index]);
		if (*digit == '-') digit++;
		is_arena = strncmp(digit, byte, 2) == 0;
		digit += 2;
	}
	shmdt(head);
	return is_arena;
}

// Whether an arena that does not exist here exists nowhere: it was created in this boot and IPC namespace, or before a
// restart of this host. `origin`: the lines after the arena's id.
static bool is_gone(const struct open_trace *trace, const char *origin)
{
	char here[QS_ORIGIN_BYTES], host[300] = "hostname = \"";
	qs_arena_origin_describe(here, sizeof here);
	if (strcmp(here, origin) == 0) return here[0] != 0;
	size_t boot = strcspn(here, "\n");
	if (strncmp(here, "boot ", 5) != 0 || strncmp(origin, "boot ", 5) != 0) return false;
	gethostname(host + strlen(host), 256);
	host[sizeof host - 2] = 0;
	strcat(host, "\"");
	return strncmp(here, origin, boot + 1) != 0 && strstr(trace->head, host) != NULL;
}

enum arena_state { NO_ARENA, ARENA_OF_ENDED, ARENA_IN_USE };

// State of the arena that a file of the trace names. `remove`: removes an arena of a process that has ended.
static enum arena_state arena_state(const struct open_trace *trace, const char *name, bool remove)
{
	int file = openat(trace->directory, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (file < 0) return errno == ENOENT ? NO_ARENA : ARENA_IN_USE;
	enum arena_state state = ARENA_IN_USE;
	char text[64 + QS_ORIGIN_BYTES];
	// The recorder thread holds the lock during the lifetime of its process.
	ssize_t length = flock(file, LOCK_EX | LOCK_NB) == 0 ? read(file, text, sizeof text - 1) : 0;
	text[length > 0 ? length : 0] = 0;
	int id, end = 0;
	if (sscanf(text, "shm %d\n%n", &id, &end) == 1 && end > 0) {
		bool is_found = is_arena_of(trace, id);
		if (is_found || is_finished(trace) || is_gone(trace, text + end)) state = ARENA_OF_ENDED;
		if (is_found && remove) shmctl(id, IPC_RMID, NULL);
	}
	close(file);
	return state;
}

// Whether no process will write into the trace again.
static bool is_over(const struct open_trace *trace, bool remove_arenas)
{
	enum arena_state own = arena_state(trace, ".arena", remove_arenas);
	enum arena_state of_library = arena_state(trace, ".arena-of-library", remove_arenas);
	if (own == ARENA_IN_USE || of_library == ARENA_IN_USE) return false;
	if (is_finished(trace)) return true;
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return own == ARENA_OF_ENDED && now.tv_sec - trace->status.st_mtim.tv_sec > LEAST_AGE_S;
}

static void remove_file(const char *name, void *context)
{
	struct content *content = context;
	// The metadata goes last: until then the rest is a trace for the next session.
	if (!is_own_file(name) || strcmp(name, "metadata") == 0) return;
	content->is_changed |= unlinkat(content->directory, name, 0) == 0;
}

// Returns false when the trace must not be removed, or cannot be.
static bool remove_trace(const char *name)
{
	struct open_trace trace;
	if (!open_trace(name, &trace)) return false;
	struct content content = {.directory = trace.directory};
	// Readers hold a shared lock of the metadata.
	bool is_removable = qs_directory_visit(trace.directory, inspect_file, &content) && !content.is_foreign
		&& is_over(&trace, false) && flock(trace.metadata, LOCK_EX | LOCK_NB) == 0 && is_over(&trace, true);
	bool is_removed = false;
	if (is_removable) {
		// Some file systems skip entries when others are removed.
		do {
			content.is_changed = false;
		} while (qs_directory_visit(trace.directory, remove_file, &content) && content.is_changed);
		is_removed = unlinkat(trace.directory, "metadata", 0) == 0
			&& unlinkat(retention.folder, name, AT_REMOVEDIR) == 0;
	}
	close_trace(&trace);
	return is_removed;
}

// MARK: All traces

static void note_directory(const char *name, void *own_name)
{
	struct open_trace trace;
	bool is_candidate = retention.count < MOST_TRACES && strcmp(name, own_name) != 0
		&& qs_trace_pattern_matches(retention.pattern, name);
	if (!is_candidate || !open_trace(name, &trace)) return;
	struct content content = {.directory = trace.directory};
	if (retention.kept.bytes != 0) qs_directory_visit(trace.directory, inspect_file, &content);
	struct trace *added = &retention.traces[retention.count++];
	added->written_ns = trace.status.st_mtim.tv_sec * INT64_C(1000000000) + trace.status.st_mtim.tv_nsec;
	added->bytes = content.bytes;
	added->is_kept = false;
	snprintf(added->name, sizeof added->name, "%s", name);
	retention.bytes += content.bytes;
	close_trace(&trace);
}

static bool find_traces(char *own_name)
{
	void *memory = mmap(NULL, MOST_TRACES * sizeof *retention.traces, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) return false;
	retention.traces = memory;
	retention.count = 0;
	retention.bytes = 0;
	return qs_directory_visit(retention.folder, note_directory, own_name);
}

static bool is_too_much(void)
{
	const struct qs_retention *kept = &retention.kept;
	return (kept->traces != 0 && retention.count >= kept->traces)
		|| (kept->bytes != 0 && retention.bytes > kept->bytes);
}

static struct trace *oldest_surplus(void)
{
	struct trace *oldest = NULL;
	for (uint32_t index = 0; index < retention.count && is_too_much(); index++) {
		struct trace *trace = &retention.traces[index];
		if (!trace->is_kept && (oldest == NULL || trace->written_ns < oldest->written_ns)) oldest = trace;
	}
	return oldest;
}

// Removes the oldest surplus trace that may be removed. Returns false when there is none.
static bool remove_oldest(void)
{
	struct trace *oldest;
	while ((oldest = oldest_surplus()) != NULL) {
		oldest->is_kept = !remove_trace(oldest->name);
		if (oldest->is_kept) continue;
		retention.bytes -= oldest->bytes;
		*oldest = retention.traces[--retention.count];
		return true;
	}
	return false;
}

bool qs_retention_run(void)
{
	if (retention.pattern[0] == 0 || !qs_trace_files_are_private()) return false;
	static char folder[PATH_MAX]; // static, because the stack is small
	snprintf(folder, sizeof folder, "%s", qs_identity.directory);
	char *own_name = strrchr(folder, '/');
	*own_name++ = 0;
	retention.folder = open(folder[0] != 0 ? folder : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool is_known = retention.folder >= 0 && (retention.traces != NULL || find_traces(own_name));
	bool is_removed = is_known && remove_oldest();
	if (retention.folder >= 0) close(retention.folder);
	if (is_removed) return true;
	if (retention.traces != NULL) munmap(retention.traces, MOST_TRACES * sizeof *retention.traces);
	retention.traces = NULL;
	retention.pattern[0] = 0;
	return false;
}
