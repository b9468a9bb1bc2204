import { expect, test } from 'vitest';
import type { Address } from '../../../domain/address.ts';
import type { DriverMemory } from '../../../domain/driver-memory.ts';
import { optionsConform } from '../../options-conformance.ts';
import { containerManagerConforms } from '../conformance.ts';
import type { ContainerManager } from '../container-manager.ts';
import { trivial } from './trivial.ts';

function memory(): DriverMemory {
  const values = new Map<string, string>();
  return {
    get: async key => values.get(key),
    set: async (key, value) => void values.set(key, value),
    delete: async key => void values.delete(key),
  };
}

function open(kept = memory()): ContainerManager {
  if (trivial.open === undefined) throw new Error('trivial can be asked');
  return trivial.open({ options: {}, memory: kept });
}

optionsConform(trivial, {
  good: [['no options', {}]],
  bad: [['the options of another type', { server_url: 'https://a', token: 'x' }, ['/server_url', '/token']]],
});

containerManagerConforms('trivial', open);

test('trivial remembers its nodes from one start to the next, each ready under its address', async () => {
  const kept = memory();
  const node = '127.0.0.1' as Address;
  await open(kept).register(node);
  expect(await open(kept).report(node)).toEqual({
    state: 'registered',
    name: '127.0.0.1',
    ready: true,
    schedulable: true,
  });
});
