// Creates a queue and prints "ready". Then reads lines with a number, runs as many items on the queue, and prints
// "done N" with the total number of items. Ends with its input.

import Dispatch
import Glibc

let queue = DispatchQueue(label: "stepped.early")
var items = 0
func say(_ line: String) {
    print(line)
    fflush(nil)
}

say("ready")
while let line = readLine() {
    for _ in 0..<(Int(line) ?? 1) {
        queue.async { usleep(1) }
        items += 1
    }
    queue.sync {}
    say("done \(items)")
}
