// Loads liblttng-ust and calls its functions.
#define _GNU_SOURCE
#include "lttng.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lttng_provider.h"
#include "lttng_traffic.h"

// Not available in a statically linked program, unless it links them for another purpose.
extern void *dlopen(const char *, int) __attribute__((weak));
extern void *dlsym(void *, const char *) __attribute__((weak));

static struct {
	bool is_registered;
	void *(*register_probe)(const struct qs_ust_probe_desc *);
	int (*register_tracepoints)(struct qs_ust_tracepoint *const *, int);
	int (*register_function)(const char *, const char *, void (*)(void), void *, const char *);
	void (*read_lock)(void);
	void (*read_unlock)(void);
	void *(*dereference)(void *);
} library;

static void (*statedump_listener)(void);
static void (*follower)(void); // atomic: the statedump of a second recorder that writes to the same destination

static bool find(void *handle, const char *name, void *function)
{
	void *found = dlsym(handle, name);
	memcpy(function, &found, sizeof found);
	return found != NULL;
}

// Sets `found` if the first module, which is the program, names a dynamic linker.
static int has_interpreter(struct dl_phdr_info *program, size_t size, void *found)
{
	(void)size;
	for (int index = 0; index < program->dlpi_phnum; index++) {
		if (program->dlpi_phdr[index].p_type == PT_INTERP) *(bool *)found = true;
	}
	return 1; // ends the search
}

// In a static program dlopen loads a second libc, and the initializers of LTTng's libraries crash.
static bool can_open_libraries(void)
{
	bool is_dynamic = false;
	dl_iterate_phdr(has_interpreter, &is_dynamic);
	return is_dynamic && dlopen != NULL && dlsym != NULL;
}

static const char *open_library(void)
{
	if (!can_open_libraries()) return "the program is linked statically, so that it can open no library";
	void *tracepoints = dlopen("liblttng-ust-tracepoint.so.1", RTLD_NOW | RTLD_GLOBAL);
	void *tracer = dlopen("liblttng-ust.so.1", RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
	if (tracepoints == NULL || tracer == NULL) {
		return "liblttng-ust.so.1 is not installed (apt install liblttng-ust1)";
	}
	bool is_complete = find(tracer, "lttng_ust_probe_register", &library.register_probe)
		&& find(tracepoints, "lttng_ust_tracepoint_module_register", &library.register_tracepoints)
		&& find(tracepoints, "lttng_ust_tracepoint_provider_register", &library.register_function)
		&& find(tracepoints, "lttng_ust_tp_rcu_read_lock", &library.read_lock)
		&& find(tracepoints, "lttng_ust_tp_rcu_read_unlock", &library.read_unlock)
		&& find(tracepoints, "lttng_ust_tp_rcu_dereference_sym", &library.dereference);
	return is_complete ? NULL : "this liblttng-ust lacks functions of version 2.13";
}

const char *qs_lttng_register(void)
{
	if (library.is_registered) return NULL;
	const char *obstacle = open_library();
	if (obstacle != NULL) return obstacle;
	qs_lttng_probe_prepare(&qs_lttng_provider, qs_lttng_tracepoints);
	library.register_tracepoints(qs_lttng_module, qs_lttng_module_count);
	// Also enables the events that running sessions ask for.
	if (library.register_probe(&qs_lttng_provider) == NULL) return "liblttng-ust refuses the provider";
	library.is_registered = true;
	return NULL;
}

static int is_lttng_ust(struct dl_phdr_info *module, size_t size, void *found)
{
	(void)size;
	const char *name = module->dlpi_name != NULL ? strrchr(module->dlpi_name, '/') : NULL;
	*(bool *)found = name != NULL && strncmp(name, "/liblttng-ust.so", strlen("/liblttng-ust.so")) == 0;
	return *(bool *)found; // ends the search
}

bool qs_lttng_is_loaded(void)
{
	bool found = false;
	dl_iterate_phdr(is_lttng_ust, &found);
	return found;
}

// The name of the socket contains the protocol version. liblttng-ust supports several versions.
static bool socket_exists(const char *folder, const char *rest)
{
	if (folder == NULL || folder[0] != '/') return false;
	bool exists = false;
	for (int version = QS_UST_OLDEST_PROTOCOL; version <= QS_UST_PROTOCOL && !exists; version++) {
		char path[PATH_MAX];
		int length = snprintf(path, sizeof path, "%s%s/lttng-ust-sock-%d", folder, rest, version);
		exists = length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0;
	}
	return exists;
}

bool qs_lttng_daemon_is_there(void)
{
	const char *home = secure_getenv("LTTNG_HOME");
	return socket_exists("/var/run/lttng", "") || socket_exists(home != NULL ? home : secure_getenv("HOME"), "/.lttng");
}

static bool is_enabled(uint8_t id)
{
	return qs_lttng_tracepoints[id] != NULL && __atomic_load_n(&qs_lttng_tracepoints[id]->state, __ATOMIC_RELAXED) != 0;
}

bool qs_lttng_is_wanted(void)
{
	bool result = false;
	for (int index = 0; index < qs_lttng_module_count && !result; index++) {
		result = __atomic_load_n(&qs_lttng_module[index]->state, __ATOMIC_RELAXED) != 0;
	}
	return result;
}

uint64_t qs_lttng_sessions(void)
{
	uint64_t sum = 0;
	for (int index = 0; index < qs_lttng_module_count; index++) {
		// Replaced whenever a session starts or stops recording the event.
		sum = sum * 31 + (uint64_t)(uintptr_t)__atomic_load_n(&qs_lttng_module[index]->probes, __ATOMIC_RELAXED);
	}
	return sum;
}

static void emit(uint8_t id, const unsigned char *payload, size_t size)
{
	struct qs_ust_tracepoint *tracepoint = qs_lttng_tracepoints[id];
	struct qs_lttng_record record = {.payload = payload, .size = size, .id = id};
	library.read_lock();
	const struct qs_ust_tracepoint_probe *probe = library.dereference(tracepoint->probes);
	for (; probe != NULL && probe->func != NULL; probe++) {
		((void (*)(void *, const struct qs_lttng_record *))probe->func)(probe->data, &record);
	}
	library.read_unlock();
	qs_lttng_traffic_note(size);
}

static void statedump_ends(void *data, struct qs_ust_session *session)
{
	(void)data, (void)session;
	statedump_listener();
}

void qs_lttng_hear_of_statedumps(void (*function)(void))
{
	statedump_listener = function;
	// Not part of LTTng's documented interface. If it changes, the definitions are written at the next check of the
	// sessions.
	library.register_function("lttng_ust_statedump", "end", (void (*)(void))statedump_ends, NULL,
		"struct lttng_ust_session *, session");
}

static void follow(void (*statedump)(void))
{
	__atomic_store_n(&follower, statedump, __ATOMIC_RELEASE);
}

void qs_lttng_statedump_follower(void)
{
	void (*statedump)(void) = __atomic_load_n(&follower, __ATOMIC_ACQUIRE);
	if (statedump != NULL) statedump();
}

const struct qs_lttng_port qs_lttng_own_port = {.is_enabled = is_enabled, .emit = emit, .follow = follow};
