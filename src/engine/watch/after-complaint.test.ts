import { describe, expect, test } from 'vitest';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { HostStatus } from '../../domain/vocabulary.ts';
import { afterComplaint } from './after-complaint.ts';
import type { Complaint } from './complaint.ts';
import { complaintOf, UNREADABLE } from './complaint.ts';
import type { Judgement } from './partition-detector.ts';

const GONE = complaintOf(new TransportFailure('unreachable', 'connection refused'));
const SHUT = complaintOf(new TransportFailure('auth_rejected', 'permission denied'));
const OTHER_KEY = complaintOf(
  new TransportFailure('host_key_changed', 'it shows SHA256:x', 'ssh-ed25519 AAAA'),
);
const NOW = 1_000_000;

const verdict = (
  complaint: Complaint,
  status: HostStatus,
  failures: number,
  judgement: Judgement = 'lost',
  chance = 1,
) =>
  afterComplaint(complaint, {
    status,
    failures,
    judgement,
    nowMs: NOW,
    checkIntervalMs: 60_000,
    chance,
    isAnotherConnected: false,
  });

describe('a check that did not find a host well', () => {
  test.each(['active', 'disassociated'] as const)('of a host that was %s is repeated soon', status => {
    expect(verdict(GONE, status, 0)).toEqual({
      learned: { check: 'unreachable' },
      release: { check: { at: NOW + 5000 }, failures: 1, contact: 'failed' },
    });
  });

  test.each([
    ['does not answer', GONE, 'unreachable: connection refused', 'unreachable'],
    ['does not let us in any more', SHUT, 'auth_rejected: permission denied', 'failed'],
    ['answers nonsense', UNREADABLE, UNREADABLE.problem, 'failed'],
  ])('for the second time loses a host that %s', (_what, failure, reason, check) => {
    expect(verdict(failure, 'active', 1)).toEqual({
      learned: { cause: 'lost', reason, check },
      release: { check: { at: NOW + 5000 }, failures: 2, contact: 'failed' },
    });
  });

  test('keeps the status while the server is partitioned, and checks the host at its next slot', () => {
    expect(verdict(GONE, 'active', 1, 'partitioned')).toEqual({
      learned: { check: null },
      release: { check: 'next slot', failures: 1 },
    });
  });

  test('by a partitioned server leaves the check to a server that is connected', () => {
    const situation = { status: 'active', failures: 1, judgement: 'partitioned', chance: 1 } as const;
    const more = { nowMs: NOW, checkIntervalMs: 60_000, isAnotherConnected: true };
    expect(afterComplaint(GONE, { ...situation, ...more }).release).toEqual({
      check: 'as it was',
      failures: 1,
    });
  });

  test('loses nobody before others were looked at', () => {
    expect(verdict(GONE, 'active', 1, 'unsure')).toEqual({
      learned: { check: 'unreachable' },
      release: { check: { at: NOW + 5000 }, failures: 2, contact: 'failed' },
    });
  });

  test.each([
    [2, 10_000],
    [3, 20_000],
    [4, 40_000],
    [7, 300_000],
    [1000, 300_000],
  ])('of a host that failed %i times before is repeated after at most %i ms', (failures, longest) => {
    expect(verdict(GONE, 'unreachable', failures).release.check).toEqual({ at: NOW + longest });
    expect(verdict(GONE, 'unreachable', failures, 'lost', 0).release.check).toEqual({
      at: NOW + longest / 2,
    });
  });

  test.each([
    ['does not answer', null, GONE],
    ['does not let us in', 'failed', SHUT],
  ])('by a partitioned server, of an unreachable host that %s, counts as %s', (_what, check, complaint) => {
    expect(verdict(complaint, 'unreachable', 3, 'partitioned').learned.check).toBe(check);
  });

  test('ends the checks at once when the host shows another key, partitioned or not', () => {
    const { learned, release } = verdict(OTHER_KEY, 'active', 0, 'partitioned');
    expect(learned).toMatchObject({ cause: 'distrusted', offeredKey: 'ssh-ed25519 AAAA', check: 'failed' });
    expect(release).toMatchObject({ check: 'unwatched' });
  });
});
