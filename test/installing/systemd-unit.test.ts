import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT } from '../harness/programs/process.ts';
import { describeWithPrograms } from '../harness/vitest/conditional-suites.ts';

const UNIT = path.join(PROJECT, 'contrib/systemd/hostler.service');
/** The rest is the network, which the service needs, and the machine code of V8. */
const MAX_EXPOSURE = 1.3;

describeWithPrograms('the systemd unit', ['systemd-analyze'], () => {
  test('is sandboxed as documented', () => {
    const args = ['security', '--offline=true', '--no-pager', UNIT];
    const { stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    const [, score] = /Overall exposure level for hostler\.service: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(score), stdout).toBeLessThanOrEqual(MAX_EXPOSURE);
  });

  test('has no unknown settings', () => {
    const args = ['verify', '--man=no', '--recursive-errors=no', UNIT];
    const { stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    expect(stderr).not.toMatch(/hostler\.service:\d+:/);
  });
});
