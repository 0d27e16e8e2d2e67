/// The processors that a process could use when its recording began.
///
/// ```
///   online  ■■■■■■■■   processors of the machine
///   allowed ■■■■       by affinity and cpuset: the number of workers that libdispatch aims for in each root queue
///   quota   ■■▪        CFS quota of 2.5: processor time per wall time, on any of the allowed processors
///   count   ■■■        average number of threads that can run at once
/// ```
public struct UsableProcessors: Sendable, Equatable {
    /// Processors allowed by affinity and cpuset; 0 when unknown. Recorders before schema 1.4 stored ``online`` here.
    public let allowed: Int
    /// Online processors of the machine; 0 when unknown, as before schema 1.4.
    public let online: Int
    /// The tightest CFS quota of the control groups, in thousandths of a processor; 0 without one.
    public let quotaMilli: Int

    /// A description without any information.
    public static let unknown = UsableProcessors(allowed: 0)

    /// Creates a description. Negative values count as unknown.
    public init(allowed: Int, online: Int = 0, quotaMilli: Int = 0) {
        self.allowed = max(0, allowed)
        self.online = max(0, online)
        self.quotaMilli = max(0, quotaMilli)
    }

    /// The CFS quota in processors; nil without one.
    public var quota: Double? { quotaMilli > 0 ? Double(quotaMilli) / 1_000 : nil }

    /// Whether the quota is lower than the number of allowed processors.
    public var isThrottled: Bool { quotaMilli > 0 && allowed > 0 && quotaMilli < allowed * 1_000 }

    /// The smaller of the quota (rounded up) and ``allowed``; 0 when unknown.
    public var count: Int { isThrottled ? (quotaMilli + 999) / 1_000 : allowed }
}

/// An integer literal is the number of allowed processors, without a quota.
extension UsableProcessors: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(allowed: value) }
}
