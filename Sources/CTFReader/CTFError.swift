import Glibc

/// Why a trace, or a part of it, cannot be read.
///
/// The description is one sentence that names the file, the place in it, what was expected and what to do.
public struct CTFError: Error, CustomStringConvertible, Hashable, Sendable {
    /// The kind of problem, for programs.
    public let code: Code
    /// The place where the problem was found, nil when it concerns no file.
    public let place: Place?
    /// What is wrong there, without the place.
    public let problem: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the kind of problem.
    ///   - place: where it was found.
    ///   - problem: what is wrong, what was expected and what to do, as a sentence without its full stop.
    public init(_ code: Code, at place: Place? = nil, _ problem: String) {
        self.code = code
        self.place = place
        self.problem = problem
    }

    /// What the operating system refused, by `errno`.
    static func system(_ path: String, _ problem: String) -> CTFError {
        CTFError(
            .unreadable, at: .init(file: path),
            "\(problem): \(String(cString: strerror(errno))); check its permissions")
    }

    public var description: String {
        guard let place else { return problem }
        return "\(place): \(problem)"
    }

    /// A place in one of the files of a trace.
    public struct Place: Hashable, Sendable, CustomStringConvertible {
        /// The path of the file or directory.
        public var file: String
        /// Line of the metadata's text, from 1, or nil.
        public var line: Int?
        /// Column in that line, in bytes, from 1, or nil.
        public var column: Int?
        /// Offset in bytes from the beginning of the file, or nil.
        public var byteOffset: Int?

        /// Creates a place.
        public init(file: String, line: Int? = nil, column: Int? = nil, byteOffset: Int? = nil) {
            self.file = file
            self.line = line
            self.column = column
            self.byteOffset = byteOffset
        }

        public var description: String {
            if let line { return "\(file):\(line):\(column ?? 1)" }
            if let byteOffset { return "\(file), byte \(byteOffset)" }
            // An empty name would leave a sentence without its subject.
            return file.isEmpty ? "''" : file
        }
    }
}

extension CTFError {
    /// The kinds of problems; more may be added in later versions.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: String
        private init(_ name: String) { self.name = name }

        public var description: String { name }

        // Files.

        /// There is nothing at the path.
        public static let notFound = Code("not-found")
        /// The path is not a directory.
        public static let notADirectory = Code("not-a-directory")
        /// The directory has no `metadata` file, or an empty one.
        public static let noMetadata = Code("no-metadata")
        /// The operating system does not let a file be read, or be changed.
        public static let unreadable = Code("unreadable")

        // Metadata.

        /// The metadata is neither CTF 1.8 text nor packets of such text.
        public static let notCTF = Code("not-ctf")
        /// The metadata is of a version of CTF that is not supported.
        public static let unsupportedVersion = Code("unsupported-version")
        /// A packet of packetised metadata is damaged.
        public static let damagedMetadataPacket = Code("damaged-metadata-packet")
        /// The metadata does not follow the grammar.
        public static let syntax = Code("syntax")
        /// A type is used that is not declared.
        public static let unknownType = Code("unknown-type")
        /// A name is declared twice.
        public static let duplicate = Code("duplicate")
        /// An attribute has a value that it must not have, or is not known where it stands.
        public static let invalidAttribute = Code("invalid-attribute")
        /// An attribute that must be there is missing.
        public static let missingAttribute = Code("missing-attribute")
        /// A length or tag refers to a field that does not exist before it, or has the wrong type.
        public static let unknownReference = Code("unknown-reference")
        /// Types are nested too deeply, or describe too much.
        public static let limitExceeded = Code("limit-exceeded")
        /// The metadata declares nothing that events could be in.
        public static let noStreamClass = Code("no-stream-class")

        // Packets and event records.

        /// A packet does not begin with the magic number of CTF.
        public static let badMagic = Code("bad-magic")
        /// A packet belongs to another trace.
        public static let wrongUUID = Code("wrong-uuid")
        /// A packet is of a stream class that the metadata does not declare.
        public static let unknownStream = Code("unknown-stream")
        /// A packet's sizes contradict each other.
        public static let badPacketSize = Code("bad-packet-size")
        /// The file ends inside of a packet.
        public static let truncatedPacket = Code("truncated-packet")
        /// A packet's content ends inside of an event record.
        public static let truncatedEvent = Code("truncated-event")
        /// An event record is of a class that the metadata does not declare.
        public static let unknownEvent = Code("unknown-event")
        /// A field's value cannot be decoded.
        public static let badField = Code("bad-field")
        /// The clock of a stream goes back.
        public static let clockWentBack = Code("clock-went-back")
        /// Packets are missing in a stream.
        public static let lostPackets = Code("lost-packets")
        /// A data stream file has the packets of another one.
        public static let repeatedStream = Code("repeated-stream")
    }
}
