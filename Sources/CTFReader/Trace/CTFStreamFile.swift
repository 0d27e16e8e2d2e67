/// A data stream file of a trace, by its first packet.
public struct CTFStreamFile: Hashable, Sendable {
    /// The file's name in the trace directory.
    public let name: String
    /// The file's size in bytes.
    public let size: Int
    /// Whether it has no byte.
    public var isEmpty: Bool { size == 0 }
    /// The number of its stream among those of its class; nil without one, and where the first packet is damaged.
    public let instanceID: UInt64?
}

extension CTFTrace {
    /// The data stream files that are read, by name.
    ///
    /// - Complexity: O(files).
    public var streamFiles: [CTFStreamFile] {
        files.map {
            CTFStreamFile(
                name: $0.name, size: $0.count, instanceID: $0.firstPacket(of: plan)?.values.streamInstanceID)
        }
    }

    /// The discarded event records that a data stream file tells of.
    ///
    /// - Parameter name: the file's name.
    /// - Returns: their number; 0 when there is no such file.
    /// - Complexity: O(packets of the file).
    public func discarded(toldBy name: String) -> UInt64 {
        var totals = PacketTotals()
        for file in files where file.name == name { totals.add(file, plan) }
        return totals.discarded
    }
}
