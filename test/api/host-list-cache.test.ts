// The store keeps the JSON of each host for lists. It must equal the JSON of the API.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import type { Host } from '../../src/domain/hosts/host.ts';
import { HOST_STATUSES } from '../../src/domain/vocabulary.ts';
import { viewHostEntry } from '../../src/http/views/host.ts';
import { createTestDatabase, describeByStore, openTestDatabase } from '../harness/stores/stores.ts';

const kiB = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const anyHost: fc.Arbitrary<Host> = fc.record({
  address: fc.oneof(fc.ipV4(), fc.constantFrom('::1', '2001:db8::ff')) as fc.Arbitrary<Address>,
  enrolment: fc.constant('e'),
  status: fc.constantFrom(...HOST_STATUSES),
  reason: fc.string(),
  os: fc.constantFrom('', 'fedora', 'opensuse', 'other'),
  cpus: fc.integer({ min: 0, max: 100_000 }),
  memoryKib: kiB,
  spaceKib: kiB,
  lastCheck: fc.constantFrom('', '2015-12-17T15:48:18.710454'),
  source: fc.constantFrom('', 'inventory'),
  sourceFacts: fc.option(
    fc.record(
      {
        os: fc.constantFrom('debian', 'other'),
        cpus: fc.integer({ min: 0, max: 100_000 }),
        memoryKib: kiB,
        spaceKib: kiB,
        hostname: fc.domain(),
      },
      { requiredKeys: [] },
    ),
  ),
  cluster: fc.constant(null),
  hostname: fc.constant(''),
  bootId: fc.constant(''),
  osDriver: fc.constant(''),
  osVersion: fc.constant(''),
  kernel: fc.constant(''),
  architecture: fc.constant(''),
  boots: fc.constant(1),
  bootedAt: fc.constant(''),
  registeredWith: fc.constant(null),
  maintenance: fc.constant(null),
});

describeByStore(
  kind => `stored host entry on ${kind}`,
  kind => {
    test('equals the API response, field by field and in the same order', async () => {
      const database = await createTestDatabase(kind, { isMigrated: true });
      const store = await openTestDatabase(database);
      await fc.assert(
        fc.asyncProperty(anyHost, async host => {
          await store.transaction(async records => {
            if (await records.hosts.insertOrLock(host)) await records.hosts.update(host);
          });
          const entry = await store.reads.hosts.getEntry(host.address);
          expect(JSON.parse(entry?.entryJson ?? '')).toEqual(viewHostEntry(host));
          expect(await store.reads.hosts.get(host.address)).toEqual(host);
          expect(Object.keys(JSON.parse(entry?.entryJson ?? ''))).toEqual(Object.keys(viewHostEntry(host)));
        }),
        { numRuns: 60 },
      );
      await store.close();
      await database.remove();
    });
  },
);
