import { describe, expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import { recordNameOf } from '../../domain/record-name.ts';
import { cordonMark } from '../../domain/rolling/cordon-mark.ts';
import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import { VirtualClock } from '../../lib/time/virtual-clock.ts';
import { LostClaim } from '../lease.ts';
import { openGuardedManager } from './guarded-container-manager.ts';

const NODE = '127.0.0.1' as Address;
const HOST = { address: NODE, hostname: 'host-1' };
const MARK = cordonMark('one', 1);
const CLAIM = { host: NODE, fence: 1, failures: 0, isFactsDue: false };
const RECORD = { name: recordNameOf('nodes'), type: 'any', options: {}, sealedOptions: {}, revision: 'r' };

/** Every call, and what is answered to it here. */
const CALLS: { readonly [Name in keyof ContainerManager]: (manager: ContainerManager) => Promise<unknown> } =
  {
    check: manager => manager.check(),
    joinTask: manager => manager.joinTask(HOST),
    register: manager => manager.register(HOST),
    leaveTask: manager => manager.leaveTask(HOST),
    remove: manager => manager.remove(NODE),
    report: manager => manager.report(NODE),
    cordon: manager => manager.cordon(NODE, MARK),
    uncordon: manager => manager.uncordon(NODE, MARK),
    drain: manager => manager.drain(NODE, { force: true }),
    disruptionProblem: manager => manager.disruptionProblem(NODE),
    controlPlane: manager => manager.controlPlane(),
  };

/** A manager behind a guard, what it was asked, and a lease that can be lost: now, or by the next call. */
async function open() {
  const asked: unknown[][] = [];
  const lease = { isHeld: true, isLostByCall: false };
  const clock = new VirtualClock();
  const fate = { isHanging: false };
  const answer =
    <T>(name: string, answered: T) =>
    async (...args: unknown[]): Promise<T> => {
      asked.push([name, ...args]);
      if (lease.isLostByCall) lease.isHeld = false;
      if (fate.isHanging) await new Promise(() => {});
      return answered;
    };
  const manager: ContainerManager = {
    check: answer('check', { version: '1', problems: [] }),
    joinTask: answer('joinTask', null),
    register: answer('register', 'not yet'),
    leaveTask: answer('leaveTask', null),
    remove: answer('remove', undefined),
    report: answer('report', { state: 'unknown' } as const),
    cordon: answer('cordon', 'foreign' as const),
    uncordon: answer('uncordon', 'not_ours' as const),
    drain: answer('drain', { state: 'drained' } as const),
    disruptionProblem: answer('disruptionProblem', 'busy'),
    controlPlane: answer('controlPlane', [NODE]),
  };
  const require = () => {
    if (!lease.isHeld) throw new LostClaim();
  };
  const guarded = await openGuardedManager(
    { openManager: async () => manager, clock },
    { require, isHeld: () => lease.isHeld, incarnation: 'i' },
    CLAIM,
    RECORD,
  );
  if (guarded === undefined) throw new Error('it can be asked');
  return { manager, guarded, asked, lease, clock, fate };
}

describe.each(Object.entries(CALLS))('%s of a container manager', (_name, call) => {
  test('goes through as it is while the lease is held', async () => {
    const { manager, guarded, asked } = await open();
    expect(await call(guarded)).toEqual(await call(manager));
    expect(asked[0]).toEqual(asked[1]);
  });

  test('is given up when it takes longer than a minute', async () => {
    const { guarded, clock, fate } = await open();
    fate.isHanging = true;
    const ends: unknown[] = [];
    void call(guarded).catch(error => ends.push(error));
    await clock.advance(59_999);
    expect(ends).toEqual([]);
    await clock.advance(1);
    expect(ends).toEqual([new Error('no response within 60 s')]);
  });

  test('leaves no timer behind', async () => {
    const { guarded, clock } = await open();
    await call(guarded);
    expect(clock.pending).toBe(0);
  });

  test('is not asked by a server that has lost the host', async () => {
    const { guarded, asked, lease } = await open();
    lease.isHeld = false;
    await expect(call(guarded)).rejects.toThrow(LostClaim);
    expect(asked).toEqual([]);
  });

  test('is not believed by a server that has lost the host meanwhile', async () => {
    const { guarded, asked, lease } = await open();
    lease.isLostByCall = true;
    await expect(call(guarded)).rejects.toThrow(LostClaim);
    expect(asked).toHaveLength(1);
  });
});
