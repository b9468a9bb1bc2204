import { describe, expect, test } from 'vitest';
import { containerManagerConforms } from '../../../../test/conformance/container-manager.ts';
import { optionsConform } from '../../../../test/conformance/driver-options.ts';
import { driverMemory, managerContext } from '../../../../test/harness/driver-contexts.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import type { DriverMemory } from '../../../domain/driver-record.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';
import type { ContainerManager } from '../container-manager.ts';
import { trivial } from './trivial.ts';

function open(stored = driverMemory()): ContainerManager & { readonly stored: DriverMemory } {
  return {
    ...trivial.open(managerContext({}, { memory: stored })),
    stored,
  };
}

optionsConform(trivial, {
  good: [['no options', {}]],
  bad: [['the options of another type', { server_url: 'https://a', token: 'x' }, ['/server_url', '/token']]],
});

containerManagerConforms('trivial', {
  open: () => open(),
  cordonByHand: ({ stored }, node) => stored.compareAndSet(node, 'registered', 'cordoned by '),
});

test('trivial keeps its nodes across restarts and reports them as ready', async () => {
  const stored = driverMemory();
  const node = '127.0.0.1' as Address;
  await open(stored).register({ address: node, hostname: '' });
  expect(await open(stored).report(node)).toEqual({
    state: 'registered',
    name: '127.0.0.1',
    ready: true,
    schedulable: true,
  });
});

test('trivial keeps the owner of a cordon across restarts', async () => {
  const stored = driverMemory();
  const node = '127.0.0.1' as Address;
  await open(stored).register({ address: node, hostname: '' });
  await open(stored).cordon(node, cordonOwner('op', 1));
  expect(await open(stored).report(node)).toMatchObject({ schedulable: false, cordonedBy: 'hostler/op/1' });
});

/** Wraps a memory so that `action` runs before call `number`. */
function interruptMemory(stored: DriverMemory, number: number, action: () => Promise<unknown>) {
  let calls = 0;
  const before = async <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls === number) await action();
    return call();
  };
  const interrupted: DriverMemory = {
    get: key => before(() => stored.get(key)),
    compareAndSet: (key, from, to) => before(() => stored.compareAndSet(key, from, to)),
    delete: key => before(() => stored.delete(key)),
  };
  return { meanwhile: interrupted, hasRun: () => calls >= number };
}

describe.each([1, 2, 3])('trivial with a concurrent change before memory call %d', number => {
  const node = '127.0.0.1' as Address;
  const [owner, newOwner] = [cordonOwner('op', 1), cordonOwner('op', 2)];

  test('does not uncordon a node for an owner that has lost the cordon', async () => {
    const manager = open();
    await manager.register({ address: node, hostname: '' });
    await manager.cordon(node, owner);
    const takeOver = () => manager.cordon(node, newOwner);
    const { meanwhile: interrupted, hasRun } = interruptMemory(manager.stored, number, takeOver);
    await open(interrupted).uncordon(node, owner);
    expect(await manager.stored.get(node)).toBe(hasRun() ? `cordoned by ${newOwner}` : 'registered');
  });

  test('does not replace a concurrent cordon by others', async () => {
    const manager = open();
    await manager.register({ address: node, hostname: '' });
    const cordonByHand = () => manager.stored.compareAndSet(node, 'registered', 'cordoned by ');
    const { meanwhile: interrupted, hasRun } = interruptMemory(manager.stored, number, cordonByHand);
    expect(await open(interrupted).cordon(node, owner)).toBe(hasRun() ? 'cordoned_by_other' : 'cordoned');
    expect(await manager.stored.get(node)).toBe(hasRun() ? 'cordoned by ' : `cordoned by ${owner}`);
  });
});
