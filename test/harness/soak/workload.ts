import { setTimeout as delay } from 'node:timers/promises';
import type { EventReader } from '../chaos/event-reader.ts';
import { Random } from '../random.ts';
import { getScenario } from '../traffic/request-scenarios.ts';
import type { ScenarioRequest } from '../traffic/requests.ts';
import { TestClient } from '../traffic/traffic.ts';
import { AcknowledgedChanges } from './consistency-checks.ts';
import { dashboardReader, resumingReader, stalledReader } from './event-clients.ts';
import { LoadLoop } from './load-loop.ts';
import { operationLoad } from './operation-load.ts';
import { RecordLoad, transientHostLoad } from './record-load.ts';
import type { SoakEnvironment } from './soak-environment.ts';
import type { WebhookLoad } from './webhook-load.ts';

const PAUSE_MS = 100;
/**
 * Clients repeat the same scenarios, because the caches of the server hold more clients than a run could
 * create.
 */
const SCENARIO_COUNT = 1000;
const RESPONSE_TIMEOUT_MS = 60_000;
const RETRY_DELAY_MS = 500;
const UNAVAILABLE = 503;

export interface RequestCounts {
  requests: number;
  /** Number of 503 responses. */
  unavailable: number;
}

/**
 * Runs request scenarios on a server. It reports unexpected responses and completes the scenario, so that its
 * records are removed.
 */
function apiLoad(url: string, firstScenario: number, count: RequestCounts): LoadLoop {
  const client = new TestClient(url, RESPONSE_TIMEOUT_MS);
  const send = async (request: ScenarioRequest): Promise<readonly string[]> => {
    count.requests += 1;
    const unexpected = await client.send(request);
    if (unexpected?.status !== UNAVAILABLE) return unexpected ? [unexpected.text] : [];
    count.unavailable += 1;
    await delay(RETRY_DELAY_MS);
    return send(request);
  };
  return new LoadLoop('request scenario', PAUSE_MS, async number => {
    const errors: string[] = [];
    for (const request of getScenario(firstScenario + (number % SCENARIO_COUNT))) errors.push(...(await send(request)));
    return errors;
  });
}

// All load of a soak run, and its errors.

const CLIENTS_PER_KIND = 4;
const API_CLIENTS_PER_SERVER = 2;

export class Workload {
  readonly environment: SoakEnvironment;
  readonly reader: EventReader;
  readonly webhook: WebhookLoad;
  readonly records: RecordLoad;
  readonly acknowledged = new AcknowledgedChanges();
  readonly #loops: readonly LoadLoop[];
  readonly #count: RequestCounts = { requests: 0, unavailable: 0 };

  constructor(environment: SoakEnvironment, reader: EventReader, webhook: WebhookLoad) {
    this.environment = environment;
    this.reader = reader;
    this.webhook = webhook;
    this.records = new RecordLoad(environment, this.acknowledged);
    const random = new Random(1);
    this.#loops = [
      this.records.loop,
      ...environment.rings.map(ring => operationLoad(environment, ring, this.acknowledged)),
      ...environment.transientHosts.map(address => transientHostLoad(environment, address, this.acknowledged)),
      ...Array.from({ length: API_CLIENTS_PER_SERVER * environment.urls.length }, (_, index) =>
        apiLoad(environment.urls[index % environment.urls.length] ?? '', 1 + index * SCENARIO_COUNT, this.#count),
      ),
      ...Array.from({ length: CLIENTS_PER_KIND }, () => [
        resumingReader(environment, random, () => reader.position),
        stalledReader(environment, random),
        dashboardReader(environment, random),
      ]).flat(),
    ];
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map(loop => loop.stop()));
  }

  get done(): Readonly<Record<string, number>> {
    const countDone = (prefix: string) =>
      this.#loops.filter(({ name }) => name.startsWith(prefix)).reduce((sum, { completed }) => sum + completed, 0);
    return {
      operations: countDone('operations'),
      guests: countDone('host'),
      records: countDone('records'),
      readers: countDone('resuming reader') + countDone('stalled reader') + countDone('dashboard user'),
      requests: this.#count.requests,
      turned_away: this.#count.unavailable,
      unavailable: this.environment.servers.reduce((sum, { unavailable }) => sum + unavailable, 0),
      events: this.reader.events.length,
      webhook_messages: this.webhook.received,
    };
  }

  get errors(): readonly string[] {
    return this.#loops.flatMap(({ errors }) => errors);
  }
}
