import Dispatch
import Glibc

/// An application's main queue needs the answer of a server.
struct LoginScreen: Scenario {
    static let id = "login-screen"
    static let detector = "main-queue-hang"
    static let gain = Gain.mainQueue
    static let summary = "The main queue blocks on a semaphore until a background queue has the answer of a server."
    static let repair = "The answer returns to the main queue with `async`."
    static let tolerated = [
        Tolerance("priority-inversion", because: "a semaphore has no owner whose priority could be raised")
    ]

    let label: String
    let answer: Duration

    init(_ variation: inout Variation) {
        label = variation.label("session")
        answer = variation.duration("answer", .milliseconds(300)...(.milliseconds(450)))
    }

    func run(repaired: Bool) {
        let session = DispatchQueue(label: label, qos: .utility)
        DispatchQueue.main.async {
            if repaired {
                session.async {
                    Work.block(for: answer)
                    DispatchQueue.main.async { show() }
                }
            } else {
                let answered = DispatchSemaphore(value: 0)
                session.async {
                    Work.block(for: answer)
                    answered.signal()
                }
                answered.wait()
                show()
            }
        }
        dispatchMain()
    }

    private func show() {
        Work.compute(for: .milliseconds(1))
        exit(0)
    }
}
