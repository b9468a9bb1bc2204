// Freezes a server during a restart. Another server takes over, and the first one thaws during or after that. The host
// must reboot once. The short run freezes at each change of a phase, the long run at each call and each response,
// except for most polls of a rebooting host, which repeat each other.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReusedStore } from '../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../harness/simulation/reused-store.ts';
import { IS_LONG_RUN } from '../../harness/vitest/long-run.ts';
import { FREEZE_SETUP, freezeAndThaw } from './model/freeze-and-thaw.ts';
import { listPhaseChanges, recordTimeline } from './model/restart-timeline.ts';

const TIMEOUT_MS = IS_LONG_RUN ? 3_600_000 : 240_000;
const STRIDE_WHILE_REBOOTING = 9;
/** The last call of the previous phase, and a call of the next phase. */
const OFFSETS = [-1, 4];

let store: ReusedStore;
let calls: readonly number[];
beforeAll(async () => {
  store = await reusedStore('sqlite');
  calls = await listCalls();
});
afterAll(() => store.close());

const range = (from: number, to: number, step: number): readonly number[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);

async function listCalls(): Promise<readonly number[]> {
  const timeline = await recordTimeline({ store }, FREEZE_SETUP);
  const end = timeline.at(-1)?.call ?? 0;
  if (IS_LONG_RUN)
    return timeline.flatMap(({ call, phases }, index) => {
      const [from, to] = [index === 0 ? 1 : call, timeline[index + 1]?.call ?? call];
      const isWait = phases === 'rebooting' && timeline[index - 1]?.phases === phases;
      return range(from, to, isWait ? STRIDE_WHILE_REBOOTING : 1);
    });
  const changes = listPhaseChanges(timeline);
  expect(changes.length).toBeGreaterThan(7);
  return changes.flatMap(({ call }) => OFFSETS.map(offset => call + offset)).filter(call => call < end);
}

test.each(['rebooting', 'verifying', 'done'] as const)(
  'a frozen server breaks no invariant when it thaws while the host is %s',
  { timeout: TIMEOUT_MS },
  async thawsAt => {
    for (const call of calls) {
      const { violation, hasFrozen } = await freezeAndThaw({ store }, { call, thawsAt });
      expect(violation, `frozen at call ${call}`).toBeUndefined();
      expect(hasFrozen, `call ${call} is reached`).toBe(true);
    }
  },
);
