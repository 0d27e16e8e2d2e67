import DispatchModel

/// A barrier is submitted to a global queue, where it has no effect.
///
/// ## Definition
///
/// An item with the barrier flag ran on one of the global queues. Items of the same code are one finding.
///
/// ```
///   own concurrent queue   ███ ███│▓▓▓▓▓│███ ███       ▓ alone
///   global queue           ███ ███▓▓▓▓▓███ ███
///                             ██████████               ▓ like any other item
/// ```
///
/// ## Thresholds
///
/// None: a barrier never has an effect there.
///
/// ## Why it matters
///
/// The whole process shares the global queues, so libdispatch ignores the flag there. Data that the barrier should
/// protect is read and written at the same time.
///
/// ## What it cannot see
///
/// Whether the data is protected by other means.
///
/// ## Advice
///
/// Use a concurrent queue of the program's own: `DispatchQueue(label:attributes: .concurrent)`.
///
/// ## Source
///
/// `dispatch_barrier_async(3)`: on any queue that is not a concurrent queue created by the program, it behaves like
/// `dispatch_async`.
public struct BarrierOnGlobal: Detector {
    public static let id = "barrier-on-global"
    public static let title = "A barrier is submitted to a global queue, where it has no effect"
    public static let follows: ObservationKinds = .barriers
    public static let focus = FindingFocus(
        hint: "A global queue ignores barriers: the barrier runs at the same time as other items.")

    private var cases = MistakeGroups()

    public init(thresholds: Thresholds) {}

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        guard item.queueKind == .global else { return }
        let name = model.name(of: item.queue)
        // The detail is made with the finding, when the item no longer exists.
        let service = item.service
        cases.add(MistakeGroups.Key(subject: name, code: item.code), at: item.beganAt, queue: item.queue) {
            .init(
                time: item.beganAt, thread: item.thread, event: "item_barrier",
                detail: "A barrier runs on \(name) for \(service) like any other item.")
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        cases.groups.map { group in
            group.finding(
                Self.id, .warning,
                summary: "\(Figures.plural(group.count, "barrier"))\(group.place(in: model)) on \(group.key.subject) "
                    + "had no effect: on a global queue a barrier is an item like any other.",
                advice: Advice(
                    .useOwnQueue, "Submit the barriers and the items that they exclude to a concurrent queue of the ",
                    "program: DispatchQueue(label:attributes: .concurrent)."))
        }
    }
}
