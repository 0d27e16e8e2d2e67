#include "identity.h"

#include "CTraceRecorder.h"

struct qs_identity qs_identity;

bool qs_session_is_flight_recorder(void)
{
	return qs_identity.is_flight;
}

const char *qs_session_directory(void)
{
	return qs_is_recording() ? qs_identity.directory : "";
}
