import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../test/harness/simulation/virtual-clock.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { cordonOwner } from '../../domain/rollout/operation-host.ts';
import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import { ClaimLostError } from '../lease.ts';
import { openFencedManager } from './fenced-drivers.ts';

const NODE = '127.0.0.1' as Address;
const HOST = { address: NODE, hostname: 'host-1' };
const OWNER = cordonOwner('one', 1);
const CLAIM = { host: NODE, fence: 1, failures: 0, isFactsDue: false };
const RECORD = { name: toRecordName('nodes'), type: 'any', options: {}, sealedOptions: {}, revision: 'r' };

const CALLS: { readonly [Name in keyof ContainerManager]: (manager: ContainerManager) => Promise<unknown> } = {
  checkConnection: manager => manager.checkConnection(),
  joinPlan: manager => manager.joinPlan(HOST),
  register: manager => manager.register(HOST),
  leavePlan: manager => manager.leavePlan(HOST),
  remove: manager => manager.remove(NODE),
  report: manager => manager.report(NODE),
  cordon: manager => manager.cordon(NODE, OWNER),
  uncordon: manager => manager.uncordon(NODE, OWNER),
  drain: manager => manager.drain(NODE, { force: true }),
  checkDisruption: manager => manager.checkDisruption(NODE),
  controlPlane: manager => manager.controlPlane(),
};

/** Opens a fenced manager that records its calls. The lease can be lost before a call or during it. */
async function open() {
  const calls: unknown[][] = [];
  const lease = { isHeld: true, isLostByCall: false };
  const clock = new VirtualClock();
  const behaviour = { isHanging: false };
  const respond =
    <T>(name: string, result: T) =>
    async (...args: unknown[]): Promise<T> => {
      calls.push([name, ...args]);
      if (lease.isLostByCall) lease.isHeld = false;
      if (behaviour.isHanging) await new Promise(() => {});
      return result;
    };
  const manager: ContainerManager = {
    checkConnection: respond('checkConnection', { version: '1', problems: [] }),
    joinPlan: respond('joinPlan', null),
    register: respond('register', 'not yet'),
    leavePlan: respond('leavePlan', null),
    remove: respond('remove', undefined),
    report: respond('report', { state: 'unknown' } as const),
    cordon: respond('cordon', 'cordoned_by_other' as const),
    uncordon: respond('uncordon', 'not_owner' as const),
    drain: respond('drain', { state: 'drained' } as const),
    checkDisruption: respond('checkDisruption', 'busy'),
    controlPlane: respond('controlPlane', [NODE]),
  };
  const assertHeld = () => {
    if (!lease.isHeld) throw new ClaimLostError();
  };
  const fenced = await openFencedManager(
    { openManager: async () => manager, clock },
    { lease: { assertHeld, isHeld: () => lease.isHeld, incarnation: 'i' }, claim: CLAIM, tracing: null },
    RECORD,
  );
  if (fenced === undefined) throw new Error('the manager could not be opened');
  return { manager, fenced, calls, lease, clock, behaviour };
}

describe.each(Object.entries(CALLS))('fenced container manager: %s', (_name, call) => {
  test('passes arguments and result through while the lease is held', async () => {
    const { manager, fenced, calls } = await open();
    expect(await call(fenced)).toEqual(await call(manager));
    expect(calls[0]).toEqual(calls[1]);
  });

  test('fails after 60 s without a response', async () => {
    const { fenced, clock, behaviour } = await open();
    behaviour.isHanging = true;
    const errors: unknown[] = [];
    void call(fenced).catch(error => errors.push(error));
    await clock.advance(59_999);
    expect(errors).toEqual([]);
    await clock.advance(1);
    expect(errors).toEqual([new Error('no response within 60 s')]);
  });

  test('leaves no pending timer', async () => {
    const { fenced, clock } = await open();
    await call(fenced);
    expect(clock.pending).toBe(0);
  });

  test('does not call the manager when the lease is lost', async () => {
    const { fenced, calls, lease } = await open();
    lease.isHeld = false;
    await expect(call(fenced)).rejects.toThrow(ClaimLostError);
    expect(calls).toEqual([]);
  });

  test('discards the result when the lease is lost during the call', async () => {
    const { fenced, calls, lease } = await open();
    lease.isLostByCall = true;
    await expect(call(fenced)).rejects.toThrow(ClaimLostError);
    expect(calls).toHaveLength(1);
  });
});
