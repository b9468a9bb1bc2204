// A server freezes in the middle of a bootstrap, at each call it makes and at each answer it gets; another takes over and ends the
// bootstrap; the first one wakes up. Nothing of it arrives any more, neither on the host nor in the store.

import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/address.ts';
import { recordNameOf } from '../../src/domain/record-name.ts';
import { simulateOnEachStore } from '../harness/simulation/on-each-store.ts';
import { MINUTE } from '../harness/simulation/world.ts';

/** More than a bootstrap has; the walk says how many it met. */
const MOST_PASSES = 400;

simulateOnEachStore(
  'a server frozen past its lease',
  {
    per: 'suite',
    // No check is due meanwhile: one that wakes up begins anew under another name, and may then do that.
    settings: { checkIntervalMs: 100 * 60 * MINUTE },
    prepare: simulation => simulation.makeCluster('web', 'nodes'),
  },
  simulation => {
    const stored = async (address: string) => ({
      host: await simulation().host(address),
      work: await simulation().store.reads.work.of(address as Address),
      audit: (await simulation().store.reads.outbox.list({ host: address }, {})).items.length,
      agenda: await simulation().store.reads.agenda.nextDue(),
    });

    /** Answers whether the server had ended the bootstrap before it would have frozen. */
    async function freezeAndWake(address: string, freezesAtPass: number): Promise<boolean> {
      simulation().addMachine(address, { os: 'fedora' });
      await simulation().enrol(address, { cluster: recordNameOf('web') });
      const { mortal: sleeper } = await simulation().startServer({ isShared: true, freezesAtPass });
      const isActive = async () => (await simulation().statusOf(address)) === 'active';
      await simulation().clock.advanceUntil(async () => sleeper.isFrozen || (await isActive()), MINUTE);
      if (!sleeper.isFrozen) {
        sleeper.kill();
        return true;
      }
      const { mortal: heir, complaints } = await simulation().startServer({ isShared: true });
      await simulation().until(address, 'active', 2 * MINUTE);
      await simulation().clock.advance(MINUTE / 2);
      heir.kill();
      expect(complaints).toEqual([]);
      const [before, commands] = [await stored(address), simulation().commandsOn(address)];
      sleeper.thaw();
      await simulation().clock.advance(3000);
      expect(await stored(address), `woken at pass ${freezesAtPass}`).toEqual(before);
      expect(simulation().commandsOn(address), `woken at pass ${freezesAtPass}`).toEqual(commands);
      sleeper.kill();
      await simulation().remove(address);
      return false;
    }

    test('nothing of it arrives when it wakes up', { timeout: 240_000 }, async () => {
      let pass = 1;
      for (; pass < MOST_PASSES; pass += 1) {
        if (await freezeAndWake(`127.3.${pass >> 8}.${pass & 255}`, pass)) break;
      }
      expect(pass).toBeGreaterThan(30);
      expect(pass).toBeLessThan(MOST_PASSES);
    });
  },
);
