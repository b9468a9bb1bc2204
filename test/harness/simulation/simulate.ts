import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openStoredRows } from '../stores/database-inspection.ts';
import type { StoreKind } from '../stores/stores.ts';
import { createTestDatabase, describeByStore, openTestDatabase, SQLITE_UNLESS_LONG } from '../stores/stores.ts';
import { Simulation } from './simulation.ts';
import type { SimulationOptions } from './simulation-options.ts';

export async function simulate(kind: StoreKind, options?: SimulationOptions) {
  const database = await createTestDatabase(kind, { isMigrated: true });
  const simulation = await Simulation.create(clock => openTestDatabase(database, { clock }), options);
  const rows = await openStoredRows(database);
  const end = async () => {
    await rows.close();
    await simulation.close();
    await database.remove();
  };
  return { simulation, stored: () => rows.read(), end };
}

interface SuiteOptions extends SimulationOptions {
  /** One simulation per suite, or per test. */
  readonly per: 'suite' | 'test';
  /** Default: both stores. */
  readonly kinds?: readonly StoreKind[];
  /** Runs before the tests. */
  readonly prepare?: (simulation: Simulation) => Promise<unknown>;
}

/** A simulation per test, on PostgreSQL only in long runs. */
export const EACH_TEST = { per: 'test', kinds: SQLITE_UNLESS_LONG } as const;

/** Runs a suite in simulations, once on each store. `stored` returns the content of the store. */
export function describeSimulation(
  name: string,
  { per, prepare, kinds, ...options }: SuiteOptions,
  suite: (simulation: () => Simulation, stored: () => Promise<string>) => void,
): void {
  const [before, after] = per === 'suite' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  describeByStore(
    kind => `${name}, on ${kind}`,
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
