import { describe, expect, test } from 'vitest';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { HostStatus } from '../../domain/vocabulary.ts';
import type { CheckFailure } from './check-failure.ts';
import { resolveCheckFailure, toCheckFailure, UNREADABLE_OUTPUT } from './check-failure.ts';
import type { FailureVerdict } from './partition-detector.ts';

const UNREACHABLE = toCheckFailure(new TransportFailure('unreachable', 'connection refused'));
const REJECTED = toCheckFailure(new TransportFailure('auth_rejected', 'permission denied'));
const KEY_CHANGED = toCheckFailure(
  new TransportFailure('host_key_changed', 'host key is SHA256:x', 'ssh-ed25519 AAAA'),
);
const NOW = 1_000_000;

const resolve = (
  failure: CheckFailure,
  status: HostStatus,
  failures: number,
  verdict: FailureVerdict = 'unreachable',
  jitter = 1,
) =>
  resolveCheckFailure(failure, {
    status,
    failures,
    verdict,
    nowMs: NOW,
    checkIntervalMs: 60_000,
    jitter,
    isAnotherServerConnected: false,
  });

describe('resolveCheckFailure', () => {
  test.each(['active', 'disassociated'] as const)(
    'rechecks a host with status %s after 5 s when its first check fails',
    status => {
      expect(resolve(UNREACHABLE, status, 0)).toEqual({
        hostUpdate: { checkResult: 'unreachable' },
        release: { nextCheck: { at: NOW + 5000 }, failures: 1, contact: 'failed' },
      });
    },
  );

  test.each([
    ['does not respond', UNREACHABLE, 'unreachable: connection refused', 'unreachable'],
    ['rejects the login', REJECTED, 'auth_rejected: permission denied', 'failed'],
    ['returns unreadable output', UNREADABLE_OUTPUT, UNREADABLE_OUTPUT.problem, 'failed'],
  ])('marks a host as unreachable after the second failed check when it %s', (_case, failure, reason, checkResult) => {
    expect(resolve(failure, 'active', 1)).toEqual({
      hostUpdate: { trigger: 'became_unreachable', reason, checkResult },
      release: { nextCheck: { at: NOW + 5000 }, failures: 2, contact: 'failed' },
    });
  });

  test('keeps the status while the server is partitioned and checks the host at its next slot', () => {
    expect(resolve(UNREACHABLE, 'active', 1, 'partitioned')).toEqual({
      hostUpdate: { checkResult: null },
      release: { nextCheck: 'next_interval', failures: 1 },
    });
  });

  test('leaves the check to a connected server while this server is partitioned', () => {
    const input = { status: 'active', failures: 1, verdict: 'partitioned', jitter: 1 } as const;
    const rest = { nowMs: NOW, checkIntervalMs: 60_000, isAnotherServerConnected: true };
    expect(resolveCheckFailure(UNREACHABLE, { ...input, ...rest }).release).toEqual({
      nextCheck: 'unchanged',
      failures: 1,
    });
  });

  test('keeps the status while the verdict is inconclusive', () => {
    expect(resolve(UNREACHABLE, 'active', 1, 'inconclusive')).toEqual({
      hostUpdate: { checkResult: 'unreachable' },
      release: { nextCheck: { at: NOW + 5000 }, failures: 2, contact: 'failed' },
    });
  });

  test.each([
    [2, 10_000],
    [3, 20_000],
    [4, 40_000],
    [7, 300_000],
    [1000, 300_000],
  ])('rechecks an unreachable host with %i earlier failures after at most %i ms', (failures, maxDelayMs) => {
    expect(resolve(UNREACHABLE, 'unreachable', failures).release.nextCheck).toEqual({ at: NOW + maxDelayMs });
    expect(resolve(UNREACHABLE, 'unreachable', failures, 'unreachable', 0).release.nextCheck).toEqual({
      at: NOW + maxDelayMs / 2,
    });
  });

  test.each([
    ['does not respond', null, UNREACHABLE],
    ['rejects the login', 'failed', REJECTED],
  ])('an unreachable host that %s gets the check result %s on a partitioned server', (_case, check, failure) => {
    expect(resolve(failure, 'unreachable', 3, 'partitioned').hostUpdate.checkResult).toBe(check);
  });

  test('stops checks when the host key changes, even while the server is partitioned', () => {
    const { hostUpdate, release } = resolve(KEY_CHANGED, 'active', 0, 'partitioned');
    expect(hostUpdate).toMatchObject({
      trigger: 'host_key_changed',
      pendingHostKey: 'ssh-ed25519 AAAA',
      checkResult: 'failed',
    });
    expect(release).toMatchObject({ nextCheck: 'none' });
  });
});
