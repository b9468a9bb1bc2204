import type { HostSourceDriver } from '../../drivers/host-source/host-source.ts';
import type { SourceConfig } from '../../engine/sources/refresh-source.ts';
import type { ConnectionPool } from '../../integrations/http/connection-pool.ts';
import type { SourceEntry } from '../configuration/setting-values.ts';
import { sourceSetting } from '../configuration/source-settings.ts';

/** The host sources of a configuration. Nothing is asked of them yet. */
export const openSources = (
  entries: readonly SourceEntry[],
  drivers: readonly HostSourceDriver[],
  connections: ConnectionPool,
): readonly SourceConfig[] =>
  entries.map(entry => {
    const { name, type, refreshS, options } = sourceSetting(entry);
    const driver = drivers.find(candidate => candidate.type === type);
    if (driver === undefined)
      throw new Error(`this version has no driver for host sources of the type ${type}`);
    return { name, refreshMs: refreshS * 1000, source: driver.open({ options, connections }) };
  });
