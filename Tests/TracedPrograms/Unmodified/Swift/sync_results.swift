// Values and errors that `sync` returns and throws, with and without barrier: optionals, structures, errors.
// (Other flags trap in the Dispatch overlay of Linux: "closure argument passed as @noescape has escaped".)
import Dispatch

enum Failure: Error { case expected(Int) }

struct Large: Equatable {
    var words: [Int]
    var name: String
}

func throwing(_ number: Int) throws -> Int {
    if number % 2 == 1 { throw Failure.expected(number) }
    return number
}

let serial = DispatchQueue(label: "results.serial")
let concurrent = DispatchQueue(label: "results.concurrent", attributes: .concurrent)
for queue in [serial, concurrent, .global()] {
    let large = Large(words: Array(0..<100), name: "large")
    precondition(queue.sync { large } == large)
    precondition(queue.sync { Int?.none } == nil)
    precondition(queue.sync(flags: .barrier) { large.words.count } == 100)
    precondition(queue.sync(execute: { 5 }) == 5)
    for number in 0..<4 {
        do {
            print(try queue.sync { try throwing(number) }, terminator: " ")
        } catch Failure.expected(let thrown) {
            print("threw \(thrown)", terminator: " ")
        }
        print((try? queue.sync(flags: .barrier) { try throwing(number) }) as Any)
    }
}
var captured = 0
serial.sync { captured += 1 }
print("captured \(captured)")
