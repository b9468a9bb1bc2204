// A server freezes in the middle of a bootstrap, at each call it makes and at each answer it gets; another takes over and ends the
// bootstrap; the first one wakes up. Nothing of it arrives any more, neither on the host nor in the store.

import { expect, test } from 'vitest';
import { toRecordName } from '../../src/domain/record-name.ts';
import { simulateOnEachStore } from '../harness/simulation/on-each-store.ts';
import { MINUTE } from '../harness/simulation/world-options.ts';

/** More than a bootstrap has; the walk says how many it met. */
const MOST_PASSES = 400;
/** Every pass only in the long run, where it takes many minutes on PostgreSQL. */
const [STRIDES, LIMIT_MS] = process.env['HOSTLER_TEST_ALL']
  ? [{ sqlite: 1, postgres: 1 }, 3_600_000]
  : [{ sqlite: 5, postgres: 17 }, 240_000];

simulateOnEachStore(
  'a server frozen past its lease',
  {
    per: 'suite',
    // No check is due meanwhile: one that wakes up begins anew under another name, and may then do that.
    settings: { checkIntervalMs: 100 * 60 * MINUTE },
    prepare: simulation => simulation.makeCluster('web', 'nodes'),
  },
  (simulation, stored) => {
    /** All but who is at work: one that wakes up enters anew. */
    const whatIsStored = async () => (await stored()).replace(/.*"incarnation".*\n?/g, '');

    /** Answers whether the server had ended the bootstrap before it would have frozen. */
    async function freezeAndWake(address: string, freezesAtPass: number): Promise<boolean> {
      simulation().addMachine(address, { os: 'fedora' });
      await simulation().enrol(address, { cluster: toRecordName('web') });
      const { control: sleeper } = await simulation().startServer({ isShared: true, freezesAtPass });
      const isActive = async () => (await simulation().statusOf(address)) === 'active';
      await simulation().clock.advanceUntil(async () => sleeper.isFrozen || (await isActive()), MINUTE);
      if (!sleeper.isFrozen) {
        sleeper.kill();
        return true;
      }
      const { control: heir, complaints } = await simulation().startServer({ isShared: true });
      await simulation().until(address, 'active', 2 * MINUTE);
      await simulation().clock.advance(MINUTE / 2);
      expect(complaints).toEqual([]);
      // The host goes, and with it its node: nothing may bring either back.
      await simulation().remove(address);
      await simulation().clock.advanceUntil(async () => !(await stored()).includes(`"${address}"`), MINUTE);
      heir.kill();
      const [before, commands] = [await whatIsStored(), simulation().commandsOn(address)];
      sleeper.thaw();
      await simulation().clock.advance(3000);
      expect(await whatIsStored(), `woken at pass ${freezesAtPass}`).toBe(before);
      expect(simulation().commandsOn(address), `woken at pass ${freezesAtPass}`).toEqual(commands);
      sleeper.kill();
      return false;
    }

    test('nothing of it arrives when it wakes up', { timeout: LIMIT_MS }, async () => {
      const stride = STRIDES[simulation().store.isShared ? 'postgres' : 'sqlite'];
      let pass = 1;
      for (; pass < MOST_PASSES; pass += stride) {
        if (await freezeAndWake(`127.3.${pass >> 8}.${pass & 255}`, pass)) break;
      }
      expect(pass).toBeGreaterThan(30);
      expect(pass).toBeLessThan(MOST_PASSES);
    });
  },
);
