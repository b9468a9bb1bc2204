import { describe, expect, test } from 'vitest';
import { driverMemory } from '../../../../test/harness/driver-memory.ts';
import { managerRecord } from '../../../../test/harness/manager-record.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import type { DriverMemory } from '../../../domain/driver-record.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';
import { optionsConform } from '../../options-conformance.ts';
import { containerManagerConforms } from '../conformance.ts';
import type { ContainerManager } from '../container-manager.ts';
import { trivial } from './trivial.ts';

function open(stored = driverMemory()): ContainerManager & { readonly stored: DriverMemory } {
  return {
    ...trivial.open(managerRecord({}, { memory: stored })),
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

test('trivial remembers its nodes from one start to the next, each ready under its address', async () => {
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

test('trivial remembers whose mark a node is cordoned under', async () => {
  const stored = driverMemory();
  const node = '127.0.0.1' as Address;
  await open(stored).register({ address: node, hostname: '' });
  await open(stored).cordon(node, cordonOwner('one', 1));
  expect(await open(stored).report(node)).toMatchObject({ schedulable: false, cordonedBy: 'hostler/one/1' });
});

/** A memory in which something happens right before its call of this number, and whether it has. */
function interrupted(stored: DriverMemory, number: number, action: () => Promise<unknown>) {
  let calls = 0;
  const before = async <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls === number) await action();
    return call();
  };
  const meanwhile: DriverMemory = {
    get: key => before(() => stored.get(key)),
    compareAndSet: (key, from, to) => before(() => stored.compareAndSet(key, from, to)),
    delete: key => before(() => stored.delete(key)),
  };
  return { meanwhile, hasRun: () => calls >= number };
}

describe.each([1, 2, 3])('when others change a node before the call %d of its memory, trivial', number => {
  const node = '127.0.0.1' as Address;
  const [mark, later] = [cordonOwner('one', 1), cordonOwner('one', 2)];

  test('does not uncordon it for who has lost the cordon', async () => {
    const manager = open();
    await manager.register({ address: node, hostname: '' });
    await manager.cordon(node, mark);
    const takeOver = () => manager.cordon(node, later);
    const { meanwhile, hasRun } = interrupted(manager.stored, number, takeOver);
    await open(meanwhile).uncordon(node, mark);
    expect(await manager.stored.get(node)).toBe(hasRun() ? `cordoned by ${later}` : 'registered');
  });

  test('does not cordon it over those who were faster', async () => {
    const manager = open();
    await manager.register({ address: node, hostname: '' });
    const byHand = () => manager.stored.compareAndSet(node, 'registered', 'cordoned by ');
    const { meanwhile, hasRun } = interrupted(manager.stored, number, byHand);
    expect(await open(meanwhile).cordon(node, mark)).toBe(hasRun() ? 'cordoned_by_other' : 'cordoned');
    expect(await manager.stored.get(node)).toBe(hasRun() ? 'cordoned by ' : `cordoned by ${mark}`);
  });
});
