import TraceSchema

func camelCase(_ name: String) -> String {
    let words = name.split(separator: "_")
    return words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
}

private func typeName(_ name: String) -> String { camelCase(name).prefix(1).uppercased() + camelCase(name).dropFirst() }

/// Quotes names that are Swift keywords, for use as identifiers.
func identifier(_ name: String) -> String {
    ["default", "async", "sync", "repeat"].contains(name) ? "`\(name)`" : name
}

extension EventField {
    /// The value of a field in traces of versions without the field.
    fileprivate var absentValue: String {
        if case .enumeration = type { return ".init(rawValue: 0)" }
        return "0"
    }

    fileprivate var swiftType: String {
        switch type {
        case .u8: "UInt8"
        case .u16: "UInt16"
        case .u32: "UInt32"
        case .u48, .u64: "UInt64"
        case .i64: "Int64"
        case .enumeration(let enumeration): enumeration.name
        case .string: "String"
        case .addresses: "[UInt64]"
        }
    }

    /// The expression that reads field number `index` of the class from `payload`.
    fileprivate func swiftDecode(_ index: Int) -> String {
        switch type {
        case .u8: "UInt8(truncatingIfNeeded: payload.unsigned(fields[\(index)]))"
        case .u16: "UInt16(truncatingIfNeeded: payload.unsigned(fields[\(index)]))"
        case .u32: "UInt32(truncatingIfNeeded: payload.unsigned(fields[\(index)]))"
        // A table of ids needs a key that no trace contains. The metadata of a damaged trace can declare a wider field.
        case .u48: "payload.unsigned(fields[\(index)]) & 0xffff_ffff_ffff"
        case .u64: "payload.unsigned(fields[\(index)])"
        case .i64: "payload.signed(fields[\(index)])"
        case .enumeration(let enumeration):
            "\(enumeration.name)(rawValue: UInt8(truncatingIfNeeded: payload.unsigned(fields[\(index)])))"
        case .string: "payload.string(fields[\(index)])"
        case .addresses: "payload.unsignedArray(fields[\(index)])"
        }
    }
}

extension GeneratedFile {
    /// The enumerations whose titles text reports use.
    private static let titled: [Enumeration] = [.descriptorKind]

    private static func swiftTitle(of enumeration: Enumeration) -> String {
        var text = "\n    /// The words in text reports.\n    public var title: String {\n        switch rawValue {\n"
        for item in enumeration.cases { text += "        case \(item.value): \"\(item.title)\"\n" }
        return text + "        default: description\n        }\n    }\n"
    }

    static var swiftEvents: GeneratedFile {
        var text = "// \(notice)\n// swift-format-ignore-file\n\n"
        for enumeration in EventCatalogue.enumerations {
            text += "/// \(enumeration.summary)\n"
            text +=
                "public struct \(enumeration.name): RawRepresentable, CaseIterable, Hashable, Sendable, "
                + "CustomStringConvertible {\n    public let rawValue: UInt8\n"
                + "    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }\n\n"
            for item in enumeration.cases {
                let name = identifier(camelCase(item.name))
                text += "    @inlinable public static var \(name): Self { Self(rawValue: \(item.value)) }\n"
            }
            text += "\n    /// All values of the catalogue.\n    public static let allCases: [Self] = ["
            text += enumeration.cases.map { "." + camelCase($0.name) }.joined(separator: ", ") + "]\n"
            text += "\n    /// The catalogue's name, or the number where this version knows none.\n"
            text += "    public var description: String {\n        switch rawValue {\n"
            for item in enumeration.cases { text += "        case \(item.value): \"\(item.name)\"\n" }
            text += "        default: \"\\(rawValue)\"\n        }\n    }\n"
            if titled.contains(enumeration) { text += swiftTitle(of: enumeration) }
            text += "}\n\n"
        }
        text += "/// One event record with its payload, typed.\npublic enum DispatchEvent: Sendable {\n"
        for event in EventCatalogue.events {
            text += "    case \(camelCase(event.name))(\(typeName(event.name)))\n"
        }
        text += "}\n\nextension DispatchEvent {\n"
        text += EventCatalogue.events.map { event in
            var lines = "    /// \(event.summary)\n    public struct \(typeName(event.name)): Sendable {\n"
            for field in event.fields {
                let unit = field.unit.map { " In \($0)." } ?? ""
                lines += "        /// \(field.summary.prefix(1).uppercased() + field.summary.dropFirst()).\(unit)\n"
                lines += "        public var \(identifier(camelCase(field.name))): \(field.swiftType)\n"
            }
            lines += "\n        public init("
            // Code that builds events by hand can omit fields of later versions.
            lines += event.fields.map { field in
                let standard = event.isLater(field) ? " = \(field.absentValue)" : ""
                return "\(camelCase(field.name)): \(field.swiftType)\(standard)"
            }.joined(separator: ", ")
            lines += ") {\n"
            for field in event.fields {
                lines += "            self.\(camelCase(field.name)) = \(identifier(camelCase(field.name)))\n"
            }
            return lines + "        }\n    }\n"
        }.joined(separator: "\n")
        return GeneratedFile(
            path: "Sources/DispatchModel/Generated/DispatchEvent.swift", contents: text + "}\n")
    }

    static var swiftDecoder: GeneratedFile {
        var text = """
            // \(notice)
            // swift-format-ignore-file
            import CTFReader

            /// Handles events, with one method for each event class. A new class of the catalogue does not compile
            /// until every handler has a method for it.
            protocol DispatchEventHandler: ~Copyable {
                /// Called before each event with its time.
                mutating func advance(to time: Timestamp)

            """
        for event in EventCatalogue.events {
            text += "    mutating func handle(_ event: DispatchEvent.\(typeName(event.name)), tid: UInt32)\n"
        }
        text += """
            }

            extension DispatchEvent {
                /// Calls the handler's method for the class of the event.
                func hand(to handler: inout some DispatchEventHandler & ~Copyable, tid: UInt32) {
                    switch self {

            """
        for event in EventCatalogue.events {
            text += "        case .\(camelCase(event.name))(let event): handler.handle(event, tid: tid)\n"
        }
        text += """
                    }
                }

                /// Decodes a record of the event class with this catalogue id, and calls the handler's method for the
                /// class. Frequent events are decoded inline.
                ///
                /// - Parameters:
                ///   - id: the catalogue's id of the event class.
                ///   - payload: the payload of the record.
                ///   - fields: the places of the catalogue's fields. Fields that the trace's class does not have are
                ///     zero or empty.
                ///   - handler: the handler of the event.
                ///   - tid: the thread that recorded it.
                @inline(__always)
                static func decode(
                    id: UInt8, _ payload: EventPayload, fields: UnsafePointer<FieldPlace>,
                    into handler: inout some DispatchEventHandler & ~Copyable, tid: UInt32
                ) {
                    switch id {

            """
        func cases(_ events: [EventClass]) -> String {
            events.map { "        case \($0.id): handler.handle(\(typeName($0.name))(payload, fields), tid: tid)\n" }
                .joined()
        }
        text += cases(EventCatalogue.events.filter(\.isFrequent))
        text += """
                    default: decodeOther(id: id, payload, fields: fields, into: &handler, tid: tid)
                    }
                }

                @inline(never)
                private static func decodeOther(
                    id: UInt8, _ payload: EventPayload, fields: UnsafePointer<FieldPlace>,
                    into handler: inout some DispatchEventHandler & ~Copyable, tid: UInt32
                ) {
                    switch id {

            """
        text += cases(EventCatalogue.events.filter { !$0.isFrequent })
        text += """
                    default: break
                    }
                }

                /// Decodes a record of the event class with this catalogue id.
                ///
                /// - Returns: nil when the id is not in the catalogue.
                init?(id: UInt8, payload: EventPayload, fields: UnsafePointer<FieldPlace>) {
                    switch id {

            """
        for event in EventCatalogue.events {
            text += "        case \(event.id): self = .\(camelCase(event.name))(.init(payload, fields))\n"
        }
        text += "        default: return nil\n        }\n    }\n}\n"
        for event in EventCatalogue.events {
            text += "\nextension DispatchEvent.\(typeName(event.name)) {\n    @inline(__always)\n"
            text += "    init(_ payload: EventPayload, _ fields: UnsafePointer<FieldPlace>) {\n        self.init("
            text += event.fields.enumerated().map { index, field in
                "\n            \(camelCase(field.name)): \(field.swiftDecode(index))"
            }.joined(separator: ",")
            text += ")\n    }\n}\n"
        }
        return GeneratedFile(
            path: "Sources/DispatchModel/Generated/DispatchEventDecoder.swift", contents: text)
    }
}
