// The script of the tutorial where something is wrong, on a machine that is only pretended: a network, a /run and a /var/lib of its own, and
// programs of the test in place of what would take long. test/hosts/tutorial.long.test.ts has it where all is well.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import { dyingWithUs, toolEnvironment, tryTool } from '../harness/hosts/run-tool.ts';
import { PROJECT } from '../harness/programs/process.ts';

const HOSTS = path.join(PROJECT, 'contrib/tutorial/hosts.sh');
const MACHINE = `mount -t tmpfs tmpfs /var/lib
mount -t tmpfs tmpfs /run
ip link set lo up
`;
const LEFT = '\nhas_ended=$?; ls /var/lib; ip -brief link show type bridge; exit $has_ended';

describeOnRealHosts('the script of the tutorial', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-tutorial-hosts-'));
    mkdirSync(path.join(folder, 'bin'));
    writeFileSync(path.join(folder, 'key.pub'), 'ssh-ed25519 AAAA somebody\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const pretend = (program: string, script: string) =>
    writeFileSync(path.join(folder, 'bin', program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

  const onMachine = (script: string) =>
    tryTool(
      dyingWithUs([
        ...(['unshare', '--mount', '--net', '--pid', '--mount-proc', '--fork', '--kill-child'] as const),
        ...['sh', '-c', MACHINE + script],
      ]),
      { env: { PATH: `${path.join(folder, 'bin')}:${toolEnvironment()['PATH']}` } },
    );

  const up = (before = '') => onMachine(`${before}\n${HOSTS} up ${folder}/key.pub${LEFT}`);

  test.each([
    ['the same network', '10.98.76.0/24'],
    ['a part of it', '10.98.76.128/25'],
    ['one that has it', '10.0.0.0/8'],
  ])('makes nothing on a machine that knows %s', async (_what, network) => {
    pretend('mmdebstrap', 'echo it was built');
    const ran = await up(`ip route add ${network} dev lo`);
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain(`10.98.76.0/24 is already in use: ${network} dev lo`);
  });

  test('takes the proxies of apt from a machine with a default route, and shows them to nobody', async () => {
    const proxies = 'Acquire::http::Proxy "http://me:secret@proxy:3142";\nAcquire::https::Proxy "DIRECT";\n';
    pretend('apt-config', `cat <<'END'\nAPT::Architecture "amd64";\n${proxies}END`);
    pretend(
      'mmdebstrap',
      `for option; do case $option in --aptopt=*) stat -c %a "\${option#*=}"; cat "\${option#*=}" ;; *secret*) echo shown ;; esac; done\nexit 7`,
    );
    const ran = await up('ip route add default dev lo');
    expect(ran).toMatchObject({ exitCode: 7, stdout: `600\n${proxies}hostler-tutorial\n` });
  });

  test('says why a host did not boot, and where more is to be read', async () => {
    // It has nowhere to mount anything.
    pretend(
      'mmdebstrap',
      'cd /var/lib/hostler-tutorial; mkdir -p image/sbin image/root image/etc/apt image/etc/ssh/sshd_config.d',
    );
    const ran = await up();
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(
      /one did not boot.*\n.*hostler-tutorial\/one\/console.*\n.*mount: .*\/one\/root\/proc/,
    );
    expect(ran.stderr).toContain('hosts.sh down');
  });

  test.each(['keep_up', 'boot'])('does not %s a host when somebody else asks', async command => {
    const ran = await onMachine(`${HOSTS} ${command} one`);
    expect(ran).toMatchObject({ exitCode: 1, stderr: `hosts.sh: ${command} is an internal command\n` });
  });
});
