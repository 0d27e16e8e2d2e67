/// Keeps a table on disk until the trace has been read, so that a trace that cannot be read leaves no half of it.
public typealias TableSpool = TemporaryFile
