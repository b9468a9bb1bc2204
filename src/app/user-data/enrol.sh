# Enrols the host at its first boot. The variables above contain the URL, the login and the SSH user. The rest of the script is the
# same for all hosts. It needs a POSIX shell, the tools of BusyBox or more, and curl or python3. It is idempotent: it repeats the same
# request if a response was lost.

umask 077
state=${HOSTLER_STATE_DIR:-/var/lib/hostler-enrol}
root=${HOSTLER_ROOT_DIR:-}
per_boot=$root/var/lib/cloud/scripts/per-boot/hostler-enrol
max_backoff_s=${HOSTLER_MAX_BACKOFF_S:-60}
# About one minute, with a backoff of 1, 2, 4 … seconds.
max_boot_attempts=7
mkdir -p "$state" || exit 1

log() {
  # Not echo, which replaces backslashes in some shells.
  printf 'hostler: %s\n' "$*" >&2
  if command -v logger >/dev/null 2>&1; then logger -t hostler-enrol -- "$*" 2>/dev/null; fi
  return 0
}

# A host that boots from an image of this host is another instance and enrols itself.
instance_id() {
  cat "$root/var/lib/cloud/data/instance-id" 2>/dev/null || cat "$root/etc/machine-id" 2>/dev/null || echo unknown
}

# If the script is interrupted, the next boot continues.
install_boot_script() {
  case $0 in */per-boot/*) return ;; esac
  [ -f "$0" ] && [ -d "${per_boot%/*}" ] || return
  cp "$0" "$per_boot" && chmod 700 "$per_boot"
}

finish() {
  instance_id >"$state/enrolled"
  rm -f "$per_boot"
  for name in key key.pub ca.pem request reply body error log; do rm -f "$state/$name"; done
}

# $1: a line for authorized_keys
authorize_key() {
  home=$(awk -F: -v name="$hostler_user" '$1 == name { print $6; exit }' "$root/etc/passwd")
  if [ -z "$home" ]; then
    log "the user $hostler_user does not exist on this host; create it, or create user data for another user"
    return 1
  fi
  ssh_dir=$root$home/.ssh
  authorized_keys=$ssh_dir/authorized_keys
  # Root writes here, and the user owns the folder: a link could make root change another file, or give it to the user.
  for entry in "$ssh_dir" "$authorized_keys"; do
    if [ -L "$entry" ]; then
      log "$entry is a symbolic link; remove it and run this script again"
      return 1
    fi
  done
  mkdir -p "$ssh_dir" || return 1
  # Compare the whole line: a line with restrictions, or a comment, does not authorize the key.
  if ! grep -qsxF "$1" "$authorized_keys"; then
    # The last line can lack its newline.
    if [ -s "$authorized_keys" ] && [ -n "$(tail -c 1 "$authorized_keys")" ]; then echo >>"$authorized_keys"; fi
    echo "$1" >>"$authorized_keys" || return 1
  fi
  chmod 700 "$ssh_dir"
  chmod 600 "$authorized_keys"
  chown -h "$hostler_user" "$ssh_dir" "$authorized_keys"
  if command -v restorecon >/dev/null 2>&1; then restorecon -R "$ssh_dir" 2>/dev/null; fi
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
  keys_json=
  for file do
    read -r type key _ <"$file" || [ -n "${key:-}" ] || continue
    # The types that the server supports. cloud-init of Debian 12 also creates a DSA key, and the server would reject the whole request.
    case $type in ssh-ed25519 | ssh-rsa | ecdsa-sha2-nistp*) ;; *) continue ;; esac
    case $type$key in "$type" | *[!A-Za-z0-9+/=@.-]*) continue ;; esac
    keys_json="$keys_json${keys_json:+, }\"$type $key\""
  done
  [ -n "$keys_json" ] && echo "[$keys_json]"
}

ssh_port() {
  sshd=$(command -v sshd || echo /usr/sbin/sshd)
  port=$("$sshd" -T 2>/dev/null | awk '$1 == "port" { print $2; exit }')
  echo "${port:-22}"
}

# Legacy login: the private key of the host. It is kept until the host is enrolled, so a repeated request is identical.
host_private_key() {
  if [ ! -s "$state/key" ]; then
    rm -f "$state/key" "$state/key.pub"
    ssh-keygen -q -t ed25519 -N '' -C hostler -f "$state/key" || return 1
  fi
  authorize_key "$(cat "$state/key.pub")" || return 1
  base64 <"$state/key" | tr -d '\n'
}

request() {
  host_keys_json=$(host_keys) || { log 'no supported host keys in /etc/ssh yet; retrying'; return 1; }
  credentials=
  if [ "$hostler_login" = token ]; then
    authorize_key "$hostler_public_key" || return 1
  else
    credentials=$(host_private_key) || return 1
    credentials="\"ssh_priv_key\": \"$credentials\", "
  fi
  cluster=${hostler_cluster:+\"cluster\": \"$hostler_cluster\", }
  printf '{%s%s"remote_user": "%s", "ssh_port": %s, "host_keys": %s}' \
    "$credentials" "$cluster" "$hostler_user" "$(ssh_port)" "$host_keys_json"
}

# Prints the HTTP status on the first line, 000 if there was no response, then the response. The password goes through standard input,
# because every user of the host can read the arguments of a process.
send_with_curl() {
  quoted=$(printf '%s' "$hostler_login:$hostler_password" | sed 's/[\\"]/\\&/g')
  status=$(printf 'user = "%s"\n' "$quoted" | curl -K - -gsS -m 60 -X PUT -H 'Content-Type: application/json' \
    ${ca:+--cacert "$ca"} --data-binary "@$state/request" -o "$state/body" -w '%{http_code}' \
    "$hostler_url/api/v0/host" 2>"$state/error") || status=000
  echo "$status"
  if [ "$status" = 000 ]; then cat "$state/error"; else cat "$state/body"; fi
}

send_with_python() {
  printf '%s\n' "$hostler_login:$hostler_password" "$hostler_url/api/v0/host" "$state/request" "${ca:-}" | python3 -c '
import base64, ssl, sys, urllib.error, urllib.request
login, url, body, ca = sys.stdin.read().split("\n")[:4]
headers = {
    "Content-Type": "application/json",
    "Authorization": "Basic " + base64.b64encode(login.encode()).decode(),
}
request = urllib.request.Request(url, open(body, "rb").read(), headers, method="PUT")
try:
    context = ssl.create_default_context(cafile=ca or None)
    with urllib.request.urlopen(request, timeout=60, context=context) as response:
        print(response.status, response.read().decode(), sep="\n")
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode(errors="replace"), sep="\n")
except Exception as error:
    print("000", error, sep="\n")
'
}

send() {
  if command -v curl >/dev/null 2>&1; then
    send_with_curl
  elif command -v python3 >/dev/null 2>&1; then
    send_with_python
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
        char = substr(rest, 1, 1)
        rest = substr(rest, 2)
        if (start && char == "\"") break
        if (start && char == "\\") {
          char = substr(rest, 1, 1)
          rest = substr(rest, char == "u" ? 6 : 2)
          if (char ~ /[bfnrt]/) char = " "
          if (char == "u") char = "?"
        }
        text = text char
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
    000) log "no response from $hostler_url: $(reply_text)" ;;
    *)
      log "enrolment at $hostler_url failed with status $status: $(reply_text)"
      # An administrator must fix this, so the script retries rarely.
      case $status in
        429) ;;
        4*) is_rejected=yes backoff_s=$max_backoff_s ;;
      esac
      ;;
  esac
  return 1
}

# Retries until the host is enrolled. With an argument: at most that many attempts, and none after a rejection.
enrol_until_done() {
  attempts_left=${1:-}
  until enrol; do
    if [ -n "$attempts_left" ]; then
      attempts_left=$((attempts_left - 1))
      if [ "$attempts_left" -eq 0 ] || [ -n "$is_rejected" ]; then return 1; fi
    fi
    sleep "$backoff_s"
    backoff_s=$((backoff_s * 2 > max_backoff_s ? max_backoff_s : backoff_s * 2))
  done
  log "enrolled with $hostler_url"
  finish
}

if [ "$(cat "$state/enrolled" 2>/dev/null)" = "$(instance_id)" ]; then exit 0; fi
install_boot_script
ca=
if [ -n "$hostler_ca" ]; then
  ca=$state/ca.pem
  printf '%s\n' "$hostler_ca" >"$ca"
fi
backoff_s=1
is_rejected=
if ! enrol_until_done "$max_boot_attempts"; then
  log 'continuing the boot; enrolment is retried in the background'
  (
    trap '' HUP
    sleep "$backoff_s"
    enrol_until_done
  ) </dev/null >>"$state/log" 2>&1 &
fi
