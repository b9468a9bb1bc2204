// The simulator behaves like the real rpm-ostree (checked against its source code) wherever an operation depends on it.

import { describe, expect, test } from 'vitest';
import { assertDefined } from '../../../test/conformance/simulated-host.ts';
import { FixtureMachine, ROOT } from '../../../test/harness/simulation/fixture-machine.ts';
import type { Argv } from '../../domain/command.ts';
import { decodeText } from '../../drivers/os/command-output.ts';
import { simulatedRpmOstree } from './rpm-ostree.ts';

const DIGEST = `sha256:${'5'.repeat(64)}`;
const FINALIZE: Argv = ['rpm-ostree', 'finalize-deployment'];
const coreos = assertDefined(simulatedRpmOstree.templates['coreos']);

describe('simulated rpm-ostree', () => {
  const openMachine = () => {
    const machine = new FixtureMachine(coreos);
    const run = (...argv: Argv) => {
      const result = simulatedRpmOstree.execute(machine, argv, ROOT);
      return result && [result.exitCode, decodeText(result.stderr)];
    };
    return { machine, run };
  };

  test('locks a staged deployment only with --lock-finalization', () => {
    const { machine, run } = openMachine();
    run('rpm-ostree', 'deploy', '--lock-finalization', 'version=43.1');
    expect(machine.staged).toMatchObject({ version: '43.1', isLocked: true });
    run('rpm-ostree', 'deploy', 'version=43.2');
    expect(machine.staged).toMatchObject({ version: '43.2', isLocked: false });
  });

  test('does not change an already staged deployment, even if it is unlocked', () => {
    const { machine, run } = openMachine();
    run('rpm-ostree', 'upgrade');
    const staged = { ...machine.staged };
    expect(run('rpm-ostree', 'upgrade', '--lock-finalization')).toEqual([0, '']);
    expect(machine.staged).toEqual(staged);
    expect(machine.staged?.isLocked).toBe(false);
  });

  test('drops a locked deployment at boot and applies an unlocked one', () => {
    const { machine, run } = openMachine();
    run('rpm-ostree', 'deploy', '--lock-finalization', 'version=43.1');
    machine.boot();
    expect([machine.booted?.version, machine.staged]).toEqual([coreos.deployment?.version, undefined]);
    run('rpm-ostree', 'deploy', 'version=43.1');
    machine.boot();
    expect([machine.booted?.version, machine.staged]).toEqual(['43.1', undefined]);
  });

  test('finalizes only the staged checksum', () => {
    const { machine, run } = openMachine();
    expect(run(...FINALIZE, DIGEST)).toEqual([1, 'error: No pending staged deployment found\n']);
    run('rpm-ostree', 'deploy', '--lock-finalization', 'version=43.1');
    expect(run(...FINALIZE, DIGEST)).toEqual([
      1,
      `error: Expected staged base checksum ${DIGEST}, but found ${machine.staged?.checksum}\n`,
    ]);
    expect([machine.staged?.isLocked, machine.rebootRequested]).toEqual([true, false]);
    expect(run(...FINALIZE, machine.staged?.checksum ?? '')).toEqual([0, '']);
    expect([machine.staged?.isLocked, machine.rebootRequested]).toEqual([false, true]);
  });

  test('finalizes an unlocked deployment only with --allow-unlocked', () => {
    const { machine, run } = openMachine();
    run('rpm-ostree', 'deploy', 'version=43.1');
    const checksum = machine.staged?.checksum ?? '';
    expect(run(...FINALIZE, checksum)).toEqual([1, 'error: Staged deployment already unlocked\n']);
    expect(machine.rebootRequested).toBe(false);
    expect(run(...FINALIZE, '--allow-unlocked', checksum)).toEqual([0, '']);
    expect(machine.rebootRequested).toBe(true);
  });
});
