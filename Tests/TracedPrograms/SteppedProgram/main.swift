// Works when it is told to. A queue that is made before anything is asked, and one item on it for each line of standard
// input; then "done N" with the number of items so far. Ends with its input.

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
