/// Finds data stream files that are copies of other files in the directory. Their records would count twice.
enum RepeatedFiles {
    /// The identity of a file's first packet.
    private struct Begin: Hashable {
        var streamClass: UInt64
        var instance: UInt64
        var sequence: UInt64
        var time: UInt64

        /// Nil when the packets of the trace have no identity.
        init?(_ file: MappedFile, _ trace: TracePlan) {
            guard let packet = file.firstPacket(of: trace), let instance = packet.values.streamInstanceID,
                let sequence = packet.values.sequenceNumber, let time = packet.values.timestampBegin
            else { return nil }
            (streamClass, self.instance, self.sequence, self.time) = (packet.streamClass, instance, sequence, time)
        }
    }

    /// Removes files whose packets another file has too. A copy may be shorter, because it was made while the stream
    /// grew or was truncated.
    ///
    /// - Parameters:
    ///   - files: the data stream files, by name.
    ///   - trace: the decoding plan of the trace.
    /// - Returns: the files to read, in the same order, and a note for each removed file.
    /// - Complexity: O(files). Files with the same first packet are compared packet by packet.
    static func leaveOut(_ files: [MappedFile], _ trace: TracePlan) -> (files: [MappedFile], notes: [TraceNote]) {
        var begins: [Begin: [Int]] = [:]
        for (index, file) in files.enumerated() {
            if let begin = Begin(file, trace) { begins[begin, default: []].append(index) }
        }
        var originals: [Int: MappedFile] = [:]
        for indices in begins.values where indices.count > 1 {
            // Longest file first, then by name: the name of a copy is usually longer.
            let ordered = indices.sorted {
                let (one, other) = (files[$0], files[$1])
                return (one.packets(of: trace).packets.count, one.count, other.name.utf8.count, other.name)
                    > (other.packets(of: trace).packets.count, other.count, one.name.utf8.count, one.name)
            }
            var kept: [MappedFile] = []
            for index in ordered {
                originals[index] = kept.first { has($0, files[index], trace) }
                if originals[index] == nil { kept.append(files[index]) }
            }
        }
        guard !originals.isEmpty else { return (files, []) }
        let notes = originals.sorted { $0.key < $1.key }.map { index, original in
            TraceNote(
                code: .repeatedStream, file: files[index].path, byteOffset: 0,
                problem: "The file has the same packets as \(original.name), so it is a copy and is ignored; "
                    + "remove it")
        }
        return (files.indices.filter { originals[$0] == nil }.map { files[$0] }, notes)
    }

    /// Whether a file starts with all packets of another file.
    private static func has(_ file: MappedFile, _ other: MappedFile, _ trace: TracePlan) -> Bool {
        let (packets, others) = (file.packets(of: trace).packets, other.packets(of: trace).packets)
        return others.count <= packets.count
            && zip(packets, others).allSatisfy { packet, other in
                packet.offset == other.offset && packet.begin == other.begin && packet.end == other.end
                    && packet.values.sequenceNumber == other.values.sequenceNumber
                    && packet.values.contentSize == other.values.contentSize
            }
    }
}
