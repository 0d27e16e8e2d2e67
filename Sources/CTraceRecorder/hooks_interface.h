// The internal interface of the recorder for the hooks of CDispatchInterposer, in addition to CTraceRecorder.h. The
// hooks include no other header of the recorder.
#ifndef QS_HOOKS_INTERFACE_H
#define QS_HOOKS_INTERFACE_H

#include "Definitions/queue_offsets.h"
#include "Definitions/stack_capture.h"
#include "Drain/generations.h"
#include "Events/identity.h"
#include "Events/thread_maker.h"
#include "Gate/gate_comparison.h"
#include "Gate/thread_guard.h"
#include "Session/control.h"
#include "Session/environment.h"
#include "Session/fork_handlers.h"
#include "Session/late_start.h"
#include "Session/process_events.h"
#include "Session/sandbox.h"
#include "Session/session_hooks.h"
#include "System/lock.h"
#include "System/memory_copy.h"
#include "System/slow_path.h"

#endif
