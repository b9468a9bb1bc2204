// What brings flanneld up on a host as a service of our own, and takes it away again: POSIX shell scripts for dash, bash and busybox.
// They may be broken off anywhere and run again. What must hold: a flanneld that runs is started anew only when what it was started
// with has changed; where nothing of ours is, nothing is touched.

import { NEVER } from '../../domain/command.ts';

export const UNIT = 'hostler-flanneld.service';
export const FOLDER = '/etc/hostler/flannel';
export const SUBNET_FILE = '/run/flannel/subnet.env';

const UNIT_FILE = `/etc/systemd/system/${UNIT}`;
/** There while flanneld has yet to be started with what was written. */
const CHANGED = `${FOLDER}/changed`;

export const FILES = { ca: 'ca.pem', certificate: 'certificate.pem', key: 'key.pem' } as const;

/** With these it says what people have to do; the last line has it in words. */
const [IN_THE_WAY, MISSING] = [3, 4];
export const NO_CLIENT_MODE =
  'flannel removed its client mode in 0.8.0, and this host has no flanneld that still knows --remote';

// The mark comes first: whoever is broken off between the two starts flanneld anew for nothing, and never leaves it with the old.
const PLACE = `place() {
  if [ -f "$1" ] && [ "$(cat "$1")" = "$(cat "$1.new")" ]; then rm -f "$1.new"; return; fi
  : >${CHANGED}
  mv -f "$1.new" "$1"
}`;

/** Keeps what it reads in a file that is called as its argument says. */
export const KEEP = `set -eu
umask 077
mkdir -p ${FOLDER}
${PLACE}
cat >"${FOLDER}/$1.new"
place "${FOLDER}/$1"`;

// Who waits to be ready is not waited for here: that is what the proof is for. Where the host has its address on a link, that link is
// the one to use; behind a translator of addresses none has it, and flanneld takes the one of the default route.
/**
 * Gets an option that flanneld must know, and the address of the host, each `''` for none; the variables that it is given; and, behind
 * --, the files that it reads.
 */
export const ENTER = `set -eu
umask 077
say() { printf '%s\\n' "$2" >&2; exit "$1"; }
flanneld=$(PATH=$PATH:/usr/local/bin:/opt/bin; command -v flanneld) || flanneld=
if [ -n "$1" ]; then
  case $([ -z "$flanneld" ] || "$flanneld" --help 2>&1 || :) in
    *"-$1"[\\ =]*) ;;
    *) say ${NEVER} '${NO_CLIENT_MODE}' ;;
  esac
fi
[ -n "$flanneld" ] || say ${MISSING} 'there is no flanneld in PATH or /opt/bin: install flannel on the host'
command -v systemctl >/dev/null || say ${MISSING} 'there is no systemctl: flannel is run by systemd'
for other in flanneld.service flannel.service; do
  if systemctl is-active --quiet "$other"; then
    say ${IN_THE_WAY} "$other runs on this host, and two flanneld cannot share it: disable that one"
  fi
done
mkdir -p ${FOLDER}
${PLACE}
: >${FOLDER}/flanneld.env.new
if [ -n "$2" ] && [ -n "$(ip -o address show to "$2" 2>/dev/null)" ]; then
  printf 'FLANNELD_IFACE=%s\\n' "$2" >>${FOLDER}/flanneld.env.new
fi
shift 2
while [ "$1" != -- ]; do printf '%s\\n' "$1" >>${FOLDER}/flanneld.env.new; shift; done
place ${FOLDER}/flanneld.env
for file in ${Object.values(FILES).join(' ')}; do
  case " $* " in *" $file "*) ;; *) rm -f "${FOLDER}/$file" ;; esac
done
printf '%s\\n' '[Unit]' 'Description=flannel, set up by Hostler' 'Wants=network-online.target' 'After=network-online.target' \\
  '[Service]' 'Type=notify' 'TimeoutStartSec=infinity' 'EnvironmentFile=${FOLDER}/flanneld.env' "ExecStart=$flanneld" \\
  'Restart=on-failure' 'RestartSec=5' '[Install]' 'WantedBy=multi-user.target' >${UNIT_FILE}.new
chmod 644 ${UNIT_FILE}.new
place ${UNIT_FILE}
if [ -e ${CHANGED} ]; then
  systemctl daemon-reload
  systemctl enable ${UNIT}
  systemctl restart --no-block ${UNIT}
  rm -f ${CHANGED}
else
  systemctl start --no-block ${UNIT}
fi`;

// The folder goes last: as long as it is there, something may be left to undo. What flanneld leaves behind when it is stopped is undone
// too: the link of vxlan, and the routes of host-gw to the subnets of others. These lie in flannel's network, and are all of one length;
// other routes are somebody else's.
export const LEAVE = `set -eu
[ -e ${UNIT_FILE} ] || [ -d ${FOLDER} ] || exit 0
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
rm -rf ${FOLDER}
rmdir /etc/hostler 2>/dev/null || :`;
