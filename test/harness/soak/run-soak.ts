// Runs servers under load for a while. After the warm-up no resource grows, no work is lost or done twice,
// all hosts are checked, and enough work is done for a conclusion.

import { AUTHORIZATION } from '../workload/admin-client.ts';
import { EventReader } from '../workload/event-reader.ts';
import { WebhookLoad } from '../workload/webhook-load.ts';
import type { CheckCoverage } from './coverage.ts';
import { measureCheckCoverage } from './coverage.ts';
import type { Judgement, WorkPerHour } from './growth-verdict.ts';
import { computeRates } from './growth-verdict.ts';
import { findLostWork } from './lost-work.ts';
import { checkMinimumWork } from './minimum-work.ts';
import type { ReadingLog, SamplingOptions } from './readings.ts';
import { collectReadings } from './readings.ts';
import type { SoakEnvironmentOptions } from './soak-environment.ts';
import { SoakEnvironment } from './soak-environment.ts';
import { Workload } from './workload.ts';

export interface SoakOptions extends SoakEnvironmentOptions, SamplingOptions {
  readonly warmUpMinutes: number;
}

export interface SoakReport {
  readonly judged: readonly Judgement[];
  /** Lost, duplicate, missing or wrong work. */
  readonly losses: readonly string[];
  readonly done: Readonly<Record<string, number>>;
  /** After the warm-up. */
  readonly work: WorkPerHour;
  readonly readings: ReadingLog['readings'];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const IDLE_TIMEOUT_MS = 30_000;

/** Rates after the warm-up. */
function computeWork(
  { workSamples }: ReadingLog,
  fromMs: number,
  { servers, hostsPerBusyCluster }: SoakEnvironmentOptions,
  checks: number,
) {
  const rate = computeRates(workSamples.filter(({ atMs }) => atMs >= fromMs));
  const operations = rate('operations');
  return {
    ...{ servers, checks, operations, operationHosts: operations * hostsPerBusyCluster },
    ...{ requests: rate('requests'), events: rate('events'), readers: rate('readers') },
    transient_hosts: rate('transient_hosts') + rate('records'),
  };
}

function measureCoverage(
  { fleet, checkedHosts, options }: SoakEnvironment,
  fromMs: number,
  toMs: number,
): CheckCoverage {
  const intervalMs = options.checkIntervalS * 1000;
  return measureCheckCoverage(fleet.commands, { addresses: checkedHosts, intervalMs, fromMs, toMs });
}

export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { onProgress } = options;
  const environment = await SoakEnvironment.open(options);
  const reader = new EventReader({
    ...{ urls: () => environment.admin.urls, authorization: AUTHORIZATION, idleTimeoutMs: IDLE_TIMEOUT_MS },
    // Earlier events may already be pruned.
    after: (await environment.store.measureUsage()).lastEvent,
  });
  reader.start();
  let webhook: WebhookLoad | undefined;
  try {
    await environment.enrolAll(onProgress);
    webhook = await WebhookLoad.open(environment.admin);
    const workload = new Workload(environment, reader, webhook);
    workload.start();
    const startedMs = performance.now();
    const readingLog = await collectReadings(environment, workload, options).finally(() => workload.stop());
    const endedMs = performance.now();
    const warmUpMs = options.warmUpMinutes * MINUTE_MS;
    const coverage = measureCoverage(environment, startedMs + warmUpMs, endedMs);
    const checks = (coverage.checks * HOUR_MS) / (endedMs - startedMs - warmUpMs);
    const done = { ...workload.done, checks: coverage.checks };
    const work = computeWork(readingLog, warmUpMs, options, checks);
    const delaysMs = readingLog.delays.filter(({ atMs }) => atMs >= warmUpMs).map(({ value }) => value);
    const losses = [
      ...coverage.errors,
      ...checkMinimumWork(options, done, delaysMs),
      ...(await findLostWork(workload)),
    ];
    return { judged: readingLog.judge(warmUpMs, work), losses, done, work, readings: readingLog.readings };
  } finally {
    await reader.stop();
    await webhook?.close();
    await environment.stop();
  }
}
