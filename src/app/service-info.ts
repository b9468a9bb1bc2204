import type { TObject } from 'typebox';
import type { Overview } from '../domain/fleet-stats.ts';
import { requireServiceKey } from '../domain/secret.ts';
import type { Ports } from './ports.ts';

interface ConfigurableDriver {
  readonly type: string;
  readonly summary: string;
  readonly options: TObject;
}

const describeDriver = ({ type, summary, options }: ConfigurableDriver) => ({
  type,
  summary,
  options: structuredClone({ ...options }) as Readonly<Record<string, unknown>>,
});

export const listDrivers = ({ drivers, transports }: Ports) => ({
  os: drivers.os.drivers.map(({ type, summary, osNames }) => ({ type, summary, systems: osNames })),
  transport: transports.map(({ type, summary }) => ({ type, summary })),
  network: drivers.network.map(describeDriver),
  container_manager: drivers.container_manager.map(describeDriver),
  host_source: drivers.host_source.map(describeDriver),
});

export const readOverview = ({ store }: Ports): Promise<Overview> => store.reads.overview.read();

/** Hosts that enrol without their own key add it to `authorized_keys`. */
export async function readPublicKey({ store }: Ports): Promise<string> {
  return requireServiceKey(await store.reads.serviceKey.get()).publicKey;
}
