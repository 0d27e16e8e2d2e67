#include "session_control.h"

struct qs_session_control qs_session_control;
