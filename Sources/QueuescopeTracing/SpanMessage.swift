#if Tracing
    import Tracing

    /// The message of the interval of a span in the trace: the ids of the span and its attributes.
    ///
    /// At the begin the message is `00-TRACE-SPAN-FLAGS parent=SPAN`: the `traceparent` of the span and the id of its
    /// parent span. At the end it has `name=value` for each attribute, with quotes around values with spaces.
    enum SpanMessage {
        static func begin(_ context: TraceContext, parent: TraceContext?, name: String?) -> String {
            var message = context.traceparent
            if let parent, parent.isSameTrace(as: context) { message += " parent=" + parent.spanID }
            if let name { message += " " + pair("name", name) }
            return message
        }

        static func end(
            _ attributes: SpanAttributes, keeping names: [String], error: String?, name: String?
        ) -> String {
            var pairs: [String] = []
            if let name { pairs.append(pair("name", name)) }
            if !attributes.isEmpty {
                for name in names {
                    if let value = attributes.get(name).flatMap(text) { pairs.append(pair(name, value)) }
                }
            }
            if let error { pairs.append(pair("error", error)) }
            return pairs.joined(separator: " ")
        }

        /// For an event whose name exceeds the limit of ``SpanNames``.
        static func event(name: String) -> String { pair("name", name) }

        private static func pair(_ name: String, _ value: String) -> String {
            guard value.isEmpty || value.contains(where: { $0.isWhitespace || $0 == "\"" }) else {
                return "\(name)=\(value)"
            }
            return "\(name)=\"\(value.split(separator: "\"").joined(separator: "'"))\""
        }

        private static func text(_ attribute: SpanAttribute) -> String? {
            switch attribute {
            case .string(let value): value
            case .int32(let value): "\(value)"
            case .int64(let value): "\(value)"
            case .bool(let value): "\(value)"
            case .double(let value): "\(value)"
            case .stringConvertible(let value): "\(value)"
            default: nil
            }
        }
    }
#endif
