// Lets a source go that was never activated, for which libdispatch ends the process.
//: finds released-while-suspended
//: ends trap
import Dispatch

func make() {
    let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "misuse.counter", qos: .utility))
    source.setEventHandler {}
}
make()
