// Runs docs/getting-started/tutorial.md as written and compares the output. It also checks that the hosts of
// the tutorial are isolated from the machine.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { runDocument } from '../harness/documents/run-document.ts';
import { PROJECT } from '../harness/programs/process.ts';
import { inOwnNamespaces, runTool, toolEnvironment } from '../harness/programs/run-tool.ts';
import { describeOnRealHosts } from '../harness/real-hosts/describe-on-real-hosts.ts';

const TEST_MS = 900_000;
/** The first build of a system can take minutes on a slow machine. */
const BLOCK_MS = 600_000;
const HOSTS = 'contrib/tutorial/hosts.sh';
const HOSTS_FOLDER = '/var/lib/hostler-tutorial';
/** Commands that would affect the machine itself. Each is harmless if it succeeds. */
const ESCAPE_ATTEMPTS = `(${[
  ...['mount -t tmpfs tmpfs /mnt', 'umount /sys', 'mknod /root/disk b 8 0', 'hostname one'],
  ...['true >>/proc/sys/kernel/domainname', 'true >>/proc/sysrq-trigger'],
].join(' || ')}) 2>/dev/null || echo isolated`;
/** Through the console and over SSH. */
const CHECK_ISOLATION = [
  `${HOSTS} console one sh -c '${ESCAPE_ATTEMPTS}' > ~/isolation`,
  `ssh -i ~/hostler-tutorial/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null root@10.98.76.11 '${ESCAPE_ATTEMPTS}' >> ~/isolation 2>/dev/null`,
  '[ "$(grep -c "^isolated$" ~/isolation)" = 2 ]',
].join('\n');
/** Under systemd mounts are shared, so the script must work with shared mounts. */
const SHELL = ['sh', '-c', 'mount --make-rshared / && exec bash'] as const;

describeOnRealHosts('the tutorial', () => {
  let home: string | undefined;

  beforeAll(() => {
    // An administrator may be following the tutorial.
    if (existsSync(HOSTS_FOLDER)) throw new Error(`hosts exist in ${HOSTS_FOLDER}; remove them with ${HOSTS} down`);
    home = mkdtempSync(path.join(tmpdir(), 'hostler-tutorial-'));
  });

  afterAll(async () => {
    if (home === undefined) return;
    // Removes the hosts of an interrupted run. Its processes ended with the shell.
    await runTool([path.join(PROJECT, HOSTS), 'down']);
    rmSync(home, { recursive: true, force: true });
  });

  test('runs and prints what the document shows', { timeout: TEST_MS }, async () => {
    const environment = toolEnvironment({ HOME: home ?? '' });
    const terminal = { shell: inOwnNamespaces(SHELL), cwd: PROJECT, environment };
    const rules = [
      { contains: `${HOSTS} console one greeter`, rewrite: (text: string) => `${text}\n${CHECK_ISOLATION}` },
    ];
    await runDocument('docs/getting-started/tutorial.md', { terminal }, { deadlineMs: BLOCK_MS, rules });
  });
});
