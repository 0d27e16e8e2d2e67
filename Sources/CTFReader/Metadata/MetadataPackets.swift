/// Reads the metadata file: plain text or a JSON text sequence, or packets of either as written by LTTng.
enum MetadataPackets {
    private static let magic: UInt32 = 0x75D1_1D57
    private static let headerSize = 37
    private static let sizeLimit = 64 << 20

    /// Extracts the text from the content of a metadata file.
    ///
    /// - Parameters:
    ///   - bytes: the content of the file.
    ///   - file: the path of the file, for messages.
    /// - Returns: the text of all packets.
    /// - Throws: a ``CTFError`` when the version of CTF is not supported, or a packet is damaged.
    static func source(_ bytes: UnsafeRawBufferPointer, file: String) throws(CTFError) -> MetadataSource {
        guard bytes.count > 0 else { throw empty(file) }
        guard bytes.count <= sizeLimit else {
            throw CTFError(
                .limitExceeded, at: .init(file: file),
                "The metadata has \(GroupedNumber.text(bytes.count)) bytes, more than the "
                    + "\(GroupedNumber.text(sizeLimit)) that are read")
        }
        let first = bytes.count >= 4 ? UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)) : 0
        if first == magic || first == magic.byteSwapped {
            // The packet headers state the version, so the text needs no signature. LTTng's kernel tracer writes none.
            let text = try join(bytes, isBigEndian: first != magic, file: file)
            guard !text.isEmpty else { throw empty(file) }
            return MetadataSource(file: file, text: text)
        }
        let text = Array(bytes)
        try checkSignature(text, file: file)
        return MetadataSource(file: file, text: text)
    }

    private static func empty(_ file: String) -> CTFError {
        CTFError(
            .noMetadata, at: .init(file: file),
            "The metadata is empty: the recording ended before the metadata was written, or the disk was full"
        )
    }

    private static func join(
        _ bytes: UnsafeRawBufferPointer, isBigEndian: Bool, file: String
    ) throws(CTFError) -> [UInt8] {
        func number(_ offset: Int) -> UInt32 {
            let raw = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            return isBigEndian ? UInt32(bigEndian: raw) : UInt32(littleEndian: raw)
        }
        var text: [UInt8] = []
        var offset = 0
        while offset < bytes.count {
            func damaged(_ problem: String) -> CTFError {
                CTFError(
                    .damagedMetadataPacket, at: .init(file: file, byteOffset: offset),
                    "\(problem); copy the trace again or make a new recording")
            }
            guard bytes.count - offset >= headerSize else {
                throw damaged("The metadata ends inside a packet header")
            }
            guard number(offset) == magic else {
                throw damaged("Expected a metadata packet, which begins with 0x75D11D57")
            }
            let content = Int(number(offset + 24)) / 8
            let size = Int(number(offset + 28)) / 8
            guard content >= headerSize, size >= content else {
                throw damaged("The metadata packet's content of \(content) bytes does not fit into its \(size) bytes")
            }
            guard size <= bytes.count - offset else {
                throw damaged("The metadata ends inside a packet of \(size) bytes")
            }
            guard bytes[offset + 32] == 0, bytes[offset + 33] == 0 else {
                throw damaged("The metadata packet is compressed or encrypted, which is not supported")
            }
            let version = (bytes[offset + 35], bytes[offset + 36])
            guard version == (1, 8) || version == (2, 0) else {
                throw CTFError(
                    .unsupportedVersion, at: .init(file: file, byteOffset: offset),
                    "The metadata packet has version \(version.0).\(version.1) of CTF; 1.8 and 2.0 are supported")
            }
            text.append(contentsOf: bytes[offset + headerSize..<offset + content])
            offset += size
        }
        return text
    }

    private static func checkSignature(_ text: [UInt8], file: String) throws(CTFError) {
        if text.starts(with: "/* CTF 1.8".utf8) || text.first == MetadataSource.recordSeparator { return }
        let place = CTFError.Place(file: file, line: 1, column: 1)
        if text.starts(with: "/* CTF ".utf8) {
            throw CTFError(
                .unsupportedVersion, at: place, "The version of CTF is not supported; 1.8 and 2.0 are supported")
        }
        throw CTFError(
            .notCTF, at: place,
            "This is not CTF metadata, which begins with '/* CTF 1.8 */' or a JSON text sequence; name the directory "
                + "of a trace")
    }
}
