#!/bin/sh
# `npm start` on a fresh machine, until its dashboard answers; then it is stopped. Whatever port is free will do.
set -e
log=$(mktemp)
HOSTLER_LISTEN=127.0.0.1:0 npm start >"$log" 2>&1 &
service=$!
url=
while [ -z "$url" ]; do
  kill -0 "$service" || { cat "$log"; exit 1; }
  sleep 0.2
  url=$(sed -n 's/^ *Dashboard *//p' "$log")
done
echo "it answers at $url"
node -e 'fetch(process.argv[1]).then(async page => process.exit(page.ok && /<title>/.test(await page.text()) ? 0 : 1))' "$url"
kill "$service"
wait "$service" || true
grep '"msg":"stopped"' "$log"
