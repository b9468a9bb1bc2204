import { describe, expect, test } from 'vitest';
import { isReadyToJoin, statusAfterJoining, statusAfterLeaving } from './host-status.ts';
import type { HostStatus } from './vocabulary.ts';
import { HOST_STATUSES } from './vocabulary.ts';

interface Moves {
  readonly isReady: boolean;
  readonly joins: HostStatus;
  /** With a container manager it has to be registered there first. */
  readonly joinsManaged: HostStatus;
  readonly leaves: HostStatus;
}

const stays = (status: HostStatus, isReady: boolean): Moves => ({
  isReady,
  joins: status,
  joinsManaged: status,
  leaves: status,
});

const MOVES: Readonly<Record<HostStatus, Moves>> = {
  investigating: stays('investigating', false),
  bootstrapping: stays('bootstrapping', false),
  active: { ...stays('active', true), leaves: 'disassociated' },
  disassociated: { ...stays('disassociated', true), joins: 'active' },
  failed: stays('failed', false),
  unreachable: stays('unreachable', false),
};

describe.each(HOST_STATUSES)('a host that is %s', status => {
  const moves = MOVES[status];

  test(`is ${moves.isReady ? 'ready' : 'not ready'} to join a cluster`, () => {
    expect(isReadyToJoin(status)).toBe(moves.isReady);
  });

  test(`is ${moves.joins} once it joins a cluster without container manager`, () => {
    expect(statusAfterJoining(status, { hasContainerManager: false })).toBe(moves.joins);
  });

  test(`is ${moves.joinsManaged} once it joins a cluster with a container manager`, () => {
    expect(statusAfterJoining(status, { hasContainerManager: true })).toBe(moves.joinsManaged);
  });

  test(`is ${moves.leaves} once it leaves its cluster`, () => {
    expect(statusAfterLeaving(status)).toBe(moves.leaves);
  });
});
