// Sources for data and signals in Swift: add, or, replace, handlers as work items, suspended and resumed.
import Dispatch
import Glibc

let queue = DispatchQueue(label: "sources")
let done = DispatchSemaphore(value: 0)

let add = DispatchSource.makeUserDataAddSource(queue: queue)
var sum: UInt = 0
add.setEventHandler {
    sum += add.data
    if sum == 4950 { done.signal() }
}
add.activate()
DispatchQueue.concurrentPerform(iterations: 100) { add.add(data: UInt($0)) }
done.wait()

let or = DispatchSource.makeUserDataOrSource(queue: queue)
var bits: UInt = 0
or.setEventHandler(
    handler: DispatchWorkItem {
        bits |= or.data
        if bits == 0b111 { done.signal() }
    })
or.activate()
for bit in 0..<3 { or.or(data: 1 << UInt(bit)) }
done.wait()

let replace = DispatchSource.makeUserDataReplaceSource(queue: queue)
replace.setEventHandler(qos: .utility, flags: .enforceQoS) {
    print("last \(replace.data)")
    done.signal()
}
replace.activate()
replace.suspend()
for value in 1...5 { replace.replace(data: UInt(value)) }
replace.resume()
done.wait()

signal(SIGUSR2, SIG_IGN)
let signals = DispatchSource.makeSignalSource(signal: SIGUSR2, queue: queue)
signals.setRegistrationHandler { done.signal() }
signals.setEventHandler { done.signal() }
signals.setCancelHandler { done.signal() }
signals.activate()
done.wait()
kill(getpid(), SIGUSR2)
done.wait()
signals.cancel()
done.wait()
print(sum, bits)
