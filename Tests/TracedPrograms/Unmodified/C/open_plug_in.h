/* Opens a program's plug-in, which is compiled from the same file and is next to the program. */
#pragma once

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

static inline void *open_plug_in(void)
{
	static char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 4);
	CHECK(length > 0);
	strcpy(path + length, ".so");
	void *library = dlopen(path, RTLD_NOW);
	CHECK(library != NULL);
	return library;
}
