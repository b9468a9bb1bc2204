// Runs the scripts on this machine in a private mount namespace with fake programs.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { IsolatedHost } from '../../../../test/harness/shells/isolated-host.ts';
import { describeOnEachShell, openIsolatedHost } from '../../../../test/harness/shells/isolated-host.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { Secret } from '../../../domain/secret.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { shellQuote } from '../../../lib/text.ts';
import type { HostCommand } from '../../command-plan.ts';
import { k3sJoinPlan, k3sLeavePlan } from './agent-plans.ts';

const BINARY = 'fake k3s';
const SHA256 = createHash('sha256').update(BINARY).digest('hex');
const SERVER = 'https://127.0.0.1:6443';
const CONFIG = '/etc/rancher/k3s/config.yaml.d/hostler.yaml';
const UNIT = '/etc/systemd/system/k3s-agent.service';
const SHIM = '/var/lib/rancher/k3s/data/x/bin/containerd-shim-runc-v2';

// Each program records its arguments. systemctl knows the units that exist as files; /run/fails makes systemctl restart
// and curl fail.
const PREPARE = `for folder in /etc /opt /var/lib /usr/local; do mount -t tmpfs tmpfs $folder; done
mkdir -p /etc/systemd/system /usr/local/bin /run/bin
program() { { printf '#!/bin/bash\\necho "\${0##*/} $*" >>/run/calls\\n'; cat; } >/run/bin/$1; chmod 755 /run/bin/$1; }
program systemctl <<'END'
case "$*" in
  cat*) [ -e "/etc/systemd/system/$2" ] ;;
  *is-enabled*) [ -e /run/enabled ] ;;
  *disable*) rm -f /run/enabled ;;
  *enable*) : >/run/enabled ;;
  *restart*) [ ! -e /run/fails ] ;;
esac
END
program curl <<'END'
[ ! -e /run/fails ] || exit 22
while [ "$1" != -o ]; do shift; done
printf %s '${BINARY}' >"$2"
END
program ip </dev/null`;

const CLEAN = 'umount -l /etc /opt /var/lib /usr/local 2>/dev/null; rm -rf /run/bin /run/calls /run/enabled /run/fails';

function joinCommands(additional: Readonly<Record<string, string>> = {}): readonly HostCommand[] {
  const token = `K10${'0a'.repeat(32)}::server:secret`;
  const options = { server_url: SERVER, token, api_token: 'x', ...additional };
  return k3sJoinPlan('nodes', options, {
    address: '127.0.0.1' as Address,
    hostname: 'n1',
  }).commands;
}
const download = (binary_sha256 = SHA256) => joinCommands({ binary_url: 'https://files.example/k3s', binary_sha256 });

describeOnEachShell('k3s agent scripts', shell => {
  let host: IsolatedHost;
  beforeAll(async () => {
    host = await openIsolatedHost(shell);
  });
  beforeEach(async () => void (await host.bash(`${CLEAN}\n${PREPARE}`)));
  afterAll(() => host.close());

  /** Runs the commands in order, without network access. Returns the standard error of the first one that fails. */
  async function run(commands: readonly HostCommand[]): Promise<string> {
    const lines = commands.map(({ argv, input }) =>
      ['printf %s', shellQuote(input?.reveal() ?? ''), '| unshare --net', ...argv.map(shellQuote)].join(' '),
    );
    const result = await host.connection.run(['bash', '-c', lines.join(' && ')], { timeoutMs: 10_000 });
    if (result instanceof TransportFailure) throw result;
    return result.exitCode === 0 ? '' : Buffer.from(result.stderr).toString().trim();
  }
  const leave = (name = 'nodes') => run(k3sLeavePlan(name).commands);

  /** Calls that change something, since the last call of this function. */
  async function changes(): Promise<readonly string[]> {
    const calls = await host.bash('cat /run/calls 2>/dev/null; rm -f /run/calls');
    return calls.split('\n').filter(call => call !== '' && !/^systemctl (cat|-q is-enabled) /.test(call));
  }
  const install = () => host.bash('printf x >/usr/local/bin/k3s; chmod 755 /usr/local/bin/k3s');
  const files = () => host.bash('find /etc /opt /usr/local /var/lib -type f -o -type l | sort');

  test('keep the agent of one container manager when the host leaves another', async () => {
    await install();
    expect(await run(joinCommands())).toBe('');
    await changes();
    expect(await leave('previous')).toBe('');
    expect(await changes()).toEqual([]);
    expect(await files()).toContain(CONFIG);
  });

  test('write the configuration with mode 600, create a unit and start it', async () => {
    await install();
    expect(await run(joinCommands())).toBe('');
    expect(await host.bash(`stat -c %a ${CONFIG}`)).toBe('600\n');
    expect(parse(await host.bash(`cat ${CONFIG}`))).toMatchObject({ server: 'https://127.0.0.1:6443' });
    expect(await host.bash(`cat ${UNIT}`)).toMatch(/^ExecStart=\/usr\/local\/bin\/k3s agent$/m);
    expect(await changes()).toEqual([
      'systemctl daemon-reload',
      'systemctl -q enable k3s-agent.service',
      'systemctl --no-block restart k3s-agent.service',
    ]);
  });

  test('do not change an agent that has joined already', async () => {
    await install();
    await run(joinCommands());
    await changes();
    const state = () => host.bash(`stat -c '%n %i %y' ${CONFIG} ${UNIT}; ls -A /etc/rancher/k3s`);
    const before = await state();
    expect(await run(joinCommands())).toBe('');
    expect(await state()).toBe(before);
    expect(await changes()).toEqual(['systemctl --no-block start k3s-agent.service']);
  });

  test('restart the agent for another server, also after a failed attempt', async () => {
    await install();
    await run(joinCommands());
    await host.bash(': >/run/fails');
    const other = joinCommands({ server_url: 'https://127.0.0.9' });
    await run(other);
    await host.bash('rm /run/fails');
    await changes();
    expect(await run(other)).toBe('');
    expect(await changes()).toContain('systemctl --no-block restart k3s-agent.service');
  });

  test('keep the configuration when a new one is truncated', async () => {
    await install();
    await run(joinCommands());
    const before = await host.bash(`cat ${CONFIG}`);
    const [configure] = joinCommands({ server_url: 'https://127.0.0.9' });
    const input = new Secret(configure?.input?.reveal().slice(0, -20) ?? '');
    expect(await run([{ argv: configure?.argv ?? ['false'], input }])).toMatch(/was not received completely/);
    expect(await host.bash(`cat ${CONFIG}`)).toBe(before);
  });

  test('do not change a host that runs a k3s server', async () => {
    await install();
    for (const file of ['/var/lib/rancher/k3s/server/token', '/etc/systemd/system/k3s.service']) {
      await host.bash(`mkdir -p ${file.replace(/[^/]+$/, '')}; : >${file}; : >/usr/local/bin/k3s-killall.sh`);
      const before = await files();
      expect(await run(joinCommands())).toMatch(/runs a k3s server/);
      expect(await leave()).toBe('');
      expect(await files()).toBe(before);
      await host.bash(`rm -r /var/lib/rancher`);
    }
    expect(await changes()).toEqual([]);
  });

  test('fail when k3s is not installed', async () => {
    expect(await run(joinCommands())).toMatch(/^k3s is not installed on the host: install it, or/);
    expect(await changes()).toEqual([]);
  });

  test.each([
    ['/usr/local/bin', 'true'],
    ['/opt/bin', 'mount -o remount,ro /usr/local'],
  ])('download k3s to %s and remove it on leave', async (folder, before) => {
    await host.bash(before);
    expect(await run(download())).toBe('');
    expect(await host.bash(`stat -c %a ${folder}/k3s; cat ${folder}/k3s`)).toBe(`755\n${BINARY}`);
    expect(await host.bash(`cat ${UNIT}`)).toContain(`ExecStart=${folder}/k3s agent\n`);
    await changes();
    expect(await run(download())).toBe('');
    expect(await changes()).toEqual(['systemctl --no-block start k3s-agent.service']);
    expect(await leave()).toBe('');
    expect(await files()).toBe('');
  });

  test.each([
    ['does not match the digest', 'true', download('b'.repeat(64)), /does not match binary_sha256/],
    ['is not available', ': >/run/fails', download(), /download of k3s .* failed/],
  ])('fail when the download %s', async (_case, before, commands, message) => {
    await host.bash(before);
    expect(await run(commands)).toMatch(message);
    expect(await host.bash('find /usr/local/bin /etc/systemd/system -type f')).not.toMatch(/k3s$/m);
    expect((await changes()).filter(call => call.startsWith('systemctl'))).toEqual([]);
  });

  test('remove only files of Hostler on leave', async () => {
    await install();
    const before = await files();
    await run(joinCommands());
    await host.bash(`mkdir -p /etc/rancher/node /var/lib/rancher/k3s/agent
      : >/etc/rancher/node/password; : >/var/lib/rancher/k3s/agent/client-kubelet.key`);
    await changes();
    expect(await leave()).toBe('');
    expect(await changes()).toEqual([
      'systemctl -q disable --now k3s-agent.service',
      // busybox has a builtin ip.
      ...(shell === 'busybox' ? [] : ['ip link delete cni0']),
      'systemctl daemon-reload',
    ]);
    expect(await files()).toBe(before);
    expect(await leave()).toBe('');
    expect(await changes()).toEqual([]);
  });

  test('keep the unit of the k3s installer and use its killall script on leave', async () => {
    await install();
    await host.bash(`echo '# their own' >${UNIT}
      printf '#!/bin/sh\\necho killall >>/run/calls; exit 1\\n' >/usr/local/bin/k3s-killall.sh
      chmod 755 /usr/local/bin/k3s-killall.sh`);
    expect(await run(joinCommands())).toBe('');
    expect(await leave()).toBe('');
    expect(await changes()).toContain('killall');
    expect(await files()).toBe(`${UNIT}\n/usr/local/bin/k3s\n/usr/local/bin/k3s-killall.sh\n`);
    expect(await host.bash(`cat ${UNIT}`)).toBe('# their own\n');
  });

  test('stop containers and remove their mounts on leave', async () => {
    await install();
    await run(joinCommands());
    await host.bash(`mkdir -p ${SHIM.replace(/[^/]+$/, '')} /run/k3s/rootfs /var/lib/kubelet/pods/a
      cp "$(command -v bash)" ${SHIM}; for folder in /run/k3s/rootfs /var/lib/kubelet/pods/a; do mount -t tmpfs tmpfs $folder; done`);
    const container = host.spawn([SHIM, '-c', 'sleep 4321 & wait']);
    const bystander = host.spawn(['sleep', '4322']);
    const sleeping = async () =>
      (await host.bash(`cat /proc/[0-9]*/cmdline | tr '\\0' ' '`)).match(/sleep 432\d/g)?.sort();
    await waitUntil('container start', async () => (await sleeping())?.includes('sleep 4321'));
    const ended = once(container, 'close');
    expect(await leave()).toBe('');
    await ended;
    expect(await sleeping()).toEqual(['sleep 4322']);
    expect(await host.bash('grep -E " /(run/k3s|var/lib/kubelet)/" /proc/mounts')).toBe('');
    bystander.kill('SIGKILL');
  });
});
