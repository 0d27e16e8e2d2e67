// A C program without Swift that opens a Swift library, whose function `run` runs tasks.
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **arguments)
{
	void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	if (library == NULL) {
		puts(dlerror());
		return 1;
	}
	void (*run)(void) = (void (*)(void))dlsym(library, "run");
	run();
	return 0;
}
