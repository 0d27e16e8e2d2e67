/* The check macro of these programs: reports behaviour that differs from what Dispatch guarantees. */
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
