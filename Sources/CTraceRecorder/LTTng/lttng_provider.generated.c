// Generated from Sources/TraceSchema by Tools/generate-schema. Do not edit.
#include "lttng_provider.h"

QS_DEFINE_ENUMERATION(item_kind,
	QS_CASE("async", 0),
	QS_CASE("sync", 1),
	QS_CASE("after", 2),
	QS_CASE("source_handler", 3),
	QS_CASE("notify", 4),
	QS_CASE("apply", 5),
	QS_CASE("io", 6),
	QS_CASE("swift_job", 7),
	QS_CASE("async_and_wait", 8),
	QS_CASE("perform", 9),
	QS_CASE("cancel_handler", 10),
	QS_CASE("registration_handler", 11),
	QS_CASE("actor_job", 12),
	QS_CASE("loop_iteration", 13));

QS_DEFINE_ENUMERATION(qos_class,
	QS_CASE("unspecified", 0),
	QS_CASE("maintenance", 5),
	QS_CASE("background", 9),
	QS_CASE("utility", 17),
	QS_CASE("default", 21),
	QS_CASE("user_initiated", 25),
	QS_CASE("user_interactive", 33));

QS_DEFINE_ENUMERATION(object_kind,
	QS_CASE("queue", 0),
	QS_CASE("source", 1),
	QS_CASE("workloop", 2),
	QS_CASE("io", 3),
	QS_CASE("group", 4),
	QS_CASE("semaphore", 5));

QS_DEFINE_ENUMERATION(source_type,
	QS_CASE("read", 0),
	QS_CASE("write", 1),
	QS_CASE("timer", 2),
	QS_CASE("signal", 3),
	QS_CASE("data_add", 4),
	QS_CASE("data_or", 5),
	QS_CASE("data_replace", 6),
	QS_CASE("process", 7),
	QS_CASE("file_system", 8),
	QS_CASE("memory_pressure", 9),
	QS_CASE("other", 10));

QS_DEFINE_ENUMERATION(handler_kind,
	QS_CASE("event", 0),
	QS_CASE("cancel", 1),
	QS_CASE("registration", 2));

QS_DEFINE_ENUMERATION(processor_source,
	QS_CASE("none", 0),
	QS_CASE("perf_events", 1),
	QS_CASE("schedstat", 2),
	QS_CASE("kernel_trace", 3));

QS_DEFINE_ENUMERATION(lock_kind,
	QS_CASE("exclusive", 0),
	QS_CASE("read_write", 1));

QS_DEFINE_ENUMERATION(descriptor_kind,
	QS_CASE("unknown", 0),
	QS_CASE("regular_file", 1),
	QS_CASE("directory", 2),
	QS_CASE("pipe", 3),
	QS_CASE("fifo", 4),
	QS_CASE("tcp_socket", 5),
	QS_CASE("udp_socket", 6),
	QS_CASE("unix_socket", 7),
	QS_CASE("socket", 8),
	QS_CASE("terminal", 9),
	QS_CASE("eventfd", 10),
	QS_CASE("timerfd", 11),
	QS_CASE("signalfd", 12),
	QS_CASE("inotify", 13),
	QS_CASE("other", 14));

QS_DEFINE_ENUMERATION(sampling_cause,
	QS_CASE("started", 0),
	QS_CASE("over_budget", 1),
	QS_CASE("within_budget", 2),
	QS_CASE("stopped", 3),
	QS_CASE("repeated", 4));

QS_DEFINE_ENUMERATION(task_kind,
	QS_CASE("unknown", 0),
	QS_CASE("unstructured", 1),
	QS_CASE("detached", 2),
	QS_CASE("group_child", 3),
	QS_CASE("async_let", 4),
	QS_CASE("immediate", 5),
	QS_CASE("main", 6),
	QS_CASE("sleep", 7),
	QS_CASE("discarding_child", 8));

QS_DEFINE_ENUMERATION(await_kind,
	QS_CASE("unknown", 0),
	QS_CASE("task", 1),
	QS_CASE("continuation", 2),
	QS_CASE("group", 3),
	QS_CASE("executor", 4));

QS_DEFINE_ENUMERATION(task_detail,
	QS_CASE("none", 0),
	QS_CASE("no_awaits", 1),
	QS_CASE("full", 2));

QS_DEFINE_ENUMERATION(executor_kind,
	QS_CASE("actor", 0),
	QS_CASE("serial_executor", 1),
	QS_CASE("main_actor", 2));

QS_DEFINE_ENUMERATION(loop_kind,
	QS_CASE("epoll", 0),
	QS_CASE("poll", 1),
	QS_CASE("dispatch_manager", 2),
	QS_CASE("run_loop", 3));

QS_DEFINE_EVENT(1, queue_create, QS_LOGLEVEL_INFO, "queue:u48,label:string,width:u16,qos:qos_class,target:u48,flags:u8,code:u32,stack:u32,tid:u32",
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)),
	QS_FIELD("label", QS_STRING),
	QS_FIELD("width", QS_INTEGER(16, 0, 10)),
	QS_FIELD("qos", QS_ENUMERATION(qos_class)),
	QS_FIELD("target", QS_INTEGER(48, 0, 10)),
	QS_FIELD("flags", QS_INTEGER(8, 0, 16)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)),
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(2, queue_state, QS_LOGLEVEL_INFO, "queue:u48,label:string,width:u16,qos:qos_class,target:u48,flags:u8,code:u32,stack:u32,tid:u32",
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)),
	QS_FIELD("label", QS_STRING),
	QS_FIELD("width", QS_INTEGER(16, 0, 10)),
	QS_FIELD("qos", QS_ENUMERATION(qos_class)),
	QS_FIELD("target", QS_INTEGER(48, 0, 10)),
	QS_FIELD("flags", QS_INTEGER(8, 0, 16)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)),
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(3, queue_dispose, QS_LOGLEVEL_DEBUG, "queue:u48",
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)));

QS_DEFINE_EVENT(4, queue_set_target, QS_LOGLEVEL_DEBUG, "queue:u48,target:u48,code:u32",
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)),
	QS_FIELD("target", QS_INTEGER(48, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(10, object_activate, QS_LOGLEVEL_DEBUG, "object:u48,kind:object_kind,code:u32,stack:u32",
	QS_FIELD("object", QS_INTEGER(48, 0, 16)),
	QS_FIELD("kind", QS_ENUMERATION(object_kind)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(11, object_suspend, QS_LOGLEVEL_DEBUG, "object:u48,kind:object_kind,code:u32,stack:u32",
	QS_FIELD("object", QS_INTEGER(48, 0, 16)),
	QS_FIELD("kind", QS_ENUMERATION(object_kind)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(12, object_resume, QS_LOGLEVEL_DEBUG, "object:u48,kind:object_kind,code:u32",
	QS_FIELD("object", QS_INTEGER(48, 0, 16)),
	QS_FIELD("kind", QS_ENUMERATION(object_kind)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(20, item_enqueue, QS_LOGLEVEL_DEBUG, "item:u48,queue:u48,code:u32,kind:item_kind,qos:qos_class",
	QS_FIELD("item", QS_INTEGER(48, 0, 16)),
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("kind", QS_ENUMERATION(item_kind)),
	QS_FIELD("qos", QS_ENUMERATION(qos_class)));

QS_DEFINE_EVENT(21, item_delay, QS_LOGLEVEL_DEBUG, "item:u48,delay:u64",
	QS_FIELD("item", QS_INTEGER(48, 0, 16)),
	QS_FIELD("delay", QS_INTEGER(64, 0, 10)));

QS_DEFINE_EVENT(22, item_begin, QS_LOGLEVEL_DEBUG, "item:u48,queue:u48",
	QS_FIELD("item", QS_INTEGER(48, 0, 16)),
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)));

QS_DEFINE_EVENT(23, item_end, QS_LOGLEVEL_DEBUG, "item:u48",
	QS_FIELD("item", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(24, item_cancel, QS_LOGLEVEL_DEBUG, "item:u48",
	QS_FIELD("item", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(25, item_barrier, QS_LOGLEVEL_DEBUG, "item:u48",
	QS_FIELD("item", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(26, callout_begin, QS_LOGLEVEL_DEBUG, "item:u48",
	QS_FIELD("item", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(27, callout_end, QS_LOGLEVEL_DEBUG, "");

QS_DEFINE_EVENT(28, item_wait_begin, QS_LOGLEVEL_DEBUG, "item:u48,code:u32",
	QS_FIELD("item", QS_INTEGER(48, 0, 16)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(29, item_wait_end, QS_LOGLEVEL_DEBUG, "item:u48,timed_out:u8",
	QS_FIELD("item", QS_INTEGER(48, 0, 16)),
	QS_FIELD("timed_out", QS_INTEGER(8, 0, 10)));

QS_DEFINE_EVENT(30, sync_enter, QS_LOGLEVEL_DEBUG, "item:u48,queue:u48,code:u32,kind:item_kind,qos:qos_class",
	QS_FIELD("item", QS_INTEGER(48, 0, 16)),
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("kind", QS_ENUMERATION(item_kind)),
	QS_FIELD("qos", QS_ENUMERATION(qos_class)));

QS_DEFINE_EVENT(31, sync_block, QS_LOGLEVEL_DEBUG, "item:u48,queue:u48,holder_tid:u32",
	QS_FIELD("item", QS_INTEGER(48, 0, 16)),
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)),
	QS_FIELD("holder_tid", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(32, sync_handoff, QS_LOGLEVEL_DEBUG, "item:u48,queue:u48,from_tid:u32",
	QS_FIELD("item", QS_INTEGER(48, 0, 16)),
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)),
	QS_FIELD("from_tid", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(33, sync_return, QS_LOGLEVEL_DEBUG, "item:u48",
	QS_FIELD("item", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(34, sync_begin, QS_LOGLEVEL_DEBUG, "queue:u48,code:u32,barrier:u8",
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("barrier", QS_INTEGER(8, 0, 10)));

QS_DEFINE_EVENT(35, sync_wait, QS_LOGLEVEL_DEBUG, "item:u48,queue:u48,code:u32,kind:item_kind,qos:qos_class,level:u48,holder_tid:u32",
	QS_FIELD("item", QS_INTEGER(48, 0, 16)),
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("kind", QS_ENUMERATION(item_kind)),
	QS_FIELD("qos", QS_ENUMERATION(qos_class)),
	QS_FIELD("level", QS_INTEGER(48, 0, 10)),
	QS_FIELD("holder_tid", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(40, apply_begin, QS_LOGLEVEL_DEBUG, "apply:u48,queue:u48,code:u32,iterations:u64",
	QS_FIELD("apply", QS_INTEGER(48, 0, 16)),
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("iterations", QS_INTEGER(64, 0, 10)));

QS_DEFINE_EVENT(41, apply_iteration_begin, QS_LOGLEVEL_DEBUG, "apply:u48,iteration:u48",
	QS_FIELD("apply", QS_INTEGER(48, 0, 16)),
	QS_FIELD("iteration", QS_INTEGER(48, 0, 10)));

QS_DEFINE_EVENT(42, apply_iteration_end, QS_LOGLEVEL_DEBUG, "apply:u48",
	QS_FIELD("apply", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(43, apply_end, QS_LOGLEVEL_DEBUG, "apply:u48,threads:u32",
	QS_FIELD("apply", QS_INTEGER(48, 0, 16)),
	QS_FIELD("threads", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(50, source_create, QS_LOGLEVEL_INFO, "source:u48,type:source_type,handle:u64,queue:u48,code:u32,stack:u32,tid:u32,flags:u8",
	QS_FIELD("source", QS_INTEGER(48, 0, 16)),
	QS_FIELD("type", QS_ENUMERATION(source_type)),
	QS_FIELD("handle", QS_INTEGER(64, 0, 10)),
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)),
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)),
	QS_FIELD("flags", QS_INTEGER(8, 0, 16)));

QS_DEFINE_EVENT(51, source_set_handler, QS_LOGLEVEL_DEBUG, "source:u48,handler:handler_kind,code:u32,qos:qos_class,removed:u8",
	QS_FIELD("source", QS_INTEGER(48, 0, 16)),
	QS_FIELD("handler", QS_ENUMERATION(handler_kind)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("qos", QS_ENUMERATION(qos_class)),
	QS_FIELD("removed", QS_INTEGER(8, 0, 10)));

QS_DEFINE_EVENT(52, source_fire, QS_LOGLEVEL_DEBUG, "source:u48,item:u48,queue:u48,code:u32,data:u64",
	QS_FIELD("source", QS_INTEGER(48, 0, 16)),
	QS_FIELD("item", QS_INTEGER(48, 0, 16)),
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("data", QS_INTEGER(64, 0, 10)));

QS_DEFINE_EVENT(53, timer_configure, QS_LOGLEVEL_DEBUG, "source:u48,delay:u64,interval:u64,leeway:u64,code:u32",
	QS_FIELD("source", QS_INTEGER(48, 0, 16)),
	QS_FIELD("delay", QS_INTEGER(64, 0, 10)),
	QS_FIELD("interval", QS_INTEGER(64, 0, 10)),
	QS_FIELD("leeway", QS_INTEGER(64, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(54, timer_fire, QS_LOGLEVEL_DEBUG, "source:u48,fires:u64",
	QS_FIELD("source", QS_INTEGER(48, 0, 16)),
	QS_FIELD("fires", QS_INTEGER(64, 0, 10)));

QS_DEFINE_EVENT(55, source_cancel, QS_LOGLEVEL_DEBUG, "source:u48,code:u32",
	QS_FIELD("source", QS_INTEGER(48, 0, 16)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(56, source_dispose, QS_LOGLEVEL_DEBUG, "source:u48",
	QS_FIELD("source", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(57, source_set_target, QS_LOGLEVEL_DEBUG, "source:u48,target:u48,code:u32",
	QS_FIELD("source", QS_INTEGER(48, 0, 16)),
	QS_FIELD("target", QS_INTEGER(48, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(58, source_merge, QS_LOGLEVEL_DEBUG, "source:u48,data:u64,code:u32",
	QS_FIELD("source", QS_INTEGER(48, 0, 16)),
	QS_FIELD("data", QS_INTEGER(64, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(60, mutation_after_activation, QS_LOGLEVEL_WARNING, "object:u48,kind:object_kind,handler:handler_kind,code:u32,stack:u32,activation_code:u32,activation_stack:u32",
	QS_FIELD("object", QS_INTEGER(48, 0, 16)),
	QS_FIELD("kind", QS_ENUMERATION(object_kind)),
	QS_FIELD("handler", QS_ENUMERATION(handler_kind)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)),
	QS_FIELD("activation_code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("activation_stack", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(61, retarget_after_activation, QS_LOGLEVEL_WARNING, "object:u48,kind:object_kind,from:u48,to:u48,code:u32,stack:u32,activation_code:u32,activation_stack:u32",
	QS_FIELD("object", QS_INTEGER(48, 0, 16)),
	QS_FIELD("kind", QS_ENUMERATION(object_kind)),
	QS_FIELD("from", QS_INTEGER(48, 0, 10)),
	QS_FIELD("to", QS_INTEGER(48, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)),
	QS_FIELD("activation_code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("activation_stack", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(62, non_leaf_retarget, QS_LOGLEVEL_WARNING, "object:u48,kind:object_kind,from:u48,to:u48,code:u32,stack:u32,activation_code:u32,activation_stack:u32",
	QS_FIELD("object", QS_INTEGER(48, 0, 16)),
	QS_FIELD("kind", QS_ENUMERATION(object_kind)),
	QS_FIELD("from", QS_INTEGER(48, 0, 10)),
	QS_FIELD("to", QS_INTEGER(48, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)),
	QS_FIELD("activation_code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("activation_stack", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(63, over_resume, QS_LOGLEVEL_WARNING, "object:u48,kind:object_kind,code:u32,stack:u32,activation_code:u32,activation_stack:u32",
	QS_FIELD("object", QS_INTEGER(48, 0, 16)),
	QS_FIELD("kind", QS_ENUMERATION(object_kind)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)),
	QS_FIELD("activation_code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("activation_stack", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(64, release_while_suspended, QS_LOGLEVEL_WARNING, "object:u48,kind:object_kind,inactive:u8,code:u32,stack:u32,activation_code:u32,activation_stack:u32",
	QS_FIELD("object", QS_INTEGER(48, 0, 16)),
	QS_FIELD("kind", QS_ENUMERATION(object_kind)),
	QS_FIELD("inactive", QS_INTEGER(8, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)),
	QS_FIELD("activation_code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("activation_stack", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(70, group_create, QS_LOGLEVEL_DEBUG, "group:u48,code:u32",
	QS_FIELD("group", QS_INTEGER(48, 0, 16)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(71, group_enter, QS_LOGLEVEL_DEBUG, "group:u48",
	QS_FIELD("group", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(72, group_leave, QS_LOGLEVEL_DEBUG, "group:u48",
	QS_FIELD("group", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(73, group_wait_begin, QS_LOGLEVEL_DEBUG, "group:u48,code:u32",
	QS_FIELD("group", QS_INTEGER(48, 0, 16)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(74, group_wait_end, QS_LOGLEVEL_DEBUG, "group:u48,timed_out:u8",
	QS_FIELD("group", QS_INTEGER(48, 0, 16)),
	QS_FIELD("timed_out", QS_INTEGER(8, 0, 10)));

QS_DEFINE_EVENT(75, group_notify, QS_LOGLEVEL_DEBUG, "group:u48,item:u48,queue:u48,code:u32",
	QS_FIELD("group", QS_INTEGER(48, 0, 16)),
	QS_FIELD("item", QS_INTEGER(48, 0, 16)),
	QS_FIELD("queue", QS_INTEGER(48, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(80, semaphore_create, QS_LOGLEVEL_DEBUG, "semaphore:u48,value:i64,code:u32",
	QS_FIELD("semaphore", QS_INTEGER(48, 0, 16)),
	QS_FIELD("value", QS_INTEGER(64, 1, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(81, semaphore_wait_begin, QS_LOGLEVEL_DEBUG, "semaphore:u48,code:u32",
	QS_FIELD("semaphore", QS_INTEGER(48, 0, 16)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(82, semaphore_wait_end, QS_LOGLEVEL_DEBUG, "semaphore:u48,timed_out:u8",
	QS_FIELD("semaphore", QS_INTEGER(48, 0, 16)),
	QS_FIELD("timed_out", QS_INTEGER(8, 0, 10)));

QS_DEFINE_EVENT(83, semaphore_signal, QS_LOGLEVEL_DEBUG, "semaphore:u48,code:u32",
	QS_FIELD("semaphore", QS_INTEGER(48, 0, 16)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(90, lock_create, QS_LOGLEVEL_INFO, "lock:u48,label:string,fair:u8,code:u32,tid:u32,kind:lock_kind",
	QS_FIELD("lock", QS_INTEGER(48, 0, 16)),
	QS_FIELD("label", QS_STRING),
	QS_FIELD("fair", QS_INTEGER(8, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)),
	QS_FIELD("kind", QS_ENUMERATION(lock_kind)));

QS_DEFINE_EVENT(91, lock_wait, QS_LOGLEVEL_DEBUG, "lock:u48,code:u32,holder_tid:u32",
	QS_FIELD("lock", QS_INTEGER(48, 0, 16)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("holder_tid", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(92, lock_acquire, QS_LOGLEVEL_DEBUG, "lock:u48,code:u32",
	QS_FIELD("lock", QS_INTEGER(48, 0, 16)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(93, lock_release, QS_LOGLEVEL_DEBUG, "lock:u48",
	QS_FIELD("lock", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(100, thread_start, QS_LOGLEVEL_INFO, "tid:u32,name:string,maker:u32,age:u64",
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)),
	QS_FIELD("name", QS_STRING),
	QS_FIELD("maker", QS_INTEGER(32, 0, 10)),
	QS_FIELD("age", QS_INTEGER(64, 0, 10)));

QS_DEFINE_EVENT(101, thread_exit, QS_LOGLEVEL_DEBUG, "tid:u32",
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(102, worker_request, QS_LOGLEVEL_DEBUG, "root:u48,count:u32",
	QS_FIELD("root", QS_INTEGER(48, 0, 10)),
	QS_FIELD("count", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(103, worker_unpark, QS_LOGLEVEL_DEBUG, "root:u48",
	QS_FIELD("root", QS_INTEGER(48, 0, 10)));

QS_DEFINE_EVENT(104, worker_park, QS_LOGLEVEL_DEBUG, "root:u48",
	QS_FIELD("root", QS_INTEGER(48, 0, 10)));

QS_DEFINE_EVENT(105, switch_out, QS_LOGLEVEL_DEBUG, "tid:u32,preempted:u8,processor:u16",
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)),
	QS_FIELD("preempted", QS_INTEGER(8, 0, 10)),
	QS_FIELD("processor", QS_INTEGER(16, 0, 10)));

QS_DEFINE_EVENT(106, switch_in, QS_LOGLEVEL_DEBUG, "tid:u32,processor:u16",
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)),
	QS_FIELD("processor", QS_INTEGER(16, 0, 10)));

QS_DEFINE_EVENT(107, worker_create, QS_LOGLEVEL_DEBUG, "root:u48",
	QS_FIELD("root", QS_INTEGER(48, 0, 10)));

QS_DEFINE_EVENT(108, worker_start, QS_LOGLEVEL_DEBUG, "root:u48",
	QS_FIELD("root", QS_INTEGER(48, 0, 10)));

QS_DEFINE_EVENT(109, worker_exit, QS_LOGLEVEL_DEBUG, "root:u48",
	QS_FIELD("root", QS_INTEGER(48, 0, 10)));

QS_DEFINE_EVENT(110, signpost_log, QS_LOGLEVEL_INFO, "log:u32,subsystem:string,category:string",
	QS_FIELD("log", QS_INTEGER(32, 0, 10)),
	QS_FIELD("subsystem", QS_STRING),
	QS_FIELD("category", QS_STRING));

QS_DEFINE_EVENT(111, signpost_begin, QS_LOGLEVEL_DEBUG, "signpost:u48,log:u32,code:u32,message:string",
	QS_FIELD("signpost", QS_INTEGER(48, 0, 16)),
	QS_FIELD("log", QS_INTEGER(32, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("message", QS_STRING));

QS_DEFINE_EVENT(112, signpost_end, QS_LOGLEVEL_DEBUG, "signpost:u48,log:u32,code:u32,message:string",
	QS_FIELD("signpost", QS_INTEGER(48, 0, 16)),
	QS_FIELD("log", QS_INTEGER(32, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("message", QS_STRING));

QS_DEFINE_EVENT(113, signpost_event, QS_LOGLEVEL_DEBUG, "signpost:u48,log:u32,code:u32,message:string",
	QS_FIELD("signpost", QS_INTEGER(48, 0, 16)),
	QS_FIELD("log", QS_INTEGER(32, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("message", QS_STRING));

QS_DEFINE_EVENT(120, code_symbol, QS_LOGLEVEL_INFO, "code:u32,address:u48,symbol:string,file:string,line:u32,thunk:u48",
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("address", QS_INTEGER(48, 0, 16)),
	QS_FIELD("symbol", QS_STRING),
	QS_FIELD("file", QS_STRING),
	QS_FIELD("line", QS_INTEGER(32, 0, 10)),
	QS_FIELD("thunk", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(121, image, QS_LOGLEVEL_INFO, "base:u48,begin:u48,end:u48,build_id:string,path:string",
	QS_FIELD("base", QS_INTEGER(48, 0, 16)),
	QS_FIELD("begin", QS_INTEGER(48, 0, 16)),
	QS_FIELD("end", QS_INTEGER(48, 0, 16)),
	QS_FIELD("build_id", QS_STRING),
	QS_FIELD("path", QS_STRING));

QS_DEFINE_EVENT(122, stack, QS_LOGLEVEL_INFO, "stack:u32,frames:addresses",
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)),
	QS_LENGTH_FIELD("frames_length", QS_INTEGER(16, 0, 10)),
	QS_FIELD("frames", QS_SEQUENCE("frames_length", QS_INTEGER(48, 0, 16))));

QS_DEFINE_EVENT(123, process_state, QS_LOGLEVEL_INFO, "pid:u32,name:string,schema_major:u8,schema_minor:u8,processors:u16,processors_online:u16,processor_quota_milli:u32",
	QS_FIELD("pid", QS_INTEGER(32, 0, 10)),
	QS_FIELD("name", QS_STRING),
	QS_FIELD("schema_major", QS_INTEGER(8, 0, 10)),
	QS_FIELD("schema_minor", QS_INTEGER(8, 0, 10)),
	QS_FIELD("processors", QS_INTEGER(16, 0, 10)),
	QS_FIELD("processors_online", QS_INTEGER(16, 0, 10)),
	QS_FIELD("processor_quota_milli", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(124, code_stack, QS_LOGLEVEL_INFO, "code:u32,stack:u32",
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(125, clock_sync, QS_LOGLEVEL_INFO, "ticks:u64,monotonic:u64,realtime:u64,boottime:u64,strayed:i64",
	QS_FIELD("ticks", QS_INTEGER(64, 0, 10)),
	QS_FIELD("monotonic", QS_INTEGER(64, 0, 10)),
	QS_FIELD("realtime", QS_INTEGER(64, 0, 10)),
	QS_FIELD("boottime", QS_INTEGER(64, 0, 10)),
	QS_FIELD("strayed", QS_INTEGER(64, 1, 10)));

QS_DEFINE_EVENT(126, recording_stop, QS_LOGLEVEL_INFO, "");

QS_DEFINE_EVENT(127, sampling_rate, QS_LOGLEVEL_INFO, "one_of:u32,cause:sampling_cause,budget:u32,cost:u32",
	QS_FIELD("one_of", QS_INTEGER(32, 0, 10)),
	QS_FIELD("cause", QS_ENUMERATION(sampling_cause)),
	QS_FIELD("budget", QS_INTEGER(32, 0, 10)),
	QS_FIELD("cost", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(130, dispatch_log, QS_LOGLEVEL_WARNING, "tid:u32,message:string",
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)),
	QS_FIELD("message", QS_STRING));

QS_DEFINE_EVENT(140, processor_track, QS_LOGLEVEL_INFO, "origin:processor_source,detail:string",
	QS_FIELD("origin", QS_ENUMERATION(processor_source)),
	QS_FIELD("detail", QS_STRING));

QS_DEFINE_EVENT(141, thread_times, QS_LOGLEVEL_DEBUG, "tid:u32,on_cpu:u64,run_delay:u64,slices:u64",
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)),
	QS_FIELD("on_cpu", QS_INTEGER(64, 0, 10)),
	QS_FIELD("run_delay", QS_INTEGER(64, 0, 10)),
	QS_FIELD("slices", QS_INTEGER(64, 0, 10)));

QS_DEFINE_EVENT(142, switches_lost, QS_LOGLEVEL_DEBUG, "switches:u64,tid:u32",
	QS_FIELD("switches", QS_INTEGER(64, 0, 10)),
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(143, switches_pause_begin, QS_LOGLEVEL_DEBUG, "tid:u32",
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(144, switches_pause_end, QS_LOGLEVEL_DEBUG, "tid:u32",
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(145, blocked_call, QS_LOGLEVEL_DEBUG, "tid:u32,call:string,stack:u32,descriptor:descriptor_kind",
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)),
	QS_FIELD("call", QS_STRING),
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)),
	QS_FIELD("descriptor", QS_ENUMERATION(descriptor_kind)));

QS_DEFINE_EVENT(150, task_create, QS_LOGLEVEL_DEBUG, "task:u48,kind:task_kind,qos:qos_class,parent:u48,group:u48,code:u32",
	QS_FIELD("task", QS_INTEGER(48, 0, 10)),
	QS_FIELD("kind", QS_ENUMERATION(task_kind)),
	QS_FIELD("qos", QS_ENUMERATION(qos_class)),
	QS_FIELD("parent", QS_INTEGER(48, 0, 10)),
	QS_FIELD("group", QS_INTEGER(48, 0, 16)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(151, task_name, QS_LOGLEVEL_DEBUG, "task:u48,name:string",
	QS_FIELD("task", QS_INTEGER(48, 0, 10)),
	QS_FIELD("name", QS_STRING));

QS_DEFINE_EVENT(152, task_enqueue, QS_LOGLEVEL_DEBUG, "task:u48,executor:u48,code:u32",
	QS_FIELD("task", QS_INTEGER(48, 0, 10)),
	QS_FIELD("executor", QS_INTEGER(48, 0, 16)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(153, task_begin, QS_LOGLEVEL_DEBUG, "task:u48,executor:u48",
	QS_FIELD("task", QS_INTEGER(48, 0, 10)),
	QS_FIELD("executor", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(154, task_switch, QS_LOGLEVEL_DEBUG, "executor:u48,code:u32",
	QS_FIELD("executor", QS_INTEGER(48, 0, 16)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(155, task_suspend, QS_LOGLEVEL_DEBUG, "task:u48,wait:await_kind,object:u48,code:u32,stack:u32",
	QS_FIELD("task", QS_INTEGER(48, 0, 10)),
	QS_FIELD("wait", QS_ENUMERATION(await_kind)),
	QS_FIELD("object", QS_INTEGER(48, 0, 16)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(156, task_finish, QS_LOGLEVEL_DEBUG, "task:u48",
	QS_FIELD("task", QS_INTEGER(48, 0, 10)));

QS_DEFINE_EVENT(157, task_cancel, QS_LOGLEVEL_DEBUG, "task:u48",
	QS_FIELD("task", QS_INTEGER(48, 0, 10)));

QS_DEFINE_EVENT(158, task_escalate, QS_LOGLEVEL_DEBUG, "task:u48,qos:qos_class",
	QS_FIELD("task", QS_INTEGER(48, 0, 10)),
	QS_FIELD("qos", QS_ENUMERATION(qos_class)));

QS_DEFINE_EVENT(159, task_track, QS_LOGLEVEL_INFO, "task_detail:task_detail,reason:string,collects:u8",
	QS_FIELD("task_detail", QS_ENUMERATION(task_detail)),
	QS_FIELD("reason", QS_STRING),
	QS_FIELD("collects", QS_INTEGER(8, 0, 10)));

QS_DEFINE_EVENT(160, actor_create, QS_LOGLEVEL_DEBUG, "executor:u48,actor_type:u32",
	QS_FIELD("executor", QS_INTEGER(48, 0, 16)),
	QS_FIELD("actor_type", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(161, executor_state, QS_LOGLEVEL_INFO, "executor:u48,actor_type:u32,kind:executor_kind",
	QS_FIELD("executor", QS_INTEGER(48, 0, 16)),
	QS_FIELD("actor_type", QS_INTEGER(32, 0, 10)),
	QS_FIELD("kind", QS_ENUMERATION(executor_kind)));

QS_DEFINE_EVENT(162, actor_destroy, QS_LOGLEVEL_DEBUG, "executor:u48",
	QS_FIELD("executor", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(163, task_collect, QS_LOGLEVEL_DEBUG, "child:u48,group:u48",
	QS_FIELD("child", QS_INTEGER(48, 0, 10)),
	QS_FIELD("group", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(170, loop_state, QS_LOGLEVEL_INFO, "loop:u48,kind:loop_kind,tid:u32,shares:u48,name:string",
	QS_FIELD("loop", QS_INTEGER(48, 0, 16)),
	QS_FIELD("kind", QS_ENUMERATION(loop_kind)),
	QS_FIELD("tid", QS_INTEGER(32, 0, 10)),
	QS_FIELD("shares", QS_INTEGER(48, 0, 16)),
	QS_FIELD("name", QS_STRING));

QS_DEFINE_EVENT(171, loop_poll_begin, QS_LOGLEVEL_DEBUG, "loop:u48",
	QS_FIELD("loop", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(172, loop_poll_end, QS_LOGLEVEL_DEBUG, "loop:u48,ready:u32",
	QS_FIELD("loop", QS_INTEGER(48, 0, 16)),
	QS_FIELD("ready", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(173, loop_wake, QS_LOGLEVEL_DEBUG, "loop:u48",
	QS_FIELD("loop", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(174, run_loop_timer, QS_LOGLEVEL_DEBUG, "run_loop:u48,timer:u48,due:u64,code:u32,stack:u32",
	QS_FIELD("run_loop", QS_INTEGER(48, 0, 16)),
	QS_FIELD("timer", QS_INTEGER(48, 0, 16)),
	QS_FIELD("due", QS_INTEGER(64, 0, 10)),
	QS_FIELD("code", QS_INTEGER(32, 0, 10)),
	QS_FIELD("stack", QS_INTEGER(32, 0, 10)));

QS_DEFINE_EVENT(175, run_loop_timer_end, QS_LOGLEVEL_DEBUG, "timer:u48",
	QS_FIELD("timer", QS_INTEGER(48, 0, 16)));

QS_DEFINE_EVENT(176, run_loop_run, QS_LOGLEVEL_DEBUG, "run_loop:u48",
	QS_FIELD("run_loop", QS_INTEGER(48, 0, 16)));

static const struct qs_ust_event_desc *const events[] = {
	&event_1,
	&event_2,
	&event_3,
	&event_4,
	&event_10,
	&event_11,
	&event_12,
	&event_20,
	&event_21,
	&event_22,
	&event_23,
	&event_24,
	&event_25,
	&event_26,
	&event_27,
	&event_28,
	&event_29,
	&event_30,
	&event_31,
	&event_32,
	&event_33,
	&event_34,
	&event_35,
	&event_40,
	&event_41,
	&event_42,
	&event_43,
	&event_50,
	&event_51,
	&event_52,
	&event_53,
	&event_54,
	&event_55,
	&event_56,
	&event_57,
	&event_58,
	&event_60,
	&event_61,
	&event_62,
	&event_63,
	&event_64,
	&event_70,
	&event_71,
	&event_72,
	&event_73,
	&event_74,
	&event_75,
	&event_80,
	&event_81,
	&event_82,
	&event_83,
	&event_90,
	&event_91,
	&event_92,
	&event_93,
	&event_100,
	&event_101,
	&event_102,
	&event_103,
	&event_104,
	&event_105,
	&event_106,
	&event_107,
	&event_108,
	&event_109,
	&event_110,
	&event_111,
	&event_112,
	&event_113,
	&event_120,
	&event_121,
	&event_122,
	&event_123,
	&event_124,
	&event_125,
	&event_126,
	&event_127,
	&event_130,
	&event_140,
	&event_141,
	&event_142,
	&event_143,
	&event_144,
	&event_145,
	&event_150,
	&event_151,
	&event_152,
	&event_153,
	&event_154,
	&event_155,
	&event_156,
	&event_157,
	&event_158,
	&event_159,
	&event_160,
	&event_161,
	&event_162,
	&event_163,
	&event_170,
	&event_171,
	&event_172,
	&event_173,
	&event_174,
	&event_175,
	&event_176,
};

const struct qs_ust_probe_desc qs_lttng_provider = {
	.struct_size = sizeof(struct qs_ust_probe_desc),
	.provider_name = "dispatch",
	.event_desc = events,
	.nr_events = sizeof events / sizeof events[0],
	.major = QS_UST_PROVIDER_MAJOR,
	.minor = QS_UST_PROVIDER_MINOR,
};

struct qs_ust_tracepoint *const qs_lttng_tracepoints[QS_LTTNG_IDS] = {
	[1] = &tracepoint_1,
	[2] = &tracepoint_2,
	[3] = &tracepoint_3,
	[4] = &tracepoint_4,
	[10] = &tracepoint_10,
	[11] = &tracepoint_11,
	[12] = &tracepoint_12,
	[20] = &tracepoint_20,
	[21] = &tracepoint_21,
	[22] = &tracepoint_22,
	[23] = &tracepoint_23,
	[24] = &tracepoint_24,
	[25] = &tracepoint_25,
	[26] = &tracepoint_26,
	[27] = &tracepoint_27,
	[28] = &tracepoint_28,
	[29] = &tracepoint_29,
	[30] = &tracepoint_30,
	[31] = &tracepoint_31,
	[32] = &tracepoint_32,
	[33] = &tracepoint_33,
	[34] = &tracepoint_34,
	[35] = &tracepoint_35,
	[40] = &tracepoint_40,
	[41] = &tracepoint_41,
	[42] = &tracepoint_42,
	[43] = &tracepoint_43,
	[50] = &tracepoint_50,
	[51] = &tracepoint_51,
	[52] = &tracepoint_52,
	[53] = &tracepoint_53,
	[54] = &tracepoint_54,
	[55] = &tracepoint_55,
	[56] = &tracepoint_56,
	[57] = &tracepoint_57,
	[58] = &tracepoint_58,
	[60] = &tracepoint_60,
	[61] = &tracepoint_61,
	[62] = &tracepoint_62,
	[63] = &tracepoint_63,
	[64] = &tracepoint_64,
	[70] = &tracepoint_70,
	[71] = &tracepoint_71,
	[72] = &tracepoint_72,
	[73] = &tracepoint_73,
	[74] = &tracepoint_74,
	[75] = &tracepoint_75,
	[80] = &tracepoint_80,
	[81] = &tracepoint_81,
	[82] = &tracepoint_82,
	[83] = &tracepoint_83,
	[90] = &tracepoint_90,
	[91] = &tracepoint_91,
	[92] = &tracepoint_92,
	[93] = &tracepoint_93,
	[100] = &tracepoint_100,
	[101] = &tracepoint_101,
	[102] = &tracepoint_102,
	[103] = &tracepoint_103,
	[104] = &tracepoint_104,
	[105] = &tracepoint_105,
	[106] = &tracepoint_106,
	[107] = &tracepoint_107,
	[108] = &tracepoint_108,
	[109] = &tracepoint_109,
	[110] = &tracepoint_110,
	[111] = &tracepoint_111,
	[112] = &tracepoint_112,
	[113] = &tracepoint_113,
	[120] = &tracepoint_120,
	[121] = &tracepoint_121,
	[122] = &tracepoint_122,
	[123] = &tracepoint_123,
	[124] = &tracepoint_124,
	[125] = &tracepoint_125,
	[126] = &tracepoint_126,
	[127] = &tracepoint_127,
	[130] = &tracepoint_130,
	[140] = &tracepoint_140,
	[141] = &tracepoint_141,
	[142] = &tracepoint_142,
	[143] = &tracepoint_143,
	[144] = &tracepoint_144,
	[145] = &tracepoint_145,
	[150] = &tracepoint_150,
	[151] = &tracepoint_151,
	[152] = &tracepoint_152,
	[153] = &tracepoint_153,
	[154] = &tracepoint_154,
	[155] = &tracepoint_155,
	[156] = &tracepoint_156,
	[157] = &tracepoint_157,
	[158] = &tracepoint_158,
	[159] = &tracepoint_159,
	[160] = &tracepoint_160,
	[161] = &tracepoint_161,
	[162] = &tracepoint_162,
	[163] = &tracepoint_163,
	[170] = &tracepoint_170,
	[171] = &tracepoint_171,
	[172] = &tracepoint_172,
	[173] = &tracepoint_173,
	[174] = &tracepoint_174,
	[175] = &tracepoint_175,
	[176] = &tracepoint_176,
};

struct qs_ust_tracepoint *const qs_lttng_module[] = {
	&tracepoint_1,
	&tracepoint_2,
	&tracepoint_3,
	&tracepoint_4,
	&tracepoint_10,
	&tracepoint_11,
	&tracepoint_12,
	&tracepoint_20,
	&tracepoint_21,
	&tracepoint_22,
	&tracepoint_23,
	&tracepoint_24,
	&tracepoint_25,
	&tracepoint_26,
	&tracepoint_27,
	&tracepoint_28,
	&tracepoint_29,
	&tracepoint_30,
	&tracepoint_31,
	&tracepoint_32,
	&tracepoint_33,
	&tracepoint_34,
	&tracepoint_35,
	&tracepoint_40,
	&tracepoint_41,
	&tracepoint_42,
	&tracepoint_43,
	&tracepoint_50,
	&tracepoint_51,
	&tracepoint_52,
	&tracepoint_53,
	&tracepoint_54,
	&tracepoint_55,
	&tracepoint_56,
	&tracepoint_57,
	&tracepoint_58,
	&tracepoint_60,
	&tracepoint_61,
	&tracepoint_62,
	&tracepoint_63,
	&tracepoint_64,
	&tracepoint_70,
	&tracepoint_71,
	&tracepoint_72,
	&tracepoint_73,
	&tracepoint_74,
	&tracepoint_75,
	&tracepoint_80,
	&tracepoint_81,
	&tracepoint_82,
	&tracepoint_83,
	&tracepoint_90,
	&tracepoint_91,
	&tracepoint_92,
	&tracepoint_93,
	&tracepoint_100,
	&tracepoint_101,
	&tracepoint_102,
	&tracepoint_103,
	&tracepoint_104,
	&tracepoint_105,
	&tracepoint_106,
	&tracepoint_107,
	&tracepoint_108,
	&tracepoint_109,
	&tracepoint_110,
	&tracepoint_111,
	&tracepoint_112,
	&tracepoint_113,
	&tracepoint_120,
	&tracepoint_121,
	&tracepoint_122,
	&tracepoint_123,
	&tracepoint_124,
	&tracepoint_125,
	&tracepoint_126,
	&tracepoint_127,
	&tracepoint_130,
	&tracepoint_140,
	&tracepoint_141,
	&tracepoint_142,
	&tracepoint_143,
	&tracepoint_144,
	&tracepoint_145,
	&tracepoint_150,
	&tracepoint_151,
	&tracepoint_152,
	&tracepoint_153,
	&tracepoint_154,
	&tracepoint_155,
	&tracepoint_156,
	&tracepoint_157,
	&tracepoint_158,
	&tracepoint_159,
	&tracepoint_160,
	&tracepoint_161,
	&tracepoint_162,
	&tracepoint_163,
	&tracepoint_170,
	&tracepoint_171,
	&tracepoint_172,
	&tracepoint_173,
	&tracepoint_174,
	&tracepoint_175,
	&tracepoint_176,
};

const int qs_lttng_module_count = sizeof qs_lttng_module / sizeof qs_lttng_module[0];
