import { openStoredRows } from '../stores/stored-rows.ts';
import type { StoreKind } from '../stores/stores.ts';
import { makeStorePlace, openPlace } from '../stores/stores.ts';
import { Simulation } from './simulation.ts';
import type { WorldOptions } from './world-options.ts';

/** A simulation on a store of its own. */
export async function simulate(kind: StoreKind, options?: WorldOptions) {
  const place = await makeStorePlace(kind, { isForgetful: true });
  const simulation = await Simulation.over(clock => openPlace(place, { clock }), options);
  const rows = await openStoredRows(place);
  const end = async () => {
    await rows.close();
    await simulation.end();
    await place.remove();
  };
  return { simulation, stored: () => rows.read(), end };
}
