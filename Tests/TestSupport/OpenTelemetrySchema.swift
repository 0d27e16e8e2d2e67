import Foundation

/// Checks OTLP/JSON against the schema of the protocol, with the Python package `opentelemetry-proto`. It is generated
/// from the protocol's own files.
public enum OpenTelemetrySchema {
    /// The Python modules of the check.
    public static let modules = ["opentelemetry.proto", "google.protobuf"]

    /// Each line must be a message without unknown fields. The mapping of OTLP differs from the one of Protocol Buffers
    /// in its ids, which are hexadecimal, and in its enumerations, which must be integers.
    private static let script = #"""
        import base64, json, re, sys
        from google.protobuf import json_format
        from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2
        from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

        MESSAGES = {
            "traces": trace_service_pb2.ExportTraceServiceRequest,
            "metrics": metrics_service_pb2.ExportMetricsServiceRequest,
        }
        IDS = {"traceId": 16, "spanId": 8, "parentSpanId": 8}
        ENUMERATIONS = {"kind", "code", "aggregationTemporality"}
        LONG = {"startTimeUnixNano", "endTimeUnixNano", "timeUnixNano", "intValue", "asInt", "count"}

        def members(pairs):
            names = [name for name, _ in pairs]
            assert len(set(names)) == len(names), f"a member occurs twice: {names}"
            assert not any("_" in name for name in names), f"a name is not in lower camel case: {names}"
            return {name: value(name, member) for name, member in pairs}

        def value(name, member):
            if name in IDS:
                assert re.fullmatch("[0-9a-f]+", member), f"{name} is not hexadecimal: {member}"
                data = bytes.fromhex(member)
                assert len(data) == IDS[name] and any(data), f"{name} is invalid: {member}"
                return base64.b64encode(data).decode()
            if name in ENUMERATIONS:
                assert type(member) is int, f"{name} is not an integer: {member!r}"
            if name in LONG:
                assert type(member) is str, f"{name} is not a string of digits: {member!r}"
            return member

        lines = 0
        for line in open(sys.argv[2], encoding="utf-8", newline="\n"):
            message = json_format.ParseDict(
                json.loads(line, object_pairs_hook=members), MESSAGES[sys.argv[1]](), ignore_unknown_fields=False)
            for resources in getattr(message, "resource_spans", []):
                for span in (span for scope in resources.scope_spans for span in scope.spans):
                    assert span.name and span.start_time_unix_nano <= span.end_time_unix_nano, span
                    assert 1 <= span.kind <= 5, span
                    keys = [attribute.key for attribute in span.attributes]
                    assert all(keys) and len(set(keys)) == len(keys), f"an attribute occurs twice: {keys}"
            for resources in getattr(message, "resource_metrics", []):
                for metric in (metric for scope in resources.scope_metrics for metric in scope.metrics):
                    assert metric.WhichOneof("data") in ("gauge", "sum", "histogram"), metric
                    for point in metric.histogram.data_points:
                        assert len(point.bucket_counts) == len(point.explicit_bounds) + 1, metric.name
                        assert sum(point.bucket_counts) == point.count, metric.name
                        assert 0 <= point.min <= point.max, metric.name
            lines += 1
        print(lines)
        """#

    /// Checks a file of JSON lines.
    ///
    /// - Parameters:
    ///   - signal: `traces` or `metrics`.
    ///   - file: the file.
    /// - Returns: the exit status of Python, the number of messages as its output, and the first error.
    /// - Throws: when Python is not installed.
    public static func check(_ signal: String, _ file: String) throws -> Program.Result {
        guard let python = Program.installed("python3") else { throw CocoaError(.fileNoSuchFile) }
        return try python.run(["-c", script, signal, file])
    }
}
