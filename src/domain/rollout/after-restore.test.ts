import { describe, expect, test } from 'vitest';
import { utcTime } from '../timestamp.ts';
import type { HostPhase, OperationState } from '../vocabulary.ts';
import { HOST_PHASES, OPERATION_STATES } from '../vocabulary.ts';
import { hostAfterRestore, statusAfterRestore } from './after-restore.ts';
import { PENDING } from './fixtures.ts';
import type { OperationHost } from './operation-host.ts';

const BACKUP_AT = '2026-11-15T03:00:00.000000';
const NOW = '2026-11-16T09:00:00.000000';

type After = 'as it was' | 'begins anew' | 'given up';

const HOSTS: Readonly<Record<HostPhase, After>> = {
  pending: 'as it was',
  preflight: 'begins anew',
  staging: 'begins anew',
  cordoning: 'given up',
  draining: 'given up',
  applying: 'given up',
  armed: 'given up',
  rebooting: 'as it was',
  verifying: 'as it was',
  uncordoning: 'as it was',
  done: 'as it was',
  failed: 'as it was',
  skipped: 'as it was',
};

describe('a host of an operation that comes from a backup', () => {
  const inPhase = (phase: HostPhase): OperationHost => ({
    ...{ ...PENDING, phase, attempt: 2, isCordoned: true, stageResult: { version: '44' } },
    isStaged: phase === 'staging',
  });

  test.each(HOST_PHASES)('in %s', phase => {
    const before = inPhase(phase);
    const after = hostAfterRestore(before, NOW, BACKUP_AT);
    if (HOSTS[phase] === 'as it was') expect(after).toBe(before);
    else if (HOSTS[phase] === 'begins anew')
      expect(after).toMatchObject({ phase: 'pending', isStaged: false, stageResult: {}, attempt: 2 });
    else
      expect(after).toMatchObject({
        ...{ phase: 'failed', holdsSlot: true, isCordoned: true, attempt: 2, finishedAt: NOW },
        problem: `restored: actions after the backup of ${utcTime(BACKUP_AT)} are unknown; check the host, then retry or skip it; the node is still cordoned`,
      });
    expect(hostAfterRestore(after, NOW, BACKUP_AT)).toBe(after);
  });

  test('says nothing of a cordon where none is ours', () => {
    const after = hostAfterRestore({ ...inPhase('armed'), isCordoned: false }, NOW, BACKUP_AT);
    expect(after.problem).toMatch(/retry or skip it$/);
  });
});

describe('an operation that comes from a backup', () => {
  const STATUSES: Readonly<Record<OperationState, OperationState>> = {
    planned: 'paused',
    running: 'paused',
    paused: 'paused',
    cancelling: 'cancelling',
    finished: 'finished',
    failed: 'failed',
    cancelled: 'cancelled',
  };

  test.each(OPERATION_STATES)('and is %s', state => {
    const before = { state, pause: state === 'paused' ? ('window' as const) : null, problem: '' };
    const after = statusAfterRestore(before, BACKUP_AT);
    expect(after.state).toBe(STATUSES[state]);
    expect(after.pause).toBe(after.state === 'paused' ? 'restored' : null);
    expect(after.problem.includes(utcTime(BACKUP_AT))).toBe(['paused', 'cancelling'].includes(after.state));
  });

  test('and waits since an earlier one goes by that', () => {
    const earlier = { state: 'paused', pause: 'restored', problem: 'earlier' } as const;
    expect(statusAfterRestore(earlier, BACKUP_AT)).toBe(earlier);
  });
});
