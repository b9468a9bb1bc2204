import type { StoreKind } from '../stores.ts';
import { makeStorePlace, openPlace } from '../stores.ts';
import type { Options } from './simulation.ts';
import { Simulation } from './simulation.ts';

/** A simulation on a store of its own. */
export async function simulate(kind: StoreKind, options?: Options) {
  const place = await makeStorePlace(kind);
  const simulation = await Simulation.over(clock => openPlace(place, { clock }), options);
  const end = async () => {
    await simulation.end();
    await place.remove();
  };
  return { simulation, end };
}
