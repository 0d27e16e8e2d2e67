# A pipeline, a subshell, a background job with its status, and a here-document.
#: ends 21
printf 'c\nb\na\n' | sort | (read -r first; echo "first $first"; cat) | tr 'a-z' 'A-Z'
sh -c 'exit 7' &
wait $!
echo "status $?"
cat <<TEXT
here
TEXT
exit 21
