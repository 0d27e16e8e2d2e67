// Objects of libdispatch that are older than the session. Usage: program memory | program steps [OBJECT]
//
// memory: prints the bytes of memory that a queue, a source and a group take together.
// steps:  creates objects and prints "ready". With the path of the preload object, opens it first. Uses the objects
//         after each line of its input, and prints the name of the file that has the function that a call of
//         dispatch_async_f reaches.
#define _GNU_SOURCE
#include <dispatch/dispatch.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OBJECTS = 100000 };

static long resident_bytes(void)
{
	long size = 0, resident = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (file == NULL || fscanf(file, "%ld %ld", &size, &resident) != 2) return 0;
	fclose(file);
	return resident * sysconf(_SC_PAGESIZE);
}

static void nothing(void *context) { (void)context; }

static dispatch_source_t make_source(dispatch_queue_t queue)
{
	dispatch_source_t source = dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, queue);
	dispatch_source_set_event_handler_f(source, nothing);
	return source;
}

static int measure_memory(void)
{
	static void *objects[OBJECTS][3]; // written below, so that its pages do not count
	memset(objects, 1, sizeof objects);
	long before = resident_bytes();
	for (int index = 0; index < OBJECTS; index++) {
		objects[index][0] = dispatch_queue_create("older.queue", NULL);
		objects[index][1] = make_source(objects[index][0]);
		objects[index][2] = dispatch_group_create();
	}
	printf("%ld\n", (resident_bytes() - before) / OBJECTS);
	return 0;
}

static void use(dispatch_queue_t queue)
{
	dispatch_async_f(queue, NULL, nothing);
	dispatch_sync_f(queue, NULL, nothing);
}

// Reads the slot of this program.
__attribute__((noinline)) static const char *callee(void)
{
	Dl_info info;
	if (dladdr((void *)dispatch_async_f, &info) == 0 || strrchr(info.dli_fname, '/') == NULL) return "unknown";
	return strrchr(info.dli_fname, '/') + 1;
}

static void open_late(const char *path)
{
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*attach)(void) = object != NULL ? (int (*)(void))dlsym(object, "qs_attach") : NULL;
	if (attach != NULL && attach() == 0) return;
	fprintf(stderr, "cannot attach: %s\n", object == NULL ? dlerror() : "no control socket");
	exit(1);
}

static int take_steps(const char *object)
{
	dispatch_queue_t target = dispatch_queue_create("older.target", NULL);
	dispatch_queue_t wide = dispatch_queue_create_with_target("older.concurrent", DISPATCH_QUEUE_CONCURRENT, target);
	dispatch_queue_attr_t initially_inactive = dispatch_queue_attr_make_initially_inactive(NULL);
	dispatch_queue_t inactive = dispatch_queue_create("older.inactive", initially_inactive);
	dispatch_queue_t unused = dispatch_queue_create("older.unused", NULL);
	dispatch_source_t source = make_source(target);
	dispatch_group_t group = dispatch_group_create();
	dispatch_resume(source);
	if (object != NULL) open_late(object);
	puts("ready");
	fflush(stdout);
	for (int step = 0; getchar() != EOF; step++) {
		use(wide);
		if (step == 0) dispatch_activate(inactive);
		use(inactive);
		dispatch_source_merge_data(source, 1);
		dispatch_group_enter(group);
		dispatch_group_async_f(group, target, NULL, nothing);
		dispatch_group_leave(group);
		dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
		dispatch_queue_t created = dispatch_queue_create("older.created", NULL);
		use(created);
		dispatch_release(created);
		puts(callee());
		fflush(stdout);
	}
	dispatch_release(unused);
	return 0;
}

int main(int count, char **arguments)
{
	if (count > 1 && strcmp(arguments[1], "memory") == 0) return measure_memory();
	return take_steps(count > 2 ? arguments[2] : NULL);
}
