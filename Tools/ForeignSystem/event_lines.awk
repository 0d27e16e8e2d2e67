# Converts the output of `queuescope events` and `babeltrace2` to one line per event with its name and its values in
# decimal, without time, process and thread.
function decimal(digits,    value, place) {
	value = 0
	for (place = 3; place <= length(digits); place++) {
		value = value * 16 + index("0123456789ABCDEF", substr(digits, place, 1)) - 1
	}
	return sprintf("%.0f", value)
}

{
	start = index($0, " dispatch:")
	if (start == 0) next
	text = substr($0, start + 10)
	line = substr(text, 1, index(text, ":") - 1)
	sub(/^[^}]*\}, \{ ?/, "", text)
	sub(/ ?\}$/, "", text)
	# One field at a time, because a string may contain any text.
	while (match(text, /^(\[ )?[\[a-z_0-9\]]+ = /)) {
		text = substr(text, RLENGTH + 1)
		if (substr(text, 1, 1) == "[") continue # the first element of an array follows
		if (match(text, /^"([^"\\]|\\.)*"/)) {
			value = substr(text, 1, RLENGTH)
			rest = substr(text, RLENGTH + 1)
		} else if (match(text, /^\( [^)]* : container = -?[0-9]+ \)/)) {
			value = substr(text, 1, RLENGTH)
			rest = substr(text, RLENGTH + 1)
			sub(/^.* = /, "", value)
			sub(/ \)$/, "", value)
		} else {
			match(text, /^[^ ,]*/)
			value = substr(text, 1, RLENGTH)
			rest = substr(text, RLENGTH + 1)
		}
		if (value ~ /^0x/) value = decimal(value)
		line = line " " value
		sub(/^( \])?,? ?/, "", rest)
		text = rest
		sub(/^\[ /, "", text)
	}
	print line
}
