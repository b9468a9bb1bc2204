// docs/tutorial.md, played as it is: its commands in one shell, and what it shows is what they print.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import { containedWithUs, runTool, toolEnvironment } from '../harness/hosts/run-tool.ts';
import { PROJECT } from '../harness/programs/process.ts';
import { playWalkthrough } from '../harness/walkthrough/play-walkthrough.ts';

const TEST_MS = 900_000;
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
    const text = readFileSync(path.join(PROJECT, 'docs/tutorial.md'), 'utf8');
    const env = toolEnvironment({ HOME: home ?? '' });
    const lines: number[] = [];
    const onStep = ({ line }: { readonly line: number }) => lines.push(line);
    await playWalkthrough(text, { shell: containedWithUs(['bash']), cwd: PROJECT, env, onStep });
    expect(lines.length).toBeGreaterThan(15);
  });
});
