import { scriptArgv } from '../../../domain/command.ts';
import { Secret } from '../../../domain/secret.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import type { CommandPlan, HostRef } from '../../command-plan.ts';
import type { K3sOptions } from './k3s-options.ts';
import { checkApiOptions, checkJoinOptions } from './k3s-options.ts';

const UNIT = 'k3s-agent.service';

/** First line of files that Hostler writes. A unit from the k3s installer is used unchanged. */
const MANAGED_HEADER = '# Written by Hostler. It is removed when the host leaves.';

/** Followed by the name of the container manager: a host can join another one before it leaves this one. */
const MANAGER_HEADER = '# For the container manager ';

/** `pending` exists while the agent needs a restart. `downloaded` has the path of a binary that Hostler downloaded. */
const AGENT_PATHS = `PATH=$PATH:/usr/local/bin:/opt/bin
folder=/etc/rancher/k3s
config=$folder/config.yaml.d/hostler.yaml
pending=$folder/hostler.pending
downloaded=$folder/hostler.downloaded
unit=/etc/systemd/system/${UNIT}
has_server() { [ -e /var/lib/rancher/k3s/server ] || systemctl cat k3s.service >/dev/null 2>&1; }
fail() { printf '%s\\n' "$1" >&2; exit 1; }`;

/** Detects a configuration that was truncated by a lost connection. */
const END_LINE = '# end';

/** Reads the configuration with the join token from standard input. k3s merges all files in config.yaml.d. */
const WRITE_CONFIG = `set -eu
${AGENT_PATHS}
! has_server || fail 'the host runs a k3s server and cannot be an agent of another cluster'
mkdir -p "$folder/config.yaml.d"
umask 077
cat >"$folder/hostler.new"
[ "$(tail -n 1 "$folder/hostler.new")" = '${END_LINE}' ] || fail 'the configuration was not received completely'
if [ "$(cat "$folder/hostler.new")" = "$(cat "$config" 2>/dev/null)" ]; then
  rm -f "$folder/hostler.new"
else
  : >"$pending"
  mv "$folder/hostler.new" "$config"
fi`;

/** Arguments: URL and SHA-256 of the binary, or none. --no-block: the start waits for the k3s server. */
const START_AGENT = `set -eu
${AGENT_PATHS}
k3s=$(command -v k3s || :)
if [ -z "$k3s" ]; then
  [ $# -eq 2 ] || fail 'k3s is not installed on the host: install it, or set binary_url and binary_sha256'
  command -v curl >/dev/null || fail 'k3s is not installed on the host, and curl is missing to download it'
  bin=/usr/local/bin
  (mkdir -p $bin && : >$bin/k3s.hostler) 2>/dev/null || bin=/opt/bin
  mkdir -p $bin
  k3s=$bin/k3s
  curl -fsSL --connect-timeout 30 --speed-limit 1 --speed-time 60 -o "$k3s.hostler" "$1" ||
    fail 'the download of k3s from binary_url failed'
  digest=$(sha256sum "$k3s.hostler")
  [ "\${digest%% *}" = "$2" ] || { rm -f "$k3s.hostler"; fail 'the file from binary_url does not match binary_sha256'; }
  chmod 755 "$k3s.hostler"
  printf '%s\\n' "$k3s" >"$downloaded"
  mv "$k3s.hostler" "$k3s"
fi
if ! systemctl cat ${UNIT} >/dev/null 2>&1 || grep -qsxF '${MANAGED_HEADER}' "$unit"; then
  text="${MANAGED_HEADER}
[Unit]
Description=k3s agent
Wants=network-online.target
After=network-online.target

[Service]
Type=notify
EnvironmentFile=-/etc/default/%N
EnvironmentFile=-/etc/sysconfig/%N
ExecStartPre=-/sbin/modprobe br_netfilter
ExecStartPre=-/sbin/modprobe overlay
ExecStart=$k3s agent
KillMode=process
Delegate=yes
LimitNOFILE=1048576
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
TimeoutStartSec=0
Restart=always
RestartSec=5s

[Install]
WantedBy=multi-user.target"
  if [ "$text" != "$(cat "$unit" 2>/dev/null)" ]; then
    : >"$pending"
    printf '%s\\n' "$text" >"$unit.new"
    mv "$unit.new" "$unit"
  fi
fi
if [ -e "$pending" ]; then systemctl daemon-reload; fi
systemctl -q is-enabled ${UNIT} || systemctl -q enable ${UNIT}
if [ -e "$pending" ]; then
  systemctl --no-block restart ${UNIT}
  rm -f "$pending"
else
  systemctl --no-block start ${UNIT}
fi`;

/** JSON strings are valid YAML. */
const renderConfig = (name: string, { server_url, token }: K3sOptions, { address }: HostRef): string =>
  [
    MANAGED_HEADER,
    `${MANAGER_HEADER}${name}`,
    `server: ${JSON.stringify(new URL(server_url).origin)}`,
    `token: ${JSON.stringify(token)}`,
    `node-ip: ${JSON.stringify(address)}`,
    END_LINE,
    '',
  ].join('\n');

export function k3sJoinPlan(name: string, options: K3sOptions, host: HostRef): CommandPlan {
  const [problem] = [...checkApiOptions(options), ...checkJoinOptions(options)];
  if (problem !== undefined) throw new Error(problem);
  const { binary_url, binary_sha256 = '' } = options;
  return {
    requires: { programs: ['systemctl'], installHint: 'k3s agents require systemd' },
    commands: [
      { argv: scriptArgv(WRITE_CONFIG), input: new Secret(renderConfig(name, options, host)) },
      { argv: scriptArgv(START_AGENT, ...(binary_url === undefined ? [] : [binary_url, binary_sha256])) },
    ],
    readyQuery: {
      argv: ['systemctl', 'is-active', UNIT],
      parse({ exitCode, stdout }) {
        if (exitCode === 0) return '';
        const state = sanitizeLine(stdout);
        return state === '' ? undefined : `${UNIT} is ${state}; see journalctl -u k3s-agent on the host`;
      },
    },
  };
}

/** A stopped agent leaves its containers running. Uses the script of the k3s installer if it is installed. */
const STOP_CONTAINERS = `tree() {
  for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do tree "$child"; done
  echo "$1"
}
stop_containers() {
  if command -v k3s-killall.sh >/dev/null; then
    k3s-killall.sh >/dev/null 2>&1 || :
    return
  fi
  pids=
  for process in /proc/[0-9]*; do
    case $(readlink "$process/exe" 2>/dev/null || :) in
      */k3s/data/*/bin/containerd-shim*) pids="$pids $(tree "\${process#/proc/}")" ;;
    esac
  done
  [ -z "$pids" ] || kill -9 $pids 2>/dev/null || :
  while read -r device mount rest; do
    case $mount in /run/k3s/* | /run/netns/cni-* | /var/lib/kubelet/*) printf '%s\\n' "$mount" ;; esac
  done </proc/mounts | sort -r |
    while read -r mount; do umount "$mount" || :; done
  # Another cluster has other addresses for it.
  ip link delete cni0 2>/dev/null || :
}`;

/** Argument: name of the container manager. Images and files of an installer stay. */
const REMOVE_AGENT = `set -eu
${AGENT_PATHS}
${STOP_CONTAINERS}
! has_server || exit 0
# It may have joined another since.
[ ! -e "$config" ] || grep -qxF "${MANAGER_HEADER}$1" "$config" || exit 0
if systemctl cat ${UNIT} >/dev/null 2>&1; then
  systemctl -q disable --now ${UNIT}
  stop_containers
fi
if grep -qsxF '${MANAGED_HEADER}' "$unit"; then
  rm -f "$unit"
  systemctl daemon-reload
fi
case $(cat "$downloaded" 2>/dev/null) in
  /usr/local/bin/k3s) rm -f /usr/local/bin/k3s ;;
  /opt/bin/k3s) rm -f /opt/bin/k3s ;;
esac
rm -f "$config" "$pending" "$downloaded" "$folder/hostler.new" /etc/rancher/node/password
rm -f /var/lib/rancher/k3s/agent/*.key /var/lib/rancher/k3s/agent/*.crt /var/lib/rancher/k3s/agent/*.kubeconfig`;

export const k3sLeavePlan = (name: string): CommandPlan => ({
  commands: [{ argv: scriptArgv(REMOVE_AGENT, name) }],
});
