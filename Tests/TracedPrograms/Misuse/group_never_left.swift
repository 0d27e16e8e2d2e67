// An error path returns without leaving the group.
//: finds unbalanced-group
import Dispatch

let queue = DispatchQueue(label: "misuse.fetch", qos: .utility)
let group = DispatchGroup()
for page in 0..<4 {
    group.enter()
    queue.async {
        guard page != 2 else { return }
        group.leave()
    }
}
if group.wait(timeout: .now() + .milliseconds(400)) == .timedOut { print("gave up") }
