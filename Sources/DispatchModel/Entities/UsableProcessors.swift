/// The processors that a process could use when its recording began.
///
/// ```
///   online  ■■■■■■■■   of the machine
///   allowed ■■■■       by affinity and cpuset: as many workers libdispatch aims for in each root queue
///   quota   ■■▪        by CFS, 2.5: so much processor time per time, on any of them
///   count   ■■■        what can run at once in the long run
/// ```
public struct UsableProcessors: Sendable, Equatable {
    /// By affinity and cpuset; 0 when unknown. Recorders before schema 1.4 wrote those online.
    public let allowed: Int
    /// Of the machine; 0 when unknown, as before schema 1.4.
    public let online: Int
    /// The tightest CFS quota of the control groups, in thousandths of a processor; 0 without one.
    public let quotaMilli: Int

    /// Nothing is known.
    public static let unknown = UsableProcessors(allowed: 0)

    /// Creates a description; what is negative counts as unknown.
    public init(allowed: Int, online: Int = 0, quotaMilli: Int = 0) {
        self.allowed = max(0, allowed)
        self.online = max(0, online)
        self.quotaMilli = max(0, quotaMilli)
    }

    /// The CFS quota in processors; nil without one.
    public var quota: Double? { quotaMilli > 0 ? Double(quotaMilli) / 1_000 : nil }

    /// Whether the quota is less than what affinity and cpuset allow.
    public var isThrottled: Bool { quotaMilli > 0 && allowed > 0 && quotaMilli < allowed * 1_000 }

    /// The smaller of the quota, rounded up, and what is allowed; 0 when unknown.
    public var count: Int { isThrottled ? (quotaMilli + 999) / 1_000 : allowed }
}

/// So many processors, without a quota.
extension UsableProcessors: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(allowed: value) }
}
