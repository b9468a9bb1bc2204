// How a host becomes an agent. What must hold: the token is in the configuration file only; done again, it changes nothing; what is
// downloaded is run only if it has the digest that people gave.

import { Secret } from '../../../domain/secret.ts';
import { harmless } from '../../../lib/text/harmless.ts';
import type { HostTask, TaskHost } from '../../host-task.ts';
import { AGENT_FILES, MARK, OWNER, UNIT } from './agent-files.ts';
import type { K3sSettings } from './k3s-settings.ts';
import { askProblems, joinProblems } from './k3s-settings.ts';

/** A connection may break while it is sent. */
const LAST_LINE = '# end';

/** Reads the configuration, which k3s merges with what people have written beside it. */
const CONFIGURE = `set -eu
${AGENT_FILES}
! has_server || fail 'the host runs a k3s server and cannot be an agent of another cluster'
mkdir -p "$folder/config.yaml.d"
umask 077
cat >"$folder/hostler.new"
[ "$(tail -n 1 "$folder/hostler.new")" = '${LAST_LINE}' ] || fail 'the configuration was not received completely'
if [ "$(cat "$folder/hostler.new")" = "$(cat "$config" 2>/dev/null)" ]; then
  rm -f "$folder/hostler.new"
else
  : >"$pending"
  mv "$folder/hostler.new" "$config"
fi`;

/** Takes a URL and a SHA-256, or nothing. Not waited for: an agent is up when its server has answered. */
const START = `set -eu
${AGENT_FILES}
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
if ! systemctl cat ${UNIT} >/dev/null 2>&1 || grep -qsxF '${MARK}' "$unit"; then
  text="${MARK}
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

/** YAML, of which JSON's strings are a part. */
const configurationOf = (name: string, server: string, token: Secret, { address }: TaskHost): Secret =>
  new Secret(
    [
      MARK,
      `${OWNER}${name}`,
      `server: ${JSON.stringify(server)}`,
      `token: ${JSON.stringify(token.reveal())}`,
      `node-ip: ${JSON.stringify(address)}`,
      LAST_LINE,
      '',
    ].join('\n'),
  );

/** Throws where the options do not allow anybody to join. */
export function k3sJoinTask(settings: K3sSettings, host: TaskHost): HostTask {
  const { name, serverUrl, token, download } = settings;
  const [problem] = [...askProblems(settings), ...joinProblems(settings)];
  if (problem !== undefined || token === undefined) throw new Error(problem);
  const server = new URL(serverUrl).origin;
  return {
    needs: ['systemctl'],
    hint: 'k3s agents require systemd',
    commands: [
      { argv: ['sh', '-c', CONFIGURE, 'sh'], input: configurationOf(name, server, token, host) },
      { argv: ['sh', '-c', START, 'sh', ...(download ? [download.url, download.sha256] : [])] },
    ],
    proof: {
      argv: ['systemctl', 'is-active', UNIT],
      read({ exitCode, stdout }) {
        if (exitCode === 0) return '';
        const state = harmless(stdout);
        return state === '' ? undefined : `${UNIT} is ${state}; see journalctl -u k3s-agent on the host`;
      },
    },
  };
}
