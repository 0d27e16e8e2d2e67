// A trap of Swift's own in an item: its message stays what it was.
//: ends trap
import Dispatch

DispatchQueue(label: "fatal").async {
    let values: [Int] = []
    fatalError("values: \(values.count)")
}
dispatchMain()
