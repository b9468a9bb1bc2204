# What a host does at its first boot to enrol itself. The lines above say where, as whom and with what; the rest is the same for
# everyone. It needs a POSIX shell, the tools of BusyBox or more, and curl or python3. It may be run again at any time:
# what is done stays done, and an answer that was lost is asked for again, with the same request.

umask 077
state=${HOSTLER_STATE_DIR:-/var/lib/hostler-enrol}
root=${HOSTLER_ROOT_DIR:-}
per_boot=$root/var/lib/cloud/scripts/per-boot/hostler-enrol
longest_pause_s=${HOSTLER_MAX_BACKOFF_S:-60}
# With pauses of 1, 2, 4 … seconds in between: about two minutes.
tries_while_booting=7
mkdir -p "$state" || exit 1

say() {
  echo "hostler: $*" >&2
  if command -v logger >/dev/null 2>&1; then logger -t hostler-enrol -- "$*" 2>/dev/null; fi
  return 0
}

# An image that is made of this host is another instance, and enrols itself anew.
instance() {
  cat "$root/var/lib/cloud/data/instance-id" 2>/dev/null || cat "$root/etc/machine-id" 2>/dev/null || echo unknown
}

# When it is cut off, the next boot goes on.
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
    say "there is no user $hostler_user on this host"
    return 1
  fi
  folder=$root$home/.ssh
  keys=$folder/authorized_keys
  # Root writes here, and the user owns the folder: through a link, root would change another file, or give it to the user.
  for place in "$folder" "$keys"; do
    if [ -L "$place" ]; then
      say "$place is a symbolic link; remove it, and run this again"
      return 1
    fi
  done
  mkdir -p "$folder" || return 1
  # The whole line: one that allows less, or is a comment, lets nobody in.
  if ! grep -qsxF "$1" "$keys"; then
    # The last line may lack its end.
    if [ -s "$keys" ] && [ -n "$(tail -c 1 "$keys")" ]; then echo >>"$keys"; fi
    echo "$1" >>"$keys" || return 1
  fi
  chmod 700 "$folder"
  chmod 600 "$keys"
  chown -h "$hostler_user" "$folder" "$keys"
  if command -v restorecon >/dev/null 2>&1; then restorecon -R "$folder" 2>/dev/null; fi
  return 0
}

# The public keys by which the host is known from the first connection on, as a JSON list.
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
    # The types that the service knows. cloud-init of Debian 12 makes a key for DSA too, and with that all would be refused.
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

# The old way: a key of the host's own. It stays the same until it is known, so that a repeat is one.
own_key() {
  if [ ! -s "$state/key" ]; then
    rm -f "$state/key" "$state/key.pub"
    ssh-keygen -q -t ed25519 -N '' -C hostler -f "$state/key" || return 1
  fi
  admit "$(cat "$state/key.pub")" || return 1
  base64 <"$state/key" | tr -d '\n'
}

request() {
  known_by=$(host_keys) || { say 'there are no host keys in /etc/ssh yet'; return 1; }
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

# Says on the first line what the service answered, 000 when it did not; then the answer. Passwords go by standard input: everyone on
# the host can read arguments.
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
    printf '000\nthere is neither curl nor python3 on this host\n'
  fi
}

enrol() {
  request >"$state/request" || return 1
  send >"$state/reply"
  status=$(head -n 1 "$state/reply")
  case $status in
    200 | 201) return 0 ;;
    000) say "$hostler_url does not answer: $(tail -n +2 "$state/reply" | tr '\n' ' ')" ;;
    *)
      say "$hostler_url answers $status: $(tail -n +2 "$state/reply" | tr '\n' ' ')"
      # Nothing but a person will change that: it is asked again, and not often.
      case $status in
        429) ;;
        4*) is_refused=yes pause_s=$longest_pause_s ;;
      esac
      ;;
  esac
  return 1
}

# Until it is enrolled; with a number, not more often than that, and not once it was refused.
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
  say 'the boot goes on; it is asked again in the background'
  (
    trap '' HUP
    sleep "$pause_s"
    ask
  ) </dev/null >>"$state/log" 2>&1 &
fi
