// POSIX shell scripts (dash, bash, busybox), safe to repeat after an interruption. flanneld is restarted only if its
// configuration has changed. The removal changes nothing if flanneld is not from Hostler or for another network.

import { EXIT_PERMANENT_FAILURE } from '../../domain/command.ts';

export const UNIT = 'hostler-flanneld.service';
export const SUBNET_FILE = '/run/flannel/subnet.env';

const FOLDER = '/etc/hostler/flannel';
const UNIT_FILE = `/etc/systemd/system/${UNIT}`;
/** The first line names the network. */
const ENV_FILE = `${FOLDER}/flanneld.env`;
/** Exists while flanneld must be restarted with the new configuration. */
const CHANGED_MARKER = `${FOLDER}/changed`;

/** Exit statuses for problems that a user must solve; the last line of standard error describes the problem. */
const [EXIT_CONFLICT, EXIT_MISSING] = [3, 4];
export const NO_CLIENT_MODE =
  'flannel removed its client mode in 0.8.0, and the flanneld on this host does not support --remote';

// The marker is created first: an interruption between the two commands then causes an unnecessary restart, not a stale
// configuration.
const REPLACE_FILE = `replace_file() {
  if [ -f "$1" ] && [ "$(cat "$1")" = "$(cat "$1.new")" ]; then rm -f "$1.new"; return; fi
  : >${CHANGED_MARKER}
  mv -f "$1.new" "$1"
}`;

// Without an environment file, a join was interrupted before flanneld started; any network may then remove it.
const IS_FOR_OTHER_NETWORK = `belongs_to_other_network() {
  first=
  if [ -f ${ENV_FILE} ]; then read -r first <${ENV_FILE} || :; fi
  [ -n "$first" ] && [ "$first" != "# network $1" ]
}`;

// The environment file is removed last: while it exists, something may be left to remove. Other files in the folder
// stay. Also removes the vxlan link and the host-gw routes that flanneld leaves behind. These routes are inside the
// flannel network and have the prefix length of the subnet; other routes are not from flannel.
const REMOVE_ALL = `remove_all() {
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
    ip -4 route show root "$network" | while read -r target type rest; do
      case "$type $target" in "via "*/"$length") ip -4 route delete "$target" via "\${rest%% *}" ;; esac
    done
  fi
  rm -f ${SUBNET_FILE}
  rmdir /run/flannel 2>/dev/null || :
  rm -f ${CHANGED_MARKER} ${ENV_FILE}.new ${ENV_FILE}
  rmdir ${FOLDER} /etc/hostler 2>/dev/null || :
}`;

// Does not wait until flanneld is ready; the ready query does. Sets the interface if the host has its address on a
// link; behind NAT no link has it, and flanneld uses the default route. An installation for another network is removed
// first, because its link, routes and subnet would remain.
/** Arguments: network name, required flag or `''`, host address or `''`, files that flanneld reads, `--`, variables. */
export const INSTALL_FLANNELD = `set -eu
umask 077
fail() { printf '%s\\n' "$2" >&2; exit "$1"; }
${REPLACE_FILE}
${IS_FOR_OTHER_NETWORK}
${REMOVE_ALL}
network_name=$1 required_flag=$2 address=$3
shift 3
flanneld=$(PATH=$PATH:/usr/local/bin:/opt/bin; command -v flanneld) || flanneld=
if [ -n "$required_flag" ]; then
  case $([ -z "$flanneld" ] || "$flanneld" --help 2>&1 || :) in
    *"-$required_flag"[\\ =]*) ;;
    *) fail ${EXIT_PERMANENT_FAILURE} '${NO_CLIENT_MODE}' ;;
  esac
fi
[ -n "$flanneld" ] || fail ${EXIT_MISSING} 'flanneld was not found in PATH or /opt/bin: install flannel on the host'
command -v systemctl >/dev/null || fail ${EXIT_MISSING} 'systemctl was not found: flannel requires systemd'
for other in flanneld.service flannel.service; do
  if systemctl is-active --quiet "$other"; then
    fail ${EXIT_CONFLICT} "$other is running on this host, and only one flanneld can run: disable it"
  fi
done
while [ "$1" != -- ]; do
  [ -f "$1" ] || fail ${EXIT_MISSING} "$1 does not exist on the host: flanneld needs it to connect to etcd"
  shift
done
shift
if belongs_to_other_network "$network_name"; then remove_all; fi
mkdir -p ${FOLDER}
printf '# network %s\\n' "$network_name" >${ENV_FILE}.new
if [ -n "$address" ] && [ -n "$(ip -o address show to "$address" 2>/dev/null)" ]; then
  printf 'FLANNELD_IFACE=%s\\n' "$address" >>${ENV_FILE}.new
fi
printf '%s\\n' "$@" >>${ENV_FILE}.new
replace_file ${ENV_FILE}
printf '%s\\n' '[Unit]' 'Description=flannel, set up by Hostler' 'Wants=network-online.target' 'After=network-online.target' \\
  '[Service]' 'Type=notify' 'TimeoutStartSec=infinity' 'EnvironmentFile=${ENV_FILE}' "ExecStart=$flanneld" \\
  'Restart=on-failure' 'RestartSec=5' '[Install]' 'WantedBy=multi-user.target' >${UNIT_FILE}.new
chmod 644 ${UNIT_FILE}.new
replace_file ${UNIT_FILE}
if [ -e ${CHANGED_MARKER} ]; then
  systemctl daemon-reload
  systemctl enable ${UNIT}
  systemctl restart --no-block ${UNIT}
  rm -f ${CHANGED_MARKER}
else
  systemctl start --no-block ${UNIT}
fi`;

export const REMOVE_FLANNELD = `set -eu
[ -e ${UNIT_FILE} ] || [ -e ${ENV_FILE} ] || [ -e ${ENV_FILE}.new ] || exit 0
${IS_FOR_OTHER_NETWORK}
${REMOVE_ALL}
if belongs_to_other_network "$1"; then exit 0; fi
remove_all`;
