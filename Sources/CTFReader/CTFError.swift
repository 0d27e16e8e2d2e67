import Glibc

/// An error that prevents a trace, or a part of it, from being read.
///
/// The description is one sentence with the file, the position in it, the expected content and the remedy.
public struct CTFError: Error, CustomStringConvertible, Hashable, Sendable {
    /// The kind of problem, for code that handles errors.
    public let code: Code
    /// The position of the problem; nil when no file is concerned.
    public let place: Place?
    /// The problem, without the position.
    public let problem: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the kind of problem.
    ///   - place: the position of the problem.
    ///   - problem: the problem, the expected content and the remedy, as a sentence without a full stop.
    public init(_ code: Code, at place: Place? = nil, _ problem: String) {
        self.code = code
        self.place = place
        self.problem = problem
    }

    /// The error for a failed system call, with the text of `errno`.
    static func system(_ path: String, _ problem: String) -> CTFError {
        CTFError(
            .unreadable, at: .init(file: path),
            "\(problem): \(String(cString: strerror(errno))); check its permissions")
    }

    public var description: String {
        guard let place else { return problem }
        return "\(place): \(problem)"
    }

    /// A position in one of the files of a trace.
    public struct Place: Hashable, Sendable, CustomStringConvertible {
        /// The path of the file or directory.
        public var file: String
        /// Line of the metadata text, from 1; nil if unknown.
        public var line: Int?
        /// Column in the line, in bytes, from 1; nil if unknown.
        public var column: Int?
        /// Offset in bytes from the start of the file; nil if unknown.
        public var byteOffset: Int?

        /// Creates a position.
        public init(file: String, line: Int? = nil, column: Int? = nil, byteOffset: Int? = nil) {
            self.file = file
            self.line = line
            self.column = column
            self.byteOffset = byteOffset
        }

        public var description: String {
            if let line { return "\(file):\(line):\(column ?? 1)" }
            if let byteOffset { return "\(file), byte \(byteOffset)" }
            // An empty file name is printed as quotation marks, so that the sentence keeps its subject.
            return file.isEmpty ? "''" : file
        }
    }
}

extension CTFError {
    /// The kinds of problems. Later versions may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: String
        private init(_ name: String) { self.name = name }

        public var description: String { name }

        // Files.

        /// The path does not exist.
        public static let notFound = Code("not-found")
        /// The path is not a directory.
        public static let notADirectory = Code("not-a-directory")
        /// The directory has no `metadata` file, or an empty one.
        public static let noMetadata = Code("no-metadata")
        /// The operating system denies access to a file, or a read or write fails.
        public static let unreadable = Code("unreadable")

        // Metadata.

        /// The metadata is not CTF: it is not CTF 1.8 text, has no JSON text sequence and has no metadata packets.
        public static let notCTF = Code("not-ctf")
        /// The version of CTF is not supported.
        public static let unsupportedVersion = Code("unsupported-version")
        /// A packet of packetised metadata is damaged.
        public static let damagedMetadataPacket = Code("damaged-metadata-packet")
        /// The metadata has a syntax error.
        public static let syntax = Code("syntax")
        /// The metadata uses a type that it does not declare.
        public static let unknownType = Code("unknown-type")
        /// A name is declared twice.
        public static let duplicate = Code("duplicate")
        /// An attribute has an invalid value.
        public static let invalidAttribute = Code("invalid-attribute")
        /// A required attribute is missing.
        public static let missingAttribute = Code("missing-attribute")
        /// An attribute is unknown and was ignored.
        public static let unknownAttribute = Code("unknown-attribute")
        /// A length or a tag refers to a field that does not precede it, or that has the wrong type.
        public static let unknownReference = Code("unknown-reference")
        /// The types are nested too deeply, or have too many parts.
        public static let limitExceeded = Code("limit-exceeded")

        // Packets and event records.

        /// A packet does not begin with the magic number of CTF.
        public static let badMagic = Code("bad-magic")
        /// A packet has the UUID of another trace.
        public static let wrongUUID = Code("wrong-uuid")
        /// A packet is of a stream class that the metadata does not declare.
        public static let unknownStream = Code("unknown-stream")
        /// A packet's sizes contradict each other.
        public static let badPacketSize = Code("bad-packet-size")
        /// The file ends inside a packet.
        public static let truncatedPacket = Code("truncated-packet")
        /// The content of a packet ends inside an event record.
        public static let truncatedEvent = Code("truncated-event")
        /// An event record is of a class that the metadata does not declare.
        public static let unknownEvent = Code("unknown-event")
        /// A field's value cannot be decoded.
        public static let badField = Code("bad-field")
        /// The clock of a stream goes backwards.
        public static let clockWentBack = Code("clock-went-back")
        /// Packets are missing in a stream.
        public static let lostPackets = Code("lost-packets")
        /// A data stream file contains the packets of another file.
        public static let repeatedStream = Code("repeated-stream")
    }
}
