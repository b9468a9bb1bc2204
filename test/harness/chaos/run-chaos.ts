// One chaos run: restarts all hosts while faults occur, and returns the violated invariants.

import { setTimeout as delay } from 'node:timers/promises';
import type { SystemFault } from '../faults.ts';
import { isStoreFault } from '../faults.ts';
import { MIN_PAUSE_MS, waitUntil } from '../wait-until.ts';
import { AUTHORIZATION } from '../workload/admin-client.ts';
import { EventReader } from '../workload/event-reader.ts';
import {
  AcknowledgedChanges,
  checkAllRestarted,
  checkBudget,
  checkEventSequence,
  checkNothingMissing,
  checkOperationRecord,
  checkRebootedOnce,
  checkReceivedEvents,
  checkSameResponses,
} from '../workload/invariants.ts';
import type { OperationResponse } from '../workload/operations.ts';
import { pollUntilOperationEnds } from '../workload/operations.ts';
import { clusterLoad } from '../workload/records.ts';
import type { ChaosEnvironment } from './chaos-environment.ts';
import type { PlannedFault } from './fault-plan.ts';
import type { Takeover } from './takeover.ts';
import { checkTakeover, killAndMeasure } from './takeover.ts';

const IDLE_TIMEOUT_MS = 1500;
/**
 * For restarts that hang. On a busy machine a restart takes minutes, because all members are checked before
 * each decision.
 */
export const RESTART_TIMEOUT_MS = 300_000;

export interface ChaosRun {
  readonly environment: ChaosEnvironment;
  readonly maxUnavailable: number;
  readonly plan: readonly PlannedFault[];
  /** Injects one fault at a time and measures takeovers. Otherwise faults may overlap. */
  readonly isOrdered: boolean;
}

export interface ChaosReport {
  readonly violations: readonly string[];
  /** Faults injected before the restart ended. */
  readonly injectedFaults: readonly SystemFault[];
  readonly takeovers: readonly Takeover[];
  readonly acknowledged: number;
  readonly events: number;
  readonly seconds: number;
}

interface InjectedFault {
  readonly takeover?: Takeover;
  /** Runs in the background until the end of the run. */
  readonly recovery?: Promise<void>;
}

/** Injects a fault when it is due and reverts it. `undefined` if the operation ended before. */
async function injectFault(
  { kind, server: selected, ...fault }: PlannedFault,
  { environment, isOrdered }: ChaosRun,
  hasEnded: () => boolean,
): Promise<InjectedFault | undefined> {
  const isDue = () => hasEnded() || environment.fleet.rebootCount >= fault.afterReboots;
  await waitUntil(`${fault.afterReboots} reboots`, isDue, Number.POSITIVE_INFINITY, MIN_PAUSE_MS);
  await delay(fault.delayMs);
  if (hasEnded()) return undefined;
  if (isStoreFault(kind)) {
    await environment.postgres.inject(kind);
    await delay(fault.durationMs);
    await environment.postgres.revert(kind);
    return {};
  }
  const findServer = async () => {
    const server = selected === 'busiest' ? await environment.findBusiestServer() : environment.servers[selected ?? 0];
    if (server === undefined) throw new Error(`there is no server ${selected}`);
    return server;
  };
  // The killed server stays down until the other servers have taken over.
  if (kind === 'kill_server' && isOrdered) {
    const killed = await killAndMeasure(environment, findServer);
    return { takeover: killed.takeover, recovery: killed.server.revert(kind) };
  }
  const server = await findServer();
  await server.inject(kind);
  await delay(fault.durationMs);
  await server.revert(kind);
  return {};
}

/** Injects all faults. Faults of the same server, or of PostgreSQL, never overlap. */
async function injectAll(run: ChaosRun, hasEnded: () => boolean) {
  const { plan, isOrdered } = run;
  const chains = isOrdered ? [plan] : [...Map.groupBy(plan, ({ server }) => server).values()];
  const injectedFaults: SystemFault[] = [];
  const takeovers: Takeover[] = [];
  const recoveries: (Promise<void> | undefined)[] = [];
  await Promise.all(
    chains.map(async chain => {
      for (const fault of chain) {
        const injected = await injectFault(fault, run, hasEnded);
        if (injected === undefined) continue;
        injectedFaults.push(fault.kind);
        if (injected.takeover) takeovers.push(injected.takeover);
        recoveries.push(injected.recovery);
      }
    }),
  );
  await Promise.all(recoveries);
  return { injectedFaults, takeovers };
}

/** What the store knows about the hosts on which an operation has not ended, and which servers are registered. */
async function describeUnfinished(environment: ChaosEnvironment, hosts: OperationResponse['hosts']) {
  const unfinished = hosts.filter(({ phase }) => phase !== 'done');
  const rows = await Promise.all(
    unfinished.map(({ address }) =>
      environment.query(`select * from host_queue left join tasks using (host) where host = '${address}'`),
    ),
  );
  const servers = await environment.query('select *, (extract(epoch from now()) * 1000)::bigint as now from servers');
  return [...unfinished, ...rows.flat(), ...servers].map(row => JSON.stringify(row));
}

async function checkEndState(
  environment: ChaosEnvironment,
  status: string | undefined,
  hosts: OperationResponse['hosts'],
): Promise<readonly string[]> {
  if (status === 'finished') return [];
  const errors = environment.servers.flatMap(server => server.errors);
  return [
    `the operation is ${status ?? 'still running'}`,
    ...(await describeUnfinished(environment, hosts)),
    ...errors,
  ];
}

async function restartDuringFaults(run: ChaosRun) {
  const { environment, maxUnavailable } = run;
  const id = await environment.startRestart(maxUnavailable);
  let hasEnded = false;
  const injecting = injectAll(run, () => hasEnded);
  const ended = await pollUntilOperationEnds(environment.admin, id, { timeoutMs: RESTART_TIMEOUT_MS });
  hasEnded = true;
  return { id, status: ended?.status, ...(await injecting) };
}

interface LoggedEvent {
  readonly id: number;
  readonly type: string;
  readonly subject: string;
}

/** The event log in PostgreSQL, once the outbox is empty. */
async function readLog(environment: ChaosEnvironment): Promise<readonly LoggedEvent[]> {
  await waitUntil(
    'the outbox is empty',
    async () => (await environment.query('select id from outbox limit 1')).length === 0,
  );
  return environment.query<LoggedEvent>('select id::int as id, type, subject from log order by log.id');
}

/** Checks that the log and the reader have every event exactly once, although the reader changed servers. */
async function checkEvents(
  environment: ChaosEnvironment,
  reader: EventReader,
  acknowledged: AcknowledgedChanges,
): Promise<readonly string[]> {
  const logged = await readLog(environment);
  const last = logged.at(-1)?.id ?? 0;
  await waitUntil('the last event', () => reader.position >= last).catch(() => {});
  await reader.stop();
  const missing =
    reader.position < last ? [`the last event is ${last}, but the reader received ${reader.position}`] : [];
  return [
    ...checkEventSequence(logged.map(({ id }) => id)),
    ...acknowledged.findViolations(logged),
    ...checkReceivedEvents(reader, acknowledged),
    ...missing,
  ];
}

export async function runChaos(run: ChaosRun): Promise<ChaosReport> {
  const { environment, maxUnavailable } = run;
  const { admin, fleet } = environment;
  const startedMs = performance.now();
  const acknowledged = new AcknowledgedChanges();
  const writer = clusterLoad({ admin, acknowledged });
  const reader = new EventReader({
    ...{ urls: () => admin.urls, authorization: AUTHORIZATION, idleTimeoutMs: IDLE_TIMEOUT_MS },
  });
  writer.start();
  reader.start();
  try {
    const { id, status, injectedFaults, takeovers } = await restartDuringFaults(run);
    await writer.stop();
    const { rebootHistory: history } = fleet;
    const records = await admin.requestEach(`operation/${id}`);
    const clusters = await admin.requestEach('clusters');
    const [record = ''] = records;
    const { hosts } = JSON.parse(record) as OperationResponse;
    const created = acknowledged.subjects('cluster.created');
    const violations = [
      ...(await checkEndState(environment, status, hosts)),
      ...checkRebootedOnce(history),
      ...checkBudget(history, maxUnavailable),
      ...checkAllRestarted(history),
      ...checkOperationRecord(history, hosts, maxUnavailable),
      ...checkSameResponses(records),
      ...checkSameResponses(clusters),
      ...writer.errors,
      ...checkNothingMissing(created, JSON.parse(clusters[0] ?? '[]')),
      ...takeovers.flatMap(checkTakeover),
      ...(await checkEvents(environment, reader, acknowledged)),
    ];
    const seconds = (performance.now() - startedMs) / 1000;
    const counts = { acknowledged: created.length, events: reader.events.length };
    return { violations, injectedFaults, takeovers, ...counts, seconds };
  } finally {
    await writer.stop();
    await reader.stop();
  }
}
