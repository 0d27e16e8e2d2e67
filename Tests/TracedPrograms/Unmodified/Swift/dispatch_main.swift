// dispatchMain from a program that also uses the main actor.
//: ends 14
import Dispatch
import Foundation

Task { @MainActor in
    dispatchPrecondition(condition: .onQueue(.main))
    let answer = await Task.detached { 14 }.value
    DispatchQueue.main.async {
        print("answer \(answer)")
        exit(Int32(answer))
    }
}
dispatchMain()
