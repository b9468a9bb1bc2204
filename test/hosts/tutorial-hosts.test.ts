// Error cases of the tutorial script in an isolated environment: its own network, /run and /var/lib, and fake
// programs for slow tools. test/hosts/tutorial.long.test.ts covers the success case.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROJECT } from '../harness/programs/process.ts';
import { toolEnvironment, tryTool, withParentDeathSignal } from '../harness/programs/run-tool.ts';
import { describeOnRealHosts } from '../harness/real-hosts/describe-on-real-hosts.ts';

const HOSTS = path.join(PROJECT, 'contrib/tutorial/hosts.sh');
const MACHINE = `mount -t tmpfs tmpfs /var/lib
mount -t tmpfs tmpfs /run
ip link set lo up
`;
const PRINT_LEFTOVERS = '\nhas_ended=$?; ls /var/lib; ip -brief link show type bridge; exit $has_ended';

describeOnRealHosts('the tutorial script', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-tutorial-hosts-'));
    mkdirSync(path.join(folder, 'bin'));
    writeFileSync(path.join(folder, 'key.pub'), 'ssh-ed25519 AAAA admin\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const fakeProgram = (program: string, script: string) =>
    writeFileSync(path.join(folder, 'bin', program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

  const onMachine = (script: string) =>
    tryTool(
      withParentDeathSignal([
        ...(['unshare', '--mount', '--net', '--pid', '--mount-proc', '--fork', '--kill-child'] as const),
        ...['sh', '-c', MACHINE + script],
      ]),
      { env: { PATH: `${path.join(folder, 'bin')}:${toolEnvironment()['PATH']}` } },
    );

  const up = (before = '') => onMachine(`${before}\n${HOSTS} up ${folder}/key.pub${PRINT_LEFTOVERS}`);

  test.each([
    ['the same network', '10.98.76.0/24'],
    ['a part of the network', '10.98.76.128/25'],
    ['a network that contains it', '10.0.0.0/8'],
  ])('creates nothing when the machine has a route to %s', async (_case, network) => {
    fakeProgram('mmdebstrap', 'echo built');
    const result = await up(`ip route add ${network} dev lo`);
    expect(result).toMatchObject({ exitCode: 1, stdout: '' });
    expect(result.stderr).toContain(`10.98.76.0/24 is already in use: ${network} dev lo`);
  });

  test('uses the apt proxies of a machine with a default route without exposing them', async () => {
    const proxies = 'Acquire::http::Proxy "http://me:secret@proxy:3142";\nAcquire::https::Proxy "DIRECT";\n';
    fakeProgram('apt-config', `cat <<'END'\nAPT::Architecture "amd64";\n${proxies}END`);
    fakeProgram(
      'mmdebstrap',
      `for option; do case $option in --aptopt=*) stat -c %a "\${option#*=}"; cat "\${option#*=}" ;; *secret*) echo shown ;; esac; done\nexit 7`,
    );
    const result = await up('ip route add default dev lo');
    expect(result).toMatchObject({ exitCode: 7, stdout: `600\n${proxies}hostler-tutorial\n` });
  });

  test('reports why a host did not boot and names the console log', async () => {
    // The image has no mount points.
    fakeProgram(
      'mmdebstrap',
      'cd /var/lib/hostler-tutorial; mkdir -p image/sbin image/root image/etc/apt image/etc/ssh/sshd_config.d',
    );
    const result = await up();
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toMatch(
      /one did not boot.*\n.*hostler-tutorial\/one\/console.*\n.*mount: .*\/one\/root\/proc/,
    );
    expect(result.stderr).toContain('hosts.sh down');
  });

  test.each(['keep_up', 'boot'])('rejects the internal command %s', async command => {
    const result = await onMachine(`${HOSTS} ${command} one`);
    expect(result).toMatchObject({ exitCode: 1, stderr: `hosts.sh: ${command} is an internal command\n` });
  });
});
