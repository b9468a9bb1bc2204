import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import type { HostSource } from '../../src/drivers/host-source/host-source.ts';

/** Memory and space in KiB. `invalid` stands for values with unexpected types. */
export type FixtureRecord =
  | {
      readonly os: string;
      readonly cpus: number;
      readonly memory: number;
      readonly space: number;
      readonly hostname: string;
    }
  | 'invalid';

export interface SourceFixture {
  readonly source: HostSource;
  setRecords(records: Readonly<Record<string, FixtureRecord>>): Promise<void>;
  fail(): Promise<void>;
  recover(): Promise<void>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1' as Address;
const V6 = '::1' as Address;
const UNKNOWN_HOST = '127.0.0.9' as Address;

const RECORD = { os: 'debian', cpus: 8, memory: 16_777_216, space: 61_255_492, hostname: 'node-1' } as const;
const OTHER = { ...RECORD, cpus: 2, hostname: 'node-2' } as const;

const POLL_OPTIONS = { timeout: 20_000, interval: 10 };

const expectedFacts = ({ memory, space, ...others }: Exclude<FixtureRecord, string>) => ({
  ...others,
  memoryKib: memory,
  spaceKib: space,
});

export function hostSourceConforms(type: string, open: () => Promise<SourceFixture>): void {
  describe(`host source ${type}`, () => {
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

    test('returns the facts of the requested hosts only', async () => {
      expect(await read(HOST, V6)).toEqual({ [HOST]: expectedFacts(RECORD), [V6]: expectedFacts(OTHER) });
      expect(await read(V6)).toEqual({ [V6]: expectedFacts(OTHER) });
      expect(await read()).toEqual({});
    });

    test('omits unknown hosts', async () => {
      expect(await read(UNKNOWN_HOST)).toEqual({});
      expect(Object.keys(await read(UNKNOWN_HOST, HOST))).toEqual([HOST]);
    });

    test('returns changed facts and omits deleted hosts', async () => {
      await fixture.setRecords({ [HOST]: OTHER });
      expect(await read(HOST, V6)).toEqual({ [HOST]: expectedFacts(OTHER) });
    });

    test('omits invalid values but returns the host', async () => {
      await fixture.setRecords({ [HOST]: 'invalid', [V6]: OTHER });
      expect(await read(HOST, V6)).toEqual({ [HOST]: {}, [V6]: expectedFacts(OTHER) });
    });

    test('rejects with a readable message while unavailable, and recovers', async () => {
      await fixture.fail();
      await expect(fixture.source.read([HOST])).rejects.toThrow(/\S+ \S+ \S+/);
      await fixture.recover();
      expect(await read(HOST)).toEqual({ [HOST]: expectedFacts(RECORD) });
    });

    test('reports changes until the watch is aborted, if the source supports watch', async () => {
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
