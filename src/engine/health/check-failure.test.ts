import { describe, expect, test } from 'vitest';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { HostStatus } from '../../domain/vocabulary.ts';
import type { CheckFailure } from './check-failure.ts';
import { resolveCheckFailure, toCheckFailure, UNREADABLE_OUTPUT } from './check-failure.ts';
import type { FailureVerdict } from './partition-detector.ts';

const UNREACHABLE = toCheckFailure(new TransportFailure('unreachable', 'connection refused'));
const REJECTED = toCheckFailure(new TransportFailure('auth_rejected', 'permission denied'));
const KEY_CHANGED = toCheckFailure(
  new TransportFailure('host_key_changed', 'it shows SHA256:x', 'ssh-ed25519 AAAA'),
);
const NOW = 1_000_000;

const resolve = (
  failure: CheckFailure,
  status: HostStatus,
  failures: number,
  verdict: FailureVerdict = 'lost',
  jitter = 1,
) =>
  resolveCheckFailure(failure, {
    status,
    failures,
    verdict,
    nowMs: NOW,
    checkIntervalMs: 60_000,
    jitter,
    isAnotherConnected: false,
  });

describe('a check that did not find a host well', () => {
  test.each(['active', 'disassociated'] as const)('of a host that was %s is repeated soon', status => {
    expect(resolve(UNREACHABLE, status, 0)).toEqual({
      hostUpdate: { check: 'unreachable' },
      release: { check: { at: NOW + 5000 }, failures: 1, contact: 'failed' },
    });
  });

  test.each([
    ['does not answer', UNREACHABLE, 'unreachable: connection refused', 'unreachable'],
    ['does not let us in any more', REJECTED, 'auth_rejected: permission denied', 'failed'],
    ['answers nonsense', UNREADABLE_OUTPUT, UNREADABLE_OUTPUT.problem, 'failed'],
  ])('for the second time loses a host that %s', (_what, failure, reason, check) => {
    expect(resolve(failure, 'active', 1)).toEqual({
      hostUpdate: { trigger: 'became_unreachable', reason, check },
      release: { check: { at: NOW + 5000 }, failures: 2, contact: 'failed' },
    });
  });

  test('keeps the status while the server is partitioned, and checks the host at its next slot', () => {
    expect(resolve(UNREACHABLE, 'active', 1, 'partitioned')).toEqual({
      hostUpdate: { check: null },
      release: { check: 'next_slot', failures: 1 },
    });
  });

  test('by a partitioned server leaves the check to a server that is connected', () => {
    const input = { status: 'active', failures: 1, verdict: 'partitioned', jitter: 1 } as const;
    const more = { nowMs: NOW, checkIntervalMs: 60_000, isAnotherConnected: true };
    expect(resolveCheckFailure(UNREACHABLE, { ...input, ...more }).release).toEqual({
      check: 'unchanged',
      failures: 1,
    });
  });

  test('loses nobody before others were looked at', () => {
    expect(resolve(UNREACHABLE, 'active', 1, 'inconclusive')).toEqual({
      hostUpdate: { check: 'unreachable' },
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
    expect(resolve(UNREACHABLE, 'unreachable', failures).release.check).toEqual({ at: NOW + longest });
    expect(resolve(UNREACHABLE, 'unreachable', failures, 'lost', 0).release.check).toEqual({
      at: NOW + longest / 2,
    });
  });

  test.each([
    ['does not answer', null, UNREACHABLE],
    ['does not let us in', 'failed', REJECTED],
  ])('by a partitioned server, of an unreachable host that %s, counts as %s', (_what, check, failure) => {
    expect(resolve(failure, 'unreachable', 3, 'partitioned').hostUpdate.check).toBe(check);
  });

  test('ends the checks at once when the host shows another key, partitioned or not', () => {
    const { hostUpdate, release } = resolve(KEY_CHANGED, 'active', 0, 'partitioned');
    expect(hostUpdate).toMatchObject({
      trigger: 'host_key_changed',
      pendingHostKey: 'ssh-ed25519 AAAA',
      check: 'failed',
    });
    expect(release).toMatchObject({ check: 'none' });
  });
});
