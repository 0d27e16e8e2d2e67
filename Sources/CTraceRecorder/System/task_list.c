#define _GNU_SOURCE
#include "task_list.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "directory_entries.h"

struct number_visit {
	void (*visit)(uint32_t number, void *context);
	void *context;
};

static void visit_number(const char *name, void *context)
{
	const struct number_visit *numbers = context;
	uint32_t number = (uint32_t)strtoul(name, NULL, 10); // 0 for "." and ".."
	if (number != 0) numbers->visit(number, numbers->context);
}

bool qs_numbers_visit(const char *path, void (*visit)(uint32_t number, void *context), void *context)
{
	int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0) return false;
	struct number_visit numbers = {visit, context};
	bool is_read = qs_directory_visit(directory, visit_number, &numbers);
	close(directory);
	return is_read;
}

bool qs_tasks_visit(void (*visit)(uint32_t tid, void *context), void *context)
{
	return qs_numbers_visit("/proc/self/task", visit, context);
}
