import { describe, expect, test } from 'vitest';
import { toRecordName } from '../record-name.ts';
import type { HostStatus } from '../vocabulary.ts';
import { HOST_STATUSES } from '../vocabulary.ts';
import type { MembershipState, StatusTrigger } from './host-status.ts';
import { isReady, nextStatus, STATUS_TRIGGERS } from './host-status.ts';

const [web, kube, other] = ['web', 'kube', 'other'].map(toRecordName) as [never, never, never];

const ALONE: MembershipState = { cluster: null, containerManager: null, registeredWith: null };
const MEMBER: MembershipState = { ...ALONE, cluster: web };
const UNREGISTERED: MembershipState = { ...MEMBER, containerManager: kube };
const REGISTERED: MembershipState = { ...UNREGISTERED, registeredWith: kube };
const ELSEWHERE: MembershipState = { ...UNREGISTERED, registeredWith: other };

/** All transitions of a host in a cluster without a container manager. */
const TRANSITIONS: readonly [HostStatus, StatusTrigger, HostStatus][] = [
  ['investigating', 'investigated', 'bootstrapping'],
  ['investigating', 'bootstrap_failed', 'failed'],
  ['investigating', 'host_key_changed', 'failed'],
  ['bootstrapping', 'bootstrapped', 'active'],
  ['bootstrapping', 'bootstrap_failed', 'failed'],
  ['bootstrapping', 'host_key_changed', 'failed'],
  ['bootstrapping', 'rebootstrap_requested', 'investigating'],
  ['active', 'became_unreachable', 'unreachable'],
  ['active', 'host_key_changed', 'failed'],
  ['active', 'rebootstrap_requested', 'investigating'],
  ['disassociated', 'became_unreachable', 'unreachable'],
  ['disassociated', 'host_key_changed', 'failed'],
  ['disassociated', 'rebootstrap_requested', 'investigating'],
  ['disassociated', 'membership_changed', 'active'],
  ['failed', 'rebootstrap_requested', 'investigating'],
  ['unreachable', 'became_reachable', 'active'],
  ['unreachable', 'host_key_changed', 'failed'],
  ['unreachable', 'rebootstrap_requested', 'investigating'],
];

describe('host status', () => {
  test.each(TRANSITIONS)('changes from %s on %s to %s', (from, trigger, to) => {
    expect(nextStatus(from, trigger, MEMBER)).toBe(to);
  });

  test('does not change on any other trigger', () => {
    const triggers = Object.keys(STATUS_TRIGGERS) as StatusTrigger[];
    const transition = HOST_STATUSES.flatMap(from =>
      triggers.filter(trigger => nextStatus(from, trigger, MEMBER) !== from).map(trigger => `${from} ${trigger}`),
    );
    expect(transition.sort()).toEqual(TRANSITIONS.map(([from, trigger]) => `${from} ${trigger}`).sort());
  });

  test.each([
    ['in no cluster', ALONE, 'disassociated'],
    ['in a cluster without container manager', MEMBER, 'active'],
    ['not registered with the container manager of its cluster', UNREGISTERED, 'disassociated'],
    ['registered with the container manager of its cluster', REGISTERED, 'active'],
    ['registered with another container manager', ELSEWHERE, 'disassociated'],
  ] as const)('a ready host %s becomes $2', (_what, membership, status) => {
    expect(nextStatus('bootstrapping', 'bootstrapped', membership)).toBe(status);
    expect(nextStatus('unreachable', 'became_reachable', membership)).toBe(status);
    expect(nextStatus('active', 'membership_changed', membership)).toBe(status);
    expect(nextStatus('disassociated', 'membership_changed', membership)).toBe(status);
  });

  test('isReady is true only for hosts that may join a cluster', () => {
    expect(HOST_STATUSES.filter(isReady)).toEqual(['active', 'disassociated']);
  });
});
