// A server dies at each commit of a restart in turn, just before and just after: whoever comes next brings it to its end, and each host is
// rebooted once.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import type { Crash } from '../../harness/simulation/killable-server.ts';
import type { ReusedStore } from '../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../harness/simulation/reused-store.ts';
import { describeStores } from '../../harness/stores/stores.ts';
import { ask } from './model/deeds.ts';
import { PLAIN } from './model/plain-setup.ts';
import { passUntil, problemAtTheEnd, setTheScene } from './model/play.ts';
import { isOpen } from './model/state.ts';

const MINUTE = 60_000;
/** More than a restart has; the walk says how many it met. */
const MOST_COMMITS = 200;
/** Every so many commits: a long run has them all on SQLite. PostgreSQL takes its time; there, a few are enough. */
const STRIDES = process.env['HOSTLER_TEST_ALL'] ? { sqlite: 1, postgres: 15 } : { sqlite: 7, postgres: 30 };

describeStores(
  kind => `a server killed at every commit of a restart, on ${kind}`,
  kind => {
    let store: ReusedStore;
    beforeAll(async () => {
      store = await reusedStore(kind);
    });
    afterAll(() => store.end());

    /** Restarts hosts of its own under a server that dies; answers whether it lived to see the end. */
    async function restartUntilDeath(crash: Crash): Promise<boolean> {
      const cast = await setTheScene({ store }, { ...PLAIN, deaths: [crash] });
      const { simulation, watcher } = cast;
      await cast.startServer();
      await ask(cast, PLAIN.asked);
      const isOver = () => !watcher.state.operations.some(isOpen);
      expect(await passUntil(cast, isOver, 20 * MINUTE), watcher.violation).toBe(true);
      expect(watcher.violation ?? (await problemAtTheEnd(cast))).toBeUndefined();
      expect(watcher.state.planned.map(({ phase }) => phase)).toEqual(['done', 'done']);
      for (const { host } of watcher.state.planned) {
        const asked = simulation.fleet.host(host as Address).boots.filter(({ cause }) => cause === 'asked');
        expect(asked, `${crash.when} commit ${crash.commit}`).toHaveLength(1);
      }
      const hasLived = !simulation.servers.slice(1).some(({ control }) => control.isDead);
      await simulation.end();
      return hasLived;
    }

    const stride = STRIDES[kind];

    test.each(['before', 'after'] as const)(
      'each host is done, and was rebooted once, when it died just %s it',
      { timeout: 120_000 },
      async when => {
        let commit = 1;
        while (!(await restartUntilDeath({ commit, when }))) {
          commit += stride;
          expect(commit, 'a restart has an end').toBeLessThan(MOST_COMMITS);
        }
        // A start, the plan, and each step of both hosts: fewer would mean that deaths were not met.
        expect(commit).toBeGreaterThan(30);
      },
    );
  },
);
