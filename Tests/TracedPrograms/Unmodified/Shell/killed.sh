# A shell that ends itself by a signal.
#: ends SIGKILL
echo before
kill -KILL $$
