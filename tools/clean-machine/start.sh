#!/bin/sh
# `npm start` on a fresh machine, and the first minute with it: tools/clean-machine/smoke-test.js. Then it is stopped. Whatever port is free will do.
set -e
log=$(mktemp)
HOSTLER_LISTEN=127.0.0.1:0 npm start >"$log" 2>&1 &
service=$!
password=
while [ -z "$password" ]; do
  kill -0 "$service" || { cat "$log"; exit 1; }
  sleep 0.2
  password=$(sed -n 's/^ *password *//p' "$log")
done
url=$(sed -n 's/^ *Dashboard *//p' "$log")
echo "the server is running at $url"
printf '%s' "$password" | node tools/clean-machine/smoke-test.js "$url"
kill "$service"
wait "$service" || true
grep '"msg":"stopped"' "$log"
