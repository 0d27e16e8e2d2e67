/// A data stream file of a trace.
public struct CTFStreamFile: Hashable, Sendable {
    /// The name of the file in the trace directory.
    public let name: String
    /// The size of the file in bytes.
    public let size: Int
    /// Whether the file is empty.
    public var isEmpty: Bool { size == 0 }
    /// The id of the data stream in its class, from the first packet; nil when it has none or the packet is damaged.
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

    /// Returns the number of discarded event records that the packets of a data stream file report.
    ///
    /// - Parameter name: the name of the file.
    /// - Returns: the number; 0 when the file does not exist.
    /// - Complexity: O(packets of the file).
    public func discarded(reportedBy name: String) -> UInt64 {
        var totals = PacketTotals()
        for file in files where file.name == name { totals.add(file, plan) }
        return totals.discarded
    }
}
