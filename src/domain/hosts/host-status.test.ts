import { describe, expect, test } from 'vitest';
import { recordNameOf } from '../record-name.ts';
import type { HostStatus } from '../vocabulary.ts';
import { HOST_STATUSES } from '../vocabulary.ts';
import type { HostCause, Settlement } from './host-status.ts';
import { HOST_CAUSES, isReady, statusAfter } from './host-status.ts';

const [web, kube, other] = ['web', 'kube', 'other'].map(recordNameOf) as [never, never, never];

const ALONE: Settlement = { cluster: null, containerManager: null, registeredWith: null };
const MEMBER: Settlement = { ...ALONE, cluster: web };
const UNREGISTERED: Settlement = { ...MEMBER, containerManager: kube };
const REGISTERED: Settlement = { ...UNREGISTERED, registeredWith: kube };
const ELSEWHERE: Settlement = { ...UNREGISTERED, registeredWith: other };

/** Every move there is, for a host in a cluster without a container manager. */
const MOVES: readonly [HostStatus, HostCause, HostStatus][] = [
  ['investigating', 'investigated', 'bootstrapping'],
  ['investigating', 'gave_up', 'failed'],
  ['investigating', 'distrusted', 'failed'],
  ['bootstrapping', 'bootstrapped', 'active'],
  ['bootstrapping', 'gave_up', 'failed'],
  ['bootstrapping', 'distrusted', 'failed'],
  ['bootstrapping', 'retried', 'investigating'],
  ['active', 'lost', 'unreachable'],
  ['active', 'distrusted', 'failed'],
  ['active', 'retried', 'investigating'],
  ['disassociated', 'lost', 'unreachable'],
  ['disassociated', 'distrusted', 'failed'],
  ['disassociated', 'retried', 'investigating'],
  ['disassociated', 'settled', 'active'],
  ['failed', 'retried', 'investigating'],
  ['unreachable', 'answered', 'active'],
  ['unreachable', 'distrusted', 'failed'],
  ['unreachable', 'retried', 'investigating'],
];

describe('the life of a host', () => {
  test.each(MOVES)('%s, %s: becomes %s', (from, cause, to) => {
    expect(statusAfter(from, cause, MEMBER)).toBe(to);
  });

  test('nothing else moves it', () => {
    const causes = Object.keys(HOST_CAUSES) as HostCause[];
    const moved = HOST_STATUSES.flatMap(from =>
      causes.filter(cause => statusAfter(from, cause, MEMBER) !== from).map(cause => `${from} ${cause}`),
    );
    expect(moved.sort()).toEqual(MOVES.map(([from, cause]) => `${from} ${cause}`).sort());
  });

  test.each([
    ['in no cluster', ALONE, 'disassociated'],
    ['in a cluster without container manager', MEMBER, 'active'],
    ['not registered with the container manager of its cluster', UNREGISTERED, 'disassociated'],
    ['registered with the container manager of its cluster', REGISTERED, 'active'],
    ['registered with another container manager', ELSEWHERE, 'disassociated'],
  ] as const)('a host that is ready and %s is settled so', (_what, settlement, status) => {
    expect(statusAfter('bootstrapping', 'bootstrapped', settlement)).toBe(status);
    expect(statusAfter('unreachable', 'answered', settlement)).toBe(status);
    expect(statusAfter('active', 'settled', settlement)).toBe(status);
    expect(statusAfter('disassociated', 'settled', settlement)).toBe(status);
  });

  test('only what is ready may join a cluster', () => {
    expect(HOST_STATUSES.filter(isReady)).toEqual(['active', 'disassociated']);
  });
});
