// docs/tutorial.md, played as it is: its commands in one shell, and what it shows is what they print.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import { containedWithUs, runTool, toolEnvironment } from '../harness/hosts/run-tool.ts';
import { PROJECT } from '../harness/process.ts';
import { playWalkthrough } from '../harness/walkthrough/play-walkthrough.ts';

const TEST_MS = 900_000;

describeOnRealHosts('the tutorial', () => {
  let home: string;

  beforeAll(() => {
    home = mkdtempSync(path.join(tmpdir(), 'hostler-tutorial-'));
  });

  /** What is left of one that was broken off; its processes have ended with the shell. */
  afterAll(async () => {
    await runTool([path.join(PROJECT, 'contrib/tutorial/hosts.sh'), 'down']);
    rmSync(home, { recursive: true, force: true });
  });

  test('does and prints what it says', { timeout: TEST_MS }, async () => {
    const text = readFileSync(path.join(PROJECT, 'docs/tutorial.md'), 'utf8');
    const env = toolEnvironment({ HOME: home });
    const lines: number[] = [];
    const onStep = ({ line }: { readonly line: number }) => lines.push(line);
    await playWalkthrough(text, { shell: containedWithUs(['bash']), cwd: PROJECT, env, onStep });
    expect(lines.length).toBeGreaterThan(15);
  });
});
