// Freezes a server at each call and each response of a restart. Another server takes over, and the first one
// thaws during or after that. The host must reboot once.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReusedStore } from '../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../harness/simulation/reused-store.ts';
import { freezeAndThaw, MAX_PASSES } from './model/freeze-and-thaw.ts';

/** Only the long run freezes at every call, which takes minutes. */
const [STRIDE, TIMEOUT_MS] = process.env['HOSTLER_TEST_ALL'] ? [1, 3_600_000] : [61, 240_000];

let store: ReusedStore;
beforeAll(async () => {
  store = await reusedStore('sqlite');
});
afterAll(() => store.close());

test.each(['rebooting', 'verifying', 'done'] as const)(
  'a frozen server breaks no invariant when it thaws while the host is %s',
  { timeout: TIMEOUT_MS },
  async thawsAt => {
    let pass = 1;
    for (; pass < MAX_PASSES; pass += STRIDE) {
      const { violation, hasFrozen } = await freezeAndThaw({ store }, { pass, thawsAt });
      expect(violation, `frozen at pass ${pass}`).toBeUndefined();
      if (!hasFrozen) break;
    }
    expect(pass).toBeGreaterThan(200);
    expect(pass).toBeLessThan(MAX_PASSES);
  },
);
