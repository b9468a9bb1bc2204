// docs/tutorial.md, typed as it is: nothing is replaced, and what it shows is what was said.

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
    const terminal = { shell: containedWithUs(['bash']), cwd: PROJECT, environment };
    await readThrough('docs/tutorial.md', { terminal }, { deadlineMs: BLOCK_MS });
  });
});
