import type { TObject } from 'typebox';
import type { Ports } from './ports.ts';

interface Configurable {
  readonly type: string;
  readonly summary: string;
  readonly options: TObject;
}

/** A driver as it is told, its schema as plain JSON. */
const configurable = ({ type, summary, options }: Configurable) => ({
  type,
  summary,
  options: structuredClone({ ...options }) as Readonly<Record<string, unknown>>,
});

/** What can be swapped: every driver of each kind, and what its options look like. */
export const listDrivers = ({ drivers, transports }: Ports) => ({
  os: drivers.os.drivers.map(({ type, summary, osNames }) => ({ type, summary, systems: osNames })),
  transport: transports.map(({ type, summary }) => ({ type, summary })),
  network: drivers.network.map(configurable),
  container_manager: drivers.container_manager.map(configurable),
  host_source: drivers.host_source.map(configurable),
});
