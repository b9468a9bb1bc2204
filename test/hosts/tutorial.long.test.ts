// docs/getting-started/tutorial.md, typed as it is: nothing is replaced, and what it shows is what was said. When its hosts are there it is also tried
// whether they are kept in, as it says of them.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { readThrough } from '../harness/documents/read-through.ts';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import { containedWithUs, runTool, toolEnvironment } from '../harness/hosts/run-tool.ts';
import { PROJECT } from '../harness/programs/process.ts';

const TEST_MS = 900_000;
/** The first build of a system may take some minutes on a slow machine. */
const BLOCK_MS = 600_000;
const HOSTS = 'contrib/tutorial/hosts.sh';
const LAB = '/var/lib/hostler-tutorial';
/** What would reach the machine itself. Each does no harm where it succeeds. */
const BEYOND_A_HOST = `(${[
  ...['mount -t tmpfs tmpfs /mnt', 'umount /sys', 'mknod /root/disk b 8 0', 'hostname one'],
  ...['true >>/proc/sys/kernel/domainname', 'true >>/proc/sysrq-trigger'],
].join(' || ')}) 2>/dev/null || echo kept in`;
/** By its console, and by SSH. */
const KEPT_IN = [
  `${HOSTS} console one sh -c '${BEYOND_A_HOST}' > ~/kept-in`,
  `ssh -i ~/hostler-tutorial/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null root@10.98.76.11 '${BEYOND_A_HOST}' >> ~/kept-in 2>/dev/null`,
  '[ "$(grep -c "^kept in$" ~/kept-in)" = 2 ]',
].join('\n');
/** Under systemd mounts are shared, which scripts with namespaces have to bear. */
const SHELL = ['sh', '-c', 'mount --make-rshared / && exec bash'] as const;

describeOnRealHosts('the tutorial', () => {
  let home: string | undefined;

  beforeAll(() => {
    // They may be somebody's who is following it.
    if (existsSync(LAB)) throw new Error(`there are hosts in ${LAB}; remove them by ${HOSTS} down`);
    home = mkdtempSync(path.join(tmpdir(), 'hostler-tutorial-'));
  });

  afterAll(async () => {
    if (home === undefined) return;
    // What is left of one that was broken off; its processes have ended with the shell.
    await runTool([path.join(PROJECT, HOSTS), 'down']);
    rmSync(home, { recursive: true, force: true });
  });

  test('does and prints what it says', { timeout: TEST_MS }, async () => {
    const environment = toolEnvironment({ HOME: home ?? '' });
    const terminal = { shell: containedWithUs(SHELL), cwd: PROJECT, environment };
    const rules = [{ has: `${HOSTS} console one greeter`, typedAs: (text: string) => `${text}\n${KEPT_IN}` }];
    await readThrough('docs/getting-started/tutorial.md', { terminal }, { deadlineMs: BLOCK_MS, rules });
  });
});
