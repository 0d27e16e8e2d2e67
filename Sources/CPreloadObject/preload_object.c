#include "include/CPreloadObject.h"

const char *qs_preload_object_path(void)
{
	return "queuescope_CPreloadObject.resources/libqueuescope_preload.so";
}
