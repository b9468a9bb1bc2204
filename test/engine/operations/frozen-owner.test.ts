// A server freezes in the middle of a restart, at each call it makes and at each answer it gets; another takes over; the first one wakes up
// while that is at work, or afterwards. Each host is rebooted once all the same.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReusedStore } from '../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../harness/simulation/reused-store.ts';
import { freezeAndWake, MOST_PASSES } from './model/freeze-and-wake.ts';

/** Every so many passes: a long run has them all. */
const STRIDE = process.env['HOSTLER_TEST_ALL'] ? 1 : 31;

let store: ReusedStore;
beforeAll(async () => {
  store = await reusedStore('sqlite');
});
afterAll(() => store.end());

test.each(['rebooting', 'verifying', 'done'] as const)(
  'nothing goes wrong when it wakes up as the host is %s',
  { timeout: 240_000 },
  async wakesAt => {
    let pass = 1;
    for (; pass < MOST_PASSES; pass += STRIDE) {
      const { problem, hasFrozen } = await freezeAndWake({ store }, { pass, wakesAt });
      expect(problem, `frozen at pass ${pass}`).toBeUndefined();
      if (!hasFrozen) break;
    }
    expect(pass).toBeGreaterThan(200);
    expect(pass).toBeLessThan(MOST_PASSES);
  },
);
