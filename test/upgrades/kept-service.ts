import type { Address } from '../../src/domain/addresses/address.ts';
import { createLog } from '../../src/lib/log.ts';
import type { Overrides, Service } from '../../src/server/compose.ts';
import { startService } from '../../src/server/compose.ts';
import { loadConfig } from '../../src/server/configuration/config.ts';
import { basic } from '../harness/service.ts';
import { newFleet } from '../harness/simulated-service.ts';
import type { StoreKind, StorePlace } from '../harness/stores/stores.ts';
import { makeStorePlace, runSql } from '../harness/stores/stores.ts';
import type { Kept } from './kept-data.ts';
import { keptAbout, keptStatements } from './kept-data.ts';

const log = createLog('silent', false);
/** The data gets older each day, and nothing of it may be cut off for that. */
const NEVER = { HOSTLER_KEEP_LOG_DAYS: '36500', HOSTLER_KEEP_OPERATIONS_DAYS: '36500' };

/** The present version on a copy of data that was kept. */
export class KeptService {
  readonly kept: Kept;
  readonly #place: StorePlace;
  #service: Service | undefined;

  private constructor(kept: Kept, place: StorePlace) {
    this.kept = kept;
    this.#place = place;
  }

  static async open(version: string, kind: StoreKind): Promise<KeptService> {
    const place = await makeStorePlace(kind);
    await runSql(place, keptStatements(version, kind));
    return new KeptService(keptAbout(version, kind), place);
  }

  /** Its settings, for whatever runs beside it. */
  sources(more: Readonly<Record<string, string>> = {}) {
    const { folder, location } = this.#place;
    const environment = {
      ...{ HOSTLER_LISTEN: '127.0.0.1:0', HOSTLER_SECRET_KEY: this.kept.secretKey, ...NEVER },
      ...{ HOSTLER_DATA: folder, HOSTLER_STORE: location, ...more },
    };
    return { environment, flags: {} };
  }

  /** Starts it where no host is reached. */
  async start(
    settings: Readonly<Record<string, string>> = { HOSTLER_TRANSPORT: 'none' },
    overrides: Overrides = {},
  ) {
    this.#service = await startService(loadConfig(this.sources(settings)), log, overrides);
  }

  /** Starts it with pretend hosts in the place of those of the operation that was under way. */
  async startWithHosts(): Promise<void> {
    const fleet = newFleet();
    for (const address of this.kept.operation.hosts) fleet.add(address as Address, { os: 'debian' });
    await this.start({}, { transport: fleet.transport });
  }

  /** Asks as `user:password`, or by headers. */
  async ask<Body>(
    target: string,
    as: string | Readonly<Record<string, string>> = `admin:${this.kept.passwords['admin']}`,
    body?: object,
  ): Promise<{ readonly status: number; readonly body: Body }> {
    const headers = typeof as === 'string' ? { authorization: basic(as) } : as;
    const response = await fetch(`${this.#service?.url}${target}`, {
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { method: 'PUT', body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
    this.#service = undefined;
  }

  async remove(): Promise<void> {
    await this.stop();
    await this.#place.remove();
  }
}
