import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { describeUnless } from '../harness/describe-unless.ts';
import { problemWithPrograms } from '../harness/programs/missing-programs.ts';
import { PROJECT } from '../harness/programs/process.ts';

const UNIT = path.join(PROJECT, 'contrib/systemd/hostler.service');
/** What is left is the network, which it is there for, and machine code that V8 makes. */
const MOST_EXPOSED = 1.3;

describeUnless(
  problemWithPrograms(['systemd-analyze --version']),
  'there is no systemd',
  'the systemd unit',
  () => {
    test('is closed off as far as the documents say', () => {
      const args = ['security', '--offline=true', '--no-pager', UNIT];
      const { stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
      const [, score] = /Overall exposure level for hostler\.service: ([\d.]+)/.exec(stdout) ?? [];
      expect(Number(score), stdout).toBeLessThanOrEqual(MOST_EXPOSED);
    });

    test('has no line that systemd does not know', () => {
      const args = ['verify', '--man=no', '--recursive-errors=no', UNIT];
      const { stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
      expect(stderr).not.toMatch(/hostler\.service:\d+:/);
    });
  },
);
