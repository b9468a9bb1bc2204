// What must hold for every host source: it tells what the other system knows, and nothing else.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import type { HostSource } from './host-source.ts';

/** What the other system knows of a host; memory and space in KiB. `nonsense`: values of types that nobody expects. */
export type FixtureRecord =
  | {
      readonly os: string;
      readonly cpus: number;
      readonly memory: number;
      readonly space: number;
      readonly hostname: string;
    }
  | 'nonsense';

/** A host source, and the other system that it reads. */
export interface SourceFixture {
  readonly source: HostSource;
  /** What the other system knows from now on, of these hosts and of no others. */
  setRecords(records: Readonly<Record<string, FixtureRecord>>): Promise<void>;
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

const [HOST, V6, UNKNOWN_HOST] = [address('127.0.0.1'), address('::1'), address('127.0.0.9')];

const RECORD = { os: 'debian', cpus: 8, memory: 16_777_216, space: 61_255_492, hostname: 'node-1' } as const;
const OTHER = { ...RECORD, cpus: 2, hostname: 'node-2' } as const;

/** For what is told within a moment, or never. */
const POLL_OPTIONS = { timeout: 20_000, interval: 10 };

const expectedFacts = ({ os, cpus, memory, space, hostname }: Exclude<FixtureRecord, string>) => ({
  ...{ os, cpus, hostname },
  ...{ memoryKib: memory, spaceKib: space },
});

export function hostSourceConforms(type: string, open: () => Promise<SourceFixture>): void {
  describe(`the host source ${type}`, () => {
    let fixture: SourceFixture;
    beforeAll(async () => {
      fixture = await open();
    });
    beforeEach(() => fixture.setRecords({ [HOST]: RECORD, [V6]: OTHER }));
    afterAll(() => fixture.close());

    const read = async (...hosts: readonly Address[]) =>
      Object.fromEntries(
        [...(await fixture.source.read(hosts))].map(([host, facts]) => {
          const { conditions: _, ...known } = 'readError' in facts ? {} : facts;
          return [host, known];
        }),
      );

    test('tells what is known of the hosts that it is asked for, and of no others', async () => {
      expect(await read(HOST, V6)).toEqual({ [HOST]: expectedFacts(RECORD), [V6]: expectedFacts(OTHER) });
      expect(await read(V6)).toEqual({ [V6]: expectedFacts(OTHER) });
      expect(await read()).toEqual({});
    });

    test('leaves out hosts that are not known', async () => {
      expect(await read(UNKNOWN_HOST)).toEqual({});
      expect(Object.keys(await read(UNKNOWN_HOST, HOST))).toEqual([HOST]);
    });

    test('tells what is new, and nothing of hosts that are gone', async () => {
      await fixture.setRecords({ [HOST]: OTHER });
      expect(await read(HOST, V6)).toEqual({ [HOST]: expectedFacts(OTHER) });
    });

    test('leaves out values that make no sense, and knows the host all the same', async () => {
      await fixture.setRecords({ [HOST]: 'nonsense', [V6]: OTHER });
      expect(await read(HOST, V6)).toEqual({ [HOST]: {}, [V6]: expectedFacts(OTHER) });
    });

    test('says in words that it cannot be read, and goes on when it can', async () => {
      await fixture.fail();
      await expect(fixture.source.read([HOST])).rejects.toThrow(/\S+ \S+ \S+/);
      await fixture.recover();
      expect(await read(HOST)).toEqual({ [HOST]: expectedFacts(RECORD) });
    });

    test('tells that something has changed, if it can, until it is wanted no more', {
      timeout: 60_000,
    }, async () => {
      const { source } = fixture;
      if (source.watch === undefined) return;
      const [controller, calls] = [new AbortController(), { count: 0 }];
      const watching = source.watch(() => {
        calls.count += 1;
      }, controller.signal);
      await expect.poll(() => calls.count, POLL_OPTIONS).toBeGreaterThan(0);
      const initialCount = calls.count;
      await fixture.setRecords({ [HOST]: { ...RECORD, cpus: 3 } });
      await expect.poll(() => calls.count, POLL_OPTIONS).toBeGreaterThan(initialCount);
      controller.abort();
      await watching;
      const before = calls.count;
      await fixture.setRecords({ [HOST]: OTHER });
      expect(await read(HOST)).toEqual({ [HOST]: expectedFacts(OTHER) });
      expect(calls.count).toBe(before);
    });
  });
}
