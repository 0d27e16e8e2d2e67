// An import enters a group for each source and leaves it only when the source has rows.
//: source https://github.com/JohnEstropia/CoreStore/issues/319
//: detector unbalanced-group|deadlock
//: code importAll
//: hangs
//: also hang deadlock
import Dispatch
import Foundation

let fixed = CommandLine.arguments.contains("fixed")
let database = DispatchQueue(label: "import.database")

func perform(_ source: Int, _ completion: @escaping @Sendable (Int?) -> Void) {
    database.async {
        usleep(5_000)
        completion(source == 3 ? nil : source)
    }
}

func importAll() {
    let group = DispatchGroup()
    for source in 0..<6 {
        group.enter()
        perform(source) { rows in
            guard rows != nil else {
                if fixed { group.leave() }
                return
            }
            group.leave()
        }
    }
    group.wait()
}

importAll()
print("imported")
