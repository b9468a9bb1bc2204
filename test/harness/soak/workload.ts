// All load of a soak run, and its errors.

import { Random } from '../random.ts';
import { dashboardReader, resumingReader, stalledReader } from '../workload/event-load.ts';
import type { EventReader } from '../workload/event-reader.ts';
import { AcknowledgedChanges } from '../workload/invariants.ts';
import type { LoadLoop } from '../workload/load-loop.ts';
import { operationLoad } from '../workload/operations.ts';
import { RecordLoad, transientHostLoad } from '../workload/records.ts';
import { RequestCounts, requestLoad, ScenarioClient } from '../workload/request-load.ts';
import type { WebhookLoad } from '../workload/webhook-load.ts';
import type { SoakEnvironment } from './soak-environment.ts';
import { clusterName, SESSION_S } from './soak-environment.ts';

const REQUEST_PAUSE_MS = 100;
/**
 * Clients repeat the same scenarios, because the caches of the server hold more clients than a run could
 * create.
 */
const SCENARIO_COUNT = 1000;
const RESPONSE_TIMEOUT_MS = 60_000;
const CLIENTS_PER_KIND = 4;
const API_CLIENTS_PER_SERVER = 2;

type LoopKind = 'records' | 'operations' | 'transientHosts' | 'requests' | 'readers';

export class Workload {
  readonly environment: SoakEnvironment;
  readonly reader: EventReader;
  readonly webhook: WebhookLoad;
  readonly records: RecordLoad;
  readonly acknowledged = new AcknowledgedChanges();
  readonly #loops: Readonly<Record<LoopKind, readonly LoadLoop[]>>;
  readonly #counts = new RequestCounts();

  constructor(environment: SoakEnvironment, reader: EventReader, webhook: WebhookLoad) {
    this.environment = environment;
    this.reader = reader;
    this.webhook = webhook;
    const { admin, fleet, busyClusters, transientHosts } = environment;
    const options = { admin, fleet, acknowledged: this.acknowledged, cluster: clusterName(0) };
    this.records = new RecordLoad(options);
    const random = new Random(environment.options.seed);
    this.#loops = {
      records: [this.records.loop],
      operations: busyClusters.map(cluster => operationLoad(options, cluster)),
      transientHosts: transientHosts.map(address => transientHostLoad(options, address)),
      requests: Array.from({ length: API_CLIENTS_PER_SERVER }, () => admin.urls)
        .flat()
        .map((url, index) =>
          requestLoad({
            client: new ScenarioClient(url, RESPONSE_TIMEOUT_MS),
            counts: this.#counts,
            pauseMs: REQUEST_PAUSE_MS,
            scenario: round => 1 + index * SCENARIO_COUNT + (round % SCENARIO_COUNT),
          }),
        ),
      readers: Array.from({ length: CLIENTS_PER_KIND }, () => [
        resumingReader(admin, random, () => reader.position),
        stalledReader(admin, random),
        dashboardReader(admin, random, SESSION_S),
      ]).flat(),
    };
  }

  get #allLoops(): readonly LoadLoop[] {
    return Object.values(this.#loops).flat();
  }

  start(): void {
    for (const loop of this.#allLoops) loop.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#allLoops.map(loop => loop.stop()));
  }

  get done(): Readonly<Record<string, number>> {
    const countDone = (kind: LoopKind) => this.#loops[kind].reduce((sum, { completed }) => sum + completed, 0);
    return {
      operations: countDone('operations'),
      transient_hosts: countDone('transientHosts'),
      records: countDone('records'),
      readers: countDone('readers'),
      requests: this.#counts.requests,
      unavailable_responses: this.#counts.unavailable,
      store_timeouts: this.environment.servers.reduce((sum, { storeTimeouts }) => sum + storeTimeouts, 0),
      events: this.reader.events.length,
      webhook_messages: this.webhook.received,
    };
  }

  get errors(): readonly string[] {
    return this.#allLoops.flatMap(({ errors }) => errors);
  }
}
