import { describe, expect, test } from 'vitest';
import { driverMemory } from '../../../../test/harness/driver-memory.ts';
import { managerRecord } from '../../../../test/harness/manager-record.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import type { DriverMemory } from '../../../domain/driver-memory.ts';
import { cordonMark } from '../../../domain/rolling/cordon-mark.ts';
import { optionsConform } from '../../options-conformance.ts';
import { containerManagerConforms } from '../conformance.ts';
import type { ContainerManager } from '../container-manager.ts';
import { trivial } from './trivial.ts';

function open(kept = driverMemory()): ContainerManager & { readonly kept: DriverMemory } {
  return {
    ...trivial.open(managerRecord({}, { memory: kept })),
    kept,
  };
}

optionsConform(trivial, {
  good: [['no options', {}]],
  bad: [['the options of another type', { server_url: 'https://a', token: 'x' }, ['/server_url', '/token']]],
});

containerManagerConforms('trivial', {
  open: () => open(),
  cordonByHand: ({ kept }, node) => kept.compareAndSet(node, 'registered', 'cordoned by '),
});

test('trivial remembers its nodes from one start to the next, each ready under its address', async () => {
  const kept = driverMemory();
  const node = '127.0.0.1' as Address;
  await open(kept).register({ address: node, hostname: '' });
  expect(await open(kept).report(node)).toEqual({
    state: 'registered',
    name: '127.0.0.1',
    ready: true,
    schedulable: true,
  });
});

test('trivial remembers whose mark a node is cordoned under', async () => {
  const kept = driverMemory();
  const node = '127.0.0.1' as Address;
  await open(kept).register({ address: node, hostname: '' });
  await open(kept).cordon(node, cordonMark('one', 1));
  expect(await open(kept).report(node)).toMatchObject({ schedulable: false, cordonedBy: 'hostler/one/1' });
});

/** A memory in which something happens right before its call of this number, and whether it has. */
function interrupted(kept: DriverMemory, number: number, happens: () => Promise<unknown>) {
  let calls = 0;
  const before = async <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls === number) await happens();
    return call();
  };
  const meanwhile: DriverMemory = {
    get: key => before(() => kept.get(key)),
    compareAndSet: (key, from, to) => before(() => kept.compareAndSet(key, from, to)),
    delete: key => before(() => kept.delete(key)),
  };
  return { meanwhile, hasHappened: () => calls >= number };
}

describe.each([1, 2, 3])('when others change a node before the call %d of its memory, trivial', number => {
  const node = '127.0.0.1' as Address;
  const [mark, later] = [cordonMark('one', 1), cordonMark('one', 2)];

  test('does not uncordon it for who has lost the cordon', async () => {
    const manager = open();
    await manager.register({ address: node, hostname: '' });
    await manager.cordon(node, mark);
    const takeOver = () => manager.cordon(node, later);
    const { meanwhile, hasHappened } = interrupted(manager.kept, number, takeOver);
    await open(meanwhile).uncordon(node, mark);
    expect(await manager.kept.get(node)).toBe(hasHappened() ? `cordoned by ${later}` : 'registered');
  });

  test('does not cordon it over those who were faster', async () => {
    const manager = open();
    await manager.register({ address: node, hostname: '' });
    const byHand = () => manager.kept.compareAndSet(node, 'registered', 'cordoned by ');
    const { meanwhile, hasHappened } = interrupted(manager.kept, number, byHand);
    expect(await open(meanwhile).cordon(node, mark)).toBe(hasHappened() ? 'foreign' : 'cordoned');
    expect(await manager.kept.get(node)).toBe(hasHappened() ? 'cordoned by ' : `cordoned by ${mark}`);
  });
});
