// What brings flanneld up on a host as a service of our own, and takes it away again: POSIX shell scripts for dash, bash and busybox.
// They may be broken off anywhere and run again. What must hold: a flanneld that runs is started anew only when what it was started
// with has changed; where nothing of ours is, or what is there is for another network, leaving touches nothing.

import { EXIT_PERMANENT_FAILURE } from '../../domain/command.ts';

export const UNIT = 'hostler-flanneld.service';
export const SUBNET_FILE = '/run/flannel/subnet.env';

const FOLDER = '/etc/hostler/flannel';
const UNIT_FILE = `/etc/systemd/system/${UNIT}`;
/** Its first line names the network that it is for. */
const ENV_FILE = `${FOLDER}/flanneld.env`;
/** There while flanneld has yet to be started with what was written. */
const CHANGED_MARKER = `${FOLDER}/changed`;

/** With these it says what people have to do; the last line has it in words. */
const [EXIT_CONFLICT, EXIT_MISSING] = [3, 4];
export const NO_CLIENT_MODE =
  'flannel removed its client mode in 0.8.0, and the flanneld on this host does not support --remote';

// The mark comes first: whoever is broken off between the two starts flanneld anew for nothing, and never leaves it with the old.
const REPLACE_FILE = `place() {
  if [ -f "$1" ] && [ "$(cat "$1")" = "$(cat "$1.new")" ]; then rm -f "$1.new"; return; fi
  : >${CHANGED_MARKER}
  mv -f "$1.new" "$1"
}`;

// Where nothing says so, an entering was broken off before anything ran: whoever comes may undo it.
const IS_FOR_OTHER_NETWORK = `is_for_another() {
  first=
  if [ -f ${ENV_FILE} ]; then read -r first <${ENV_FILE} || :; fi
  [ -n "$first" ] && [ "$first" != "# network $1" ]
}`;

// The variables go last: as long as they are there, something may be left to undo. Files of others in the folder stay. What flanneld leaves behind when it is stopped is undone
// too: the link of vxlan, and the routes of host-gw to the subnets of others. These lie in flannel's network, and are all of one length;
// other routes are somebody else's.
const REMOVE_ALL = `undo() {
  if [ -e ${UNIT_FILE} ]; then
    systemctl disable --now ${UNIT}
    rm -f ${UNIT_FILE}
    systemctl daemon-reload
    systemctl reset-failed ${UNIT} 2>/dev/null || :
  fi
  rm -f ${UNIT_FILE}.new
  for link in /sys/class/net/flannel.*; do
    if [ -e "$link" ]; then ip link delete "\${link##*/}"; fi
  done
  network= length=
  if [ -f ${SUBNET_FILE} ]; then
    while IFS='=' read -r name value; do
      case $name in FLANNEL_NETWORK) network=$value ;; FLANNEL_SUBNET) length=\${value##*/} ;; esac
    done <${SUBNET_FILE}
  fi
  if [ -n "$network" ] && [ -n "$length" ] && command -v ip >/dev/null; then
    ip -4 route show root "$network" | while read -r to how rest; do
      case "$how $to" in "via "*/"$length") ip -4 route delete "$to" via "\${rest%% *}" ;; esac
    done
  fi
  rm -f ${SUBNET_FILE}
  rmdir /run/flannel 2>/dev/null || :
  rm -f ${CHANGED_MARKER} ${ENV_FILE}.new ${ENV_FILE}
  rmdir ${FOLDER} /etc/hostler 2>/dev/null || :
}`;

// Who waits to be ready is not waited for here: that is what the proof is for. Where the host has its address on a link, that link is
// the one to use; behind a translator of addresses none has it, and flanneld takes the one of the default route. What is there for
// another network goes first: its flanneld would leave a link, routes and a subnet that nobody undoes later.
/**
 * Gets the name of the network; an option that flanneld must know, and the address of the host, each `''` for none; the files that it
 * reads; and, behind --, the variables that it is given.
 */
export const INSTALL_FLANNELD = `set -eu
umask 077
say() { printf '%s\\n' "$2" >&2; exit "$1"; }
${REPLACE_FILE}
${IS_FOR_OTHER_NETWORK}
${REMOVE_ALL}
of=$1 must_know=$2 address=$3
shift 3
flanneld=$(PATH=$PATH:/usr/local/bin:/opt/bin; command -v flanneld) || flanneld=
if [ -n "$must_know" ]; then
  case $([ -z "$flanneld" ] || "$flanneld" --help 2>&1 || :) in
    *"-$must_know"[\\ =]*) ;;
    *) say ${EXIT_PERMANENT_FAILURE} '${NO_CLIENT_MODE}' ;;
  esac
fi
[ -n "$flanneld" ] || say ${EXIT_MISSING} 'flanneld was not found in PATH or /opt/bin: install flannel on the host'
command -v systemctl >/dev/null || say ${EXIT_MISSING} 'systemctl was not found: flannel requires systemd'
for other in flanneld.service flannel.service; do
  if systemctl is-active --quiet "$other"; then
    say ${EXIT_CONFLICT} "$other is running on this host, and only one flanneld can run: disable it"
  fi
done
while [ "$1" != -- ]; do
  [ -f "$1" ] || say ${EXIT_MISSING} "$1 does not exist on the host: flanneld needs it to connect to etcd"
  shift
done
shift
if is_for_another "$of"; then undo; fi
mkdir -p ${FOLDER}
printf '# network %s\\n' "$of" >${ENV_FILE}.new
if [ -n "$address" ] && [ -n "$(ip -o address show to "$address" 2>/dev/null)" ]; then
  printf 'FLANNELD_IFACE=%s\\n' "$address" >>${ENV_FILE}.new
fi
printf '%s\\n' "$@" >>${ENV_FILE}.new
place ${ENV_FILE}
printf '%s\\n' '[Unit]' 'Description=flannel, set up by Hostler' 'Wants=network-online.target' 'After=network-online.target' \\
  '[Service]' 'Type=notify' 'TimeoutStartSec=infinity' 'EnvironmentFile=${ENV_FILE}' "ExecStart=$flanneld" \\
  'Restart=on-failure' 'RestartSec=5' '[Install]' 'WantedBy=multi-user.target' >${UNIT_FILE}.new
chmod 644 ${UNIT_FILE}.new
place ${UNIT_FILE}
if [ -e ${CHANGED_MARKER} ]; then
  systemctl daemon-reload
  systemctl enable ${UNIT}
  systemctl restart --no-block ${UNIT}
  rm -f ${CHANGED_MARKER}
else
  systemctl start --no-block ${UNIT}
fi`;

/** Gets the name of the network. */
export const REMOVE_FLANNELD = `set -eu
[ -e ${UNIT_FILE} ] || [ -e ${ENV_FILE} ] || [ -e ${ENV_FILE}.new ] || exit 0
${IS_FOR_OTHER_NETWORK}
${REMOVE_ALL}
if is_for_another "$1"; then exit 0; fi
undo`;
