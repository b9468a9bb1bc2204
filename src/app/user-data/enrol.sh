# Enrols the host at its first boot. The variables above contain the URL, the login and the SSH user; the rest of the script is the same
# for all hosts. It needs a POSIX shell, the tools of BusyBox or more, and curl or python3. It is safe to run it again at any time: it
# repeats the same request if a response was lost.

umask 077
state=${HOSTLER_STATE_DIR:-/var/lib/hostler-enrol}
root=${HOSTLER_ROOT_DIR:-}
per_boot=$root/var/lib/cloud/scripts/per-boot/hostler-enrol
longest_pause_s=${HOSTLER_MAX_BACKOFF_S:-60}
# With pauses of 1, 2, 4 … seconds in between: about a minute.
tries_while_booting=7
mkdir -p "$state" || exit 1

say() {
  # Not echo, which replaces backslashes in some shells.
  printf 'hostler: %s\n' "$*" >&2
  if command -v logger >/dev/null 2>&1; then logger -t hostler-enrol -- "$*" 2>/dev/null; fi
  return 0
}

# A host that boots from an image of this host is another instance and enrols itself.
instance() {
  cat "$root/var/lib/cloud/data/instance-id" 2>/dev/null || cat "$root/etc/machine-id" 2>/dev/null || echo unknown
}

# If the script is interrupted, the next boot continues.
stay() {
  case $0 in */per-boot/*) return ;; esac
  [ -f "$0" ] && [ -d "${per_boot%/*}" ] || return
  cp "$0" "$per_boot" && chmod 700 "$per_boot"
}

leave() {
  instance >"$state/enrolled"
  rm -f "$per_boot"
  for name in key key.pub ca.pem request reply answer problem log; do rm -f "$state/$name"; done
}

# $1: a line for authorized_keys
admit() {
  home=$(awk -F: -v name="$hostler_user" '$1 == name { print $6; exit }' "$root/etc/passwd")
  if [ -z "$home" ]; then
    say "the user $hostler_user does not exist on this host; create it, or create user data for another user"
    return 1
  fi
  folder=$root$home/.ssh
  keys=$folder/authorized_keys
  # Root writes here, and the user owns the folder: a link could make root change another file, or give it to the user.
  for place in "$folder" "$keys"; do
    if [ -L "$place" ]; then
      say "$place is a symbolic link; remove it and run this script again"
      return 1
    fi
  done
  mkdir -p "$folder" || return 1
  # Compare the whole line: a line with restrictions, or a comment, does not authorize the key.
  if ! grep -qsxF "$1" "$keys"; then
    # The last line can lack its newline.
    if [ -s "$keys" ] && [ -n "$(tail -c 1 "$keys")" ]; then echo >>"$keys"; fi
    echo "$1" >>"$keys" || return 1
  fi
  chmod 700 "$folder"
  chmod 600 "$keys"
  chown -h "$hostler_user" "$folder" "$keys"
  if command -v restorecon >/dev/null 2>&1; then restorecon -R "$folder" 2>/dev/null; fi
  return 0
}

# The public host keys, which the server pins from the first connection on, as a JSON list.
host_keys() {
  set -- "$root"/etc/ssh/ssh_host_*_key.pub
  if [ ! -f "$1" ] && command -v ssh-keygen >/dev/null 2>&1; then
    ssh-keygen -A >/dev/null 2>&1
    set -- "$root"/etc/ssh/ssh_host_*_key.pub
  fi
  [ -f "$1" ] || return 1
  list=
  for file do
    read -r type key _ <"$file" || [ -n "${key:-}" ] || continue
    # The types that the server supports. cloud-init of Debian 12 also creates a DSA key, and the server would reject the whole request.
    case $type in ssh-ed25519 | ssh-rsa | ecdsa-sha2-nistp*) ;; *) continue ;; esac
    case $type$key in "$type" | *[!A-Za-z0-9+/=@.-]*) continue ;; esac
    list="$list${list:+, }\"$type $key\""
  done
  [ -n "$list" ] && echo "[$list]"
}

ssh_port() {
  sshd=$(command -v sshd || echo /usr/sbin/sshd)
  port=$("$sshd" -T 2>/dev/null | awk '$1 == "port" { print $2; exit }')
  echo "${port:-22}"
}

# Legacy method: the host's own private key. It stays the same until the host is enrolled, so that a repeated request is identical.
own_key() {
  if [ ! -s "$state/key" ]; then
    rm -f "$state/key" "$state/key.pub"
    ssh-keygen -q -t ed25519 -N '' -C hostler -f "$state/key" || return 1
  fi
  admit "$(cat "$state/key.pub")" || return 1
  base64 <"$state/key" | tr -d '\n'
}

request() {
  known_by=$(host_keys) || { say 'no supported host keys in /etc/ssh yet; retrying'; return 1; }
  credentials=
  if [ "$hostler_login" = token ]; then
    admit "$hostler_public_key" || return 1
  else
    credentials=$(own_key) || return 1
    credentials="\"ssh_priv_key\": \"$credentials\", "
  fi
  cluster=${hostler_cluster:+\"cluster\": \"$hostler_cluster\", }
  printf '{%s%s"remote_user": "%s", "ssh_port": %s, "host_keys": %s}' \
    "$credentials" "$cluster" "$hostler_user" "$(ssh_port)" "$known_by"
}

# Prints the HTTP status on the first line, 000 if there was no response, then the response. The password goes through standard input,
# because every user of the host can read the arguments of a process.
send_by_curl() {
  quoted=$(printf '%s' "$hostler_login:$hostler_password" | sed 's/[\\"]/\\&/g')
  status=$(printf 'user = "%s"\n' "$quoted" | curl -K - -gsS -m 60 -X PUT -H 'Content-Type: application/json' \
    ${ca:+--cacert "$ca"} --data-binary "@$state/request" -o "$state/answer" -w '%{http_code}' \
    "$hostler_url/api/v0/host" 2>"$state/problem") || status=000
  echo "$status"
  if [ "$status" = 000 ]; then cat "$state/problem"; else cat "$state/answer"; fi
}

send_by_python() {
  printf '%s\n' "$hostler_login:$hostler_password" "$hostler_url/api/v0/host" "$state/request" "${ca:-}" | python3 -c '
import base64, ssl, sys, urllib.error, urllib.request
login, url, body, ca = sys.stdin.read().split("\n")[:4]
headers = {
    "Content-Type": "application/json",
    "Authorization": "Basic " + base64.b64encode(login.encode()).decode(),
}
call = urllib.request.Request(url, open(body, "rb").read(), headers, method="PUT")
try:
    context = ssl.create_default_context(cafile=ca or None)
    with urllib.request.urlopen(call, timeout=60, context=context) as answer:
        print(answer.status, answer.read().decode(), sep="\n")
except urllib.error.HTTPError as refusal:
    print(refusal.code, refusal.read().decode(errors="replace"), sep="\n")
except Exception as problem:
    print("000", problem, sep="\n")
'
}

send() {
  if command -v curl >/dev/null 2>&1; then
    send_by_curl
  elif command -v python3 >/dev/null 2>&1; then
    send_by_python
  else
    printf '000\nneither curl nor python3 is installed on this host; install one of them\n'
  fi
}

# Prints the "detail" of the problem document in the reply, or the text of another reply: one line of printable ASCII characters.
reply_text() {
  tail -n +2 "$state/reply" | tr '\n' ' ' | LC_ALL=C tr -cs '\040-\176' '?' | LC_ALL=C awk '
    {
      start = match($0, /"detail" *: *"/)
      rest = start ? substr($0, start + RLENGTH) : $0
      text = ""
      while (rest != "" && length(text) < 1000) {
        letter = substr(rest, 1, 1)
        rest = substr(rest, 2)
        if (start && letter == "\"") break
        if (start && letter == "\\") {
          letter = substr(rest, 1, 1)
          rest = substr(rest, letter == "u" ? 6 : 2)
          if (letter ~ /[bfnrt]/) letter = " "
          if (letter == "u") letter = "?"
        }
        text = text letter
      }
      sub(/ +$/, "", text)
      print text
      exit
    }'
}

enrol() {
  request >"$state/request" || return 1
  send >"$state/reply"
  status=$(head -n 1 "$state/reply")
  case $status in
    200 | 201) return 0 ;;
    000) say "no response from $hostler_url: $(reply_text)" ;;
    *)
      say "enrolment at $hostler_url failed with status $status: $(reply_text)"
      # Only a person can fix this, so the script retries rarely.
      case $status in
        429) ;;
        4*) is_refused=yes pause_s=$longest_pause_s ;;
      esac
      ;;
  esac
  return 1
}

# Retries until the host is enrolled. With an argument: at most that many attempts, and none after a rejection.
ask() {
  left=${1:-}
  until enrol; do
    if [ -n "$left" ]; then
      left=$((left - 1))
      if [ "$left" -eq 0 ] || [ -n "$is_refused" ]; then return 1; fi
    fi
    sleep "$pause_s"
    pause_s=$((pause_s * 2 > longest_pause_s ? longest_pause_s : pause_s * 2))
  done
  say "enrolled with $hostler_url"
  leave
}

if [ "$(cat "$state/enrolled" 2>/dev/null)" = "$(instance)" ]; then exit 0; fi
stay
ca=
if [ -n "$hostler_ca" ]; then
  ca=$state/ca.pem
  printf '%s\n' "$hostler_ca" >"$ca"
fi
pause_s=1
is_refused=
if ! ask "$tries_while_booting"; then
  say 'continuing the boot; enrolment is retried in the background'
  (
    trap '' HUP
    sleep "$pause_s"
    ask
  ) </dev/null >>"$state/log" 2>&1 &
fi
