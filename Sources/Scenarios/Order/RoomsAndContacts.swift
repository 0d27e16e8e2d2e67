import Dispatch

/// A chat client's rooms and contacts look each other up.
struct RoomsAndContacts: Scenario {
    static let id = "rooms-and-contacts"
    static let detector = "deadlock"
    static let gain = Gain.failedRuns
    static let summary = "Rooms sync to the contacts while contacts sync to the rooms, and both wait forever."
    static let repair = "Each copies its data before it syncs to the other."
    static let tolerated = [
        Tolerance("lock-order-inversion", because: "the two queues are acquired in both orders"),
        Tolerance("long-sync-wait", because: "the syncs wait until the end"),
    ]
    static let ending = Ending.gaveUp

    let label: String
    let lookup: Duration

    init(_ variation: inout Variation) {
        label = variation.label("chat")
        lookup = variation.duration("look-up", .microseconds(50)...(.milliseconds(2)))
    }

    var culprits: [String] { ["\(label).rooms", "\(label).contacts"] }

    func run(repaired: Bool) {
        let rooms = DispatchQueue(label: "\(label).rooms")
        let contacts = DispatchQueue(label: "\(label).contacts")
        let inside = DispatchGroup()
        let pairs = [(rooms, contacts), (contacts, rooms)]
        for _ in pairs { inside.enter() }
        let asked = Milestones()
        let threads = pairs.map { first, second in
            ProgramThread {
                first.sync {
                    inside.leave()
                    inside.wait()
                    Work.compute(for: lookup)
                    asked.reach()
                    if !repaired { second.sync { Work.compute(for: lookup) } }
                }
                if repaired { second.sync { Work.compute(for: lookup) } }
            }
        }
        if !repaired { Watchdog.giveUp(after: .milliseconds(350), having: pairs.count, of: asked) }
        for thread in threads { thread.join() }
    }
}
