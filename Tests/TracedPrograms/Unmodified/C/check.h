/* How the programs of this folder notice that something differs from what Dispatch promises. */
#pragma once
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                    \
	do {                                                                                \
		if (!(condition)) {                                                         \
			printf("%s:%d: %s\n", __FILE_NAME__, __LINE__, #condition);         \
			fflush(stdout);                                                     \
			_Exit(99);                                                          \
		}                                                                           \
	} while (0)
