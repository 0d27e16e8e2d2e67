// Forks with and without exec, starts and ends threads during the recording, and exits without stopping the session.
//
// Prints the number of items and signposts of this process. The trace must not contain events of its children.

import Dispatch
import Glibc
import ProgramThread
import Queuescope

if CommandLine.arguments.contains("--child") {
    // Started by exec: it inherits the environment, but the trace belongs to the parent process.
    exit(TraceSession.isRecording ? 1 : 0)
}

let signposter = Signposter(subsystem: "org.queuescope.fork", category: "threads")
let queue = TracedQueue(label: "fork.serial")
let threadCount = 200
var problems: [String] = []

func exitStatus(of child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status
}

func work() {
    queue.sync { signposter.emitEvent("parent") }
}

work()

// fork without exec: the child shares the parent's mapped packets and must not write to them.
// Swift does not import fork, because few functions are safe in the child; recording must be safe there.
typealias Fork = @convention(c) () -> pid_t
let fork = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
let child = fork()
if child == 0 {
    for _ in 0..<1_000 { signposter.emitEvent("child") }
    _exit(TraceSession.isRecording ? 1 : 0)
}
for _ in 0..<1_000 { work() }
if exitStatus(of: child) != 0 { problems.append("the forked child records") }

// fork and exec of this program.
var spawned = pid_t()
var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(CommandLine.arguments[0]), strdup("--child"), nil]
if posix_spawn(&spawned, "/proc/self/exe", nil, nil, &arguments, environ) == 0 {
    if exitStatus(of: spawned) != 0 { problems.append("the started child records") }
} else {
    problems.append("the child did not start")
}

// Threads that end right after they recorded: new threads reuse their streams.
for _ in 0..<threadCount {
    let thread = ProgramThread {
        signposter.emitEvent("thread")
        queue.sync { signposter.emitEvent("sync") }
    }
    thread.join()
}

for problem in problems { print("problem: \(problem)") }
print("{\"items\":\(1_001 + threadCount),\"signposts\":\(1_001 + 2 * threadCount),\"threads\":\(threadCount)}")
// The program does not stop the session; the end of the process does.
exit(problems.isEmpty ? 0 : 1)
