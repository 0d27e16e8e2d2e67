// `sync` on the queue that the item runs on.
//: ends trap
import Dispatch
import Glibc

let queue = DispatchQueue(label: "recursive")
queue.async {
    print("outer")
    fflush(stdout)
    queue.sync { print("not reached") }
}
dispatchMain()
