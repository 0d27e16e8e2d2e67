// Work for a queue that is not activated, and for a main queue that is not drained.
//: finds item-never-ran
import Dispatch
import Foundation

let queue = DispatchQueue(label: "misuse.later", qos: .utility, attributes: .initiallyInactive)
queue.async { print("never") }
DispatchQueue.main.async { print("never") }
usleep(300_000)
DispatchQueue(label: "misuse.end").sync {}
exit(0)
