// A dispatchPrecondition that fails.
//: ends trap
import Dispatch
import Glibc

let expected = DispatchQueue(label: "precondition.expected")
DispatchQueue(label: "precondition.actual").async {
    print("in the item")
    fflush(stdout)
    dispatchPrecondition(condition: .onQueue(expected))
    print("not reached")
    exit(0)
}
dispatchMain()
