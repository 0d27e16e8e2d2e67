// A Swift runtime trap in an item: its message stays the same.
//: ends trap
import Dispatch

DispatchQueue(label: "fatal").async {
    let values: [Int] = []
    fatalError("values: \(values.count)")
}
dispatchMain()
