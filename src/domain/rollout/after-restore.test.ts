import { describe, expect, test } from 'vitest';
import { PENDING } from '../../../test/harness/rollout/snapshot-fixtures.ts';
import { utcTime } from '../timestamp.ts';
import type { HostPhase, OperationState } from '../vocabulary.ts';
import { HOST_PHASES, OPERATION_STATES } from '../vocabulary.ts';
import { hostAfterRestore, statusAfterRestore } from './after-restore.ts';
import type { OperationHost } from './operation-host.ts';

const BACKUP_AT = '2026-11-15T03:00:00.000000';
const NOW = '2026-11-16T09:00:00.000000';

type After = 'unchanged' | 'restarted' | 'failed';

const HOSTS: Readonly<Record<HostPhase, After>> = {
  pending: 'unchanged',
  preflight: 'restarted',
  staging: 'restarted',
  cordoning: 'failed',
  draining: 'failed',
  applying: 'failed',
  armed: 'failed',
  rebooting: 'unchanged',
  verifying: 'unchanged',
  uncordoning: 'unchanged',
  done: 'unchanged',
  failed: 'unchanged',
  skipped: 'unchanged',
};

describe('hostAfterRestore', () => {
  const inPhase = (phase: HostPhase): OperationHost => ({
    ...{ ...PENDING, phase, attempt: 2, isCordoned: true, stageResult: { version: '44' } },
    isStaged: phase === 'staging',
  });

  const cases = HOST_PHASES.map(phase => [phase, HOSTS[phase]] as const);
  test.each(cases)('a host in the phase %s is %s', (phase, expected) => {
    const before = inPhase(phase);
    const after = hostAfterRestore(before, NOW, BACKUP_AT);
    if (expected === 'unchanged') expect(after).toBe(before);
    else if (expected === 'restarted')
      expect(after).toMatchObject({ phase: 'pending', isStaged: false, stageResult: {}, attempt: 2 });
    else
      expect(after).toMatchObject({
        ...{ phase: 'failed', holdsSlot: true, isCordoned: true, attempt: 2, finishedAt: NOW },
        problem: `restored: actions after the backup of ${utcTime(BACKUP_AT)} are unknown; check the host, then retry or skip it; the node is still cordoned`,
      });
    expect(hostAfterRestore(after, NOW, BACKUP_AT)).toBe(after);
  });

  test('does not mention a cordon that Hostler did not set', () => {
    const after = hostAfterRestore({ ...inPhase('armed'), isCordoned: false }, NOW, BACKUP_AT);
    expect(after.problem).toMatch(/retry or skip it$/);
  });
});

describe('statusAfterRestore', () => {
  const STATUSES: Readonly<Record<OperationState, OperationState>> = {
    planned: 'paused',
    running: 'paused',
    paused: 'paused',
    cancelling: 'cancelling',
    finished: 'finished',
    failed: 'failed',
    cancelled: 'cancelled',
  };

  test.each(OPERATION_STATES)('pauses a planned, running or paused operation and keeps other states: %s', state => {
    const before = { state, pause: state === 'paused' ? ('window' as const) : null, problem: '' };
    const after = statusAfterRestore(before, BACKUP_AT);
    expect(after.state).toBe(STATUSES[state]);
    expect(after.pause).toBe(after.state === 'paused' ? 'restored' : null);
    expect(after.problem.includes(utcTime(BACKUP_AT))).toBe(['paused', 'cancelling'].includes(after.state));
  });

  test('keeps the pause of an earlier restore', () => {
    const earlier = { state: 'paused', pause: 'restored', problem: 'earlier' } as const;
    expect(statusAfterRestore(earlier, BACKUP_AT)).toBe(earlier);
  });
});
