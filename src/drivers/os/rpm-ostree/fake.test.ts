// A pretend host does what the sources of rpm-ostree say that a real one does, where an operation depends on it.

import { describe, expect, test } from 'vitest';
import type { Argv } from '../../../domain/command.ts';
import { PretendMachine, ROOT } from '../../pretend-machine.ts';
import { textOf } from '../answer-text.ts';
import { present } from '../pretend-host-conformance.ts';
import { rpmOstreeFake } from './fake.ts';

const DIGEST = `sha256:${'5'.repeat(64)}`;
const FINALIZE: Argv = ['rpm-ostree', 'finalize-deployment'];
const coreos = present(rpmOstreeFake.blueprints['coreos']);

describe('a pretend rpm-ostree', () => {
  const lab = () => {
    const machine = new PretendMachine(coreos);
    const run = (...argv: Argv) => {
      const ran = rpmOstreeFake.answer(machine, argv, ROOT);
      return ran && [ran.exitCode, textOf(ran.stderr)];
    };
    return { machine, run };
  };

  test('locks what it stages only if it is asked to', () => {
    const { machine, run } = lab();
    run('rpm-ostree', 'deploy', '--lock-finalization', 'version=43.1');
    expect(machine.staged).toMatchObject({ version: '43.1', isLocked: true });
    run('rpm-ostree', 'deploy', 'version=43.2');
    expect(machine.staged).toMatchObject({ version: '43.2', isLocked: false });
  });

  test('leaves what is staged already as it is, also unlocked', () => {
    const { machine, run } = lab();
    run('rpm-ostree', 'upgrade');
    const staged = { ...machine.staged };
    expect(run('rpm-ostree', 'upgrade', '--lock-finalization')).toEqual([0, '']);
    expect(machine.staged).toEqual(staged);
    expect(machine.staged?.isLocked).toBe(false);
  });

  test('drops a locked deployment when it boots, and applies another', () => {
    const { machine, run } = lab();
    run('rpm-ostree', 'deploy', '--lock-finalization', 'version=43.1');
    machine.boot();
    expect([machine.booted?.version, machine.staged]).toEqual([coreos.deployment?.version, undefined]);
    run('rpm-ostree', 'deploy', 'version=43.1');
    machine.boot();
    expect([machine.booted?.version, machine.staged]).toEqual(['43.1', undefined]);
  });

  test('finalizes only the checksum that is staged', () => {
    const { machine, run } = lab();
    expect(run(...FINALIZE, DIGEST)).toEqual([1, 'error: No pending staged deployment found\n']);
    run('rpm-ostree', 'deploy', '--lock-finalization', 'version=43.1');
    expect(run(...FINALIZE, DIGEST)).toEqual([
      1,
      `error: Expected staged base checksum ${DIGEST}, but found ${machine.staged?.checksum}\n`,
    ]);
    expect([machine.staged?.isLocked, machine.wantsReboot]).toEqual([true, false]);
    expect(run(...FINALIZE, machine.staged?.checksum ?? '')).toEqual([0, '']);
    expect([machine.staged?.isLocked, machine.wantsReboot]).toEqual([false, true]);
  });

  test('finalizes again only if it is allowed to', () => {
    const { machine, run } = lab();
    run('rpm-ostree', 'deploy', 'version=43.1');
    const checksum = machine.staged?.checksum ?? '';
    expect(run(...FINALIZE, checksum)).toEqual([1, 'error: Staged deployment already unlocked\n']);
    expect(machine.wantsReboot).toBe(false);
    expect(run(...FINALIZE, '--allow-unlocked', checksum)).toEqual([0, '']);
    expect(machine.wantsReboot).toBe(true);
  });
});
