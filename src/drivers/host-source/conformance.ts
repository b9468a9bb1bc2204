// What must hold for every host source: it tells what the other system knows, and nothing else.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import type { HostSource } from './host-source.ts';

/** What the other system knows of a host; memory and space in KiB. `nonsense`: values of types that nobody expects. */
export type LabRecord =
  | {
      readonly os: string;
      readonly cpus: number;
      readonly memory: number;
      readonly space: number;
      readonly hostname: string;
    }
  | 'nonsense';

/** A host source, and the other system that it reads. */
export interface SourceLab {
  readonly source: HostSource;
  /** What the other system knows from now on, of these hosts and of no others. */
  know(records: Readonly<Record<string, LabRecord>>): Promise<void>;
  /** The other system cannot be read. */
  fail(): Promise<void>;
  recover(): Promise<void>;
  close(): Promise<void>;
}

const address = (text: string): Address => {
  const parsed = parseAddress(text);
  if (parsed === undefined) throw new Error(`${text} is no address`);
  return parsed;
};

const [HOST, V6, STRANGER] = [address('127.0.0.1'), address('::1'), address('127.0.0.9')];

const RECORD = { os: 'debian', cpus: 8, memory: 16_777_216, space: 61_255_492, hostname: 'node-1' } as const;
const OTHER = { ...RECORD, cpus: 2, hostname: 'node-2' } as const;

/** For what is told within a moment, or never. */
const WAITING = { timeout: 20_000, interval: 10 };

const factsOf = ({ os, cpus, memory, space, hostname }: Exclude<LabRecord, string>) => ({
  ...{ os, cpus, hostname },
  ...{ memoryKib: memory, spaceKib: space },
});

export function hostSourceConforms(type: string, open: () => Promise<SourceLab>): void {
  describe(`the host source ${type}`, () => {
    let lab: SourceLab;
    beforeAll(async () => {
      lab = await open();
    });
    beforeEach(() => lab.know({ [HOST]: RECORD, [V6]: OTHER }));
    afterAll(() => lab.close());

    const read = async (...hosts: readonly Address[]) =>
      Object.fromEntries(
        [...(await lab.source.read(hosts))].map(([host, told]) => {
          const { conditions: _, ...facts } = 'unread' in told ? {} : told;
          return [host, facts];
        }),
      );

    test('tells what is known of the hosts that it is asked for, and of no others', async () => {
      expect(await read(HOST, V6)).toEqual({ [HOST]: factsOf(RECORD), [V6]: factsOf(OTHER) });
      expect(await read(V6)).toEqual({ [V6]: factsOf(OTHER) });
      expect(await read()).toEqual({});
    });

    test('leaves out hosts that are not known', async () => {
      expect(await read(STRANGER)).toEqual({});
      expect(Object.keys(await read(STRANGER, HOST))).toEqual([HOST]);
    });

    test('tells what is new, and nothing of hosts that are gone', async () => {
      await lab.know({ [HOST]: OTHER });
      expect(await read(HOST, V6)).toEqual({ [HOST]: factsOf(OTHER) });
    });

    test('leaves out values that make no sense, and knows the host all the same', async () => {
      await lab.know({ [HOST]: 'nonsense', [V6]: OTHER });
      expect(await read(HOST, V6)).toEqual({ [HOST]: {}, [V6]: factsOf(OTHER) });
    });

    test('says in words that it cannot be read, and goes on when it can', async () => {
      await lab.fail();
      await expect(lab.source.read([HOST])).rejects.toThrow(/\S+ \S+ \S+/);
      await lab.recover();
      expect(await read(HOST)).toEqual({ [HOST]: factsOf(RECORD) });
    });

    test('tells that something has changed, if it can, until it is wanted no more', {
      timeout: 60_000,
    }, async () => {
      const { source } = lab;
      if (source.watch === undefined) return;
      const [stopping, calls] = [new AbortController(), { count: 0 }];
      const watching = source.watch(() => {
        calls.count += 1;
      }, stopping.signal);
      await expect.poll(() => calls.count, WAITING).toBeGreaterThan(0);
      const begun = calls.count;
      await lab.know({ [HOST]: { ...RECORD, cpus: 3 } });
      await expect.poll(() => calls.count, WAITING).toBeGreaterThan(begun);
      stopping.abort();
      await watching;
      const before = calls.count;
      await lab.know({ [HOST]: OTHER });
      expect(await read(HOST)).toEqual({ [HOST]: factsOf(OTHER) });
      expect(calls.count).toBe(before);
    });
  });
}
