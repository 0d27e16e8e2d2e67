// Releases a source that was never activated; libdispatch ends the process.
//: finds released-while-suspended
//: ends trap
import Dispatch

func make() {
    let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "misuse.counter", qos: .utility))
    source.setEventHandler {}
}
make()
