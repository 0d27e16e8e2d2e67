# Generates a C program from event_writers.generated.h. The program records each event of the catalogue once with
# unique values, and prints the recorded events in the format of event_lines.awk.
BEGIN {
	print "#include <inttypes.h>"
	print "#include <stdio.h>"
	print "#include \"CTraceRecorder.h\"\n"
	print "int main(int argc, char **argv)\n{"
	print "\tstruct qs_session_options options = {0};"
	print "\tint error;"
	print "\tif (argc < 2 || qs_session_start(argv[1], &options, &error) != QS_SESSION_OK) return 3;"
}

# A product below 2^53, so awk computes it exactly.
function number(modulus) {
	values += 1
	return sprintf("%.0f", values * 4294967291 % modulus)
}

/^void qs_record_/ {
	name = $2
	sub(/^qs_record_/, "", name)
	sub(/\(.*/, "", name)
	text = $0
	sub(/^[^(]*\(/, "", text)
	sub(/\);$/, "", text)
	count = text == "void" ? 0 : split(text, parameters, ", ")
	arguments = ""
	line = name
	for (index_ = 1; index_ <= count; index_++) {
		parameter = parameters[index_]
		argument = ""
		if (parameter ~ /^uint8_t /) argument = number(251)
		else if (parameter ~ /^uint16_t .*_count$/) argument = "3"
		else if (parameter ~ /^uint16_t /) argument = number(65521)
		else if (parameter ~ /^uint32_t /) argument = number(4294967296)
		else if (parameter ~ /^uint64_t /) argument = number(281474976710656)
		else if (parameter ~ /^int64_t /) argument = "-" number(281474976710656)
		else if (parameter ~ /^const char /) {
			value = "text of " name " " number(1000)
			line = line " \"" value "\""
			arguments = arguments ", \"" value "\", " length(value)
			index_ += 1 # the length of the string
			continue
		} else if (parameter ~ /^const uint64_t /) {
			first = number(281474976710000)
			line = line sprintf(" 3 %.0f %.0f %.0f", first, first + 1, first + 2)
			arguments = arguments sprintf(", (const uint64_t[]){%.0f, %.0f, %.0f}, 3", first, first + 1, first + 2)
			index_ += 1 # the number of elements
			continue
		} else {
			print "every_event.awk: " parameter > "/dev/stderr"
			exit 1
		}
		line = line " " argument
		arguments = arguments ", " argument
	}
	gsub(/"/, "\\\"", line)
	print "\tqs_record_" name "(" substr(arguments, 3) ");"
	print "\tputs(\"" line "\");"
}

END { print "\treturn qs_session_stop() == 0 ? 0 : 1;\n}" }
