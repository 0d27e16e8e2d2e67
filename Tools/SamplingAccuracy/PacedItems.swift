import Dispatch
import Glibc

// Submits a fixed number of items at fixed times, each with a fixed run time, for Tools/sampling-accuracy.
// Usage: PacedItems COUNT.

let count = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 0 : 0

/// CLOCK_MONOTONIC in nanoseconds.
func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Occupies the processor for a time.
func work(nanoseconds: UInt64) {
    let end = now() + nanoseconds
    while now() < end {}
}

let (short, long, free) = (
    DispatchQueue(label: "paced.short"), DispatchQueue(label: "paced.long"), DispatchQueue(label: "paced.free")
)
var next = now()
for item in 0..<count {
    short.async { work(nanoseconds: 4_000) }
    if item % 2 == 0 { long.async { work(nanoseconds: 8_000) } }
    free.sync { work(nanoseconds: 2_000) }
    next += 25_000
    while now() < next {}
}
short.sync {}
long.sync {}
