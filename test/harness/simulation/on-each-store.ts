import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { StoreKind } from '../stores/stores.ts';
import { describeStores, SQLITE_UNLESS_LONG } from '../stores/stores.ts';
import { simulate } from './simulate.ts';
import type { Simulation } from './simulation.ts';
import type { WorldOptions } from './world-options.ts';

interface SuiteOptions extends WorldOptions {
  /** One for all tests, or one for each. */
  readonly per: 'suite' | 'test';
  /** Default: both. */
  readonly kinds?: readonly StoreKind[];
  /** What is there before a test begins. */
  readonly prepare?: (simulation: Simulation) => Promise<unknown>;
}

/** A simulation for each test, on PostgreSQL only when there is time. */
export const EACH_TEST = { per: 'test', kinds: SQLITE_UNLESS_LONG } as const;

/** Runs a suite in simulations, once on each store. The simulation, and all that is stored, are there when the tests run. */
export function simulateOnEachStore(
  what: string,
  { per, prepare, kinds, ...options }: SuiteOptions,
  suite: (simulation: () => Simulation, stored: () => Promise<string>) => void,
): void {
  const [before, after] = per === 'suite' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  describeStores(
    kind => `${what}, on ${kind}`,
    kind => {
      let simulated: Awaited<ReturnType<typeof simulate>>;
      before(async () => {
        simulated = await simulate(kind, options);
        await prepare?.(simulated.simulation);
      });
      after(() => simulated.end());
      suite(
        () => simulated.simulation,
        () => simulated.stored(),
      );
    },
    kinds,
  );
}
