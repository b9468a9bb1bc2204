import type { TObject } from 'typebox';
import type { Overview } from '../domain/fleet-stats.ts';
import { requireServiceKey } from '../domain/secret.ts';
import type { Ports } from './ports.ts';

interface ConfigurableDriver {
  readonly type: string;
  readonly summary: string;
  readonly options: TObject;
}

/** A driver as it is told, its schema as plain JSON. */
const describeDriver = ({ type, summary, options }: ConfigurableDriver) => ({
  type,
  summary,
  options: structuredClone({ ...options }) as Readonly<Record<string, unknown>>,
});

/** What can be swapped: every driver of each kind, and what its options look like. */
export const listDrivers = ({ drivers, transports }: Ports) => ({
  os: drivers.os.drivers.map(({ type, summary, osNames }) => ({ type, summary, systems: osNames })),
  transport: transports.map(({ type, summary }) => ({ type, summary })),
  network: drivers.network.map(describeDriver),
  container_manager: drivers.container_manager.map(describeDriver),
  host_source: drivers.host_source.map(describeDriver),
});

export const readOverview = ({ store }: Ports): Promise<Overview> => store.reads.overview.read();

/** What hosts put into `authorized_keys` that enrol without a key of theirs. */
export async function readPublicKey({ store }: Ports): Promise<string> {
  return requireServiceKey(await store.reads.serviceKey.get()).publicKey;
}
