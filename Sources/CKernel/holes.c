#define _GNU_SOURCE
#include "CKernel.h"

#include <errno.h>
#include <fcntl.h>

bool qs_can_make_holes(int file)
{
	return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1) == 0 || errno != EOPNOTSUPP;
}
