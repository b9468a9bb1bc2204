// One chaos run: restarts all hosts while faults occur, and returns the violated invariants.

import { waitUntil } from '../wait-until.ts';
import { AUTHORIZATION } from './admin-client.ts';
import type { ChaosEnvironment } from './chaos-environment.ts';
import { EventReader } from './event-reader.ts';
import { injectFault } from './fault-injector.ts';
import type { FaultKind, PlannedFault } from './fault-plan.ts';
import {
  checkAllRestarted,
  checkBudget,
  checkEvents,
  checkNothingMissing,
  checkRebootedOnce,
  checkRecord,
  checkSameResponses,
} from './invariants.ts';
import type { Takeover } from './takeover.ts';
import { checkTakeover } from './takeover.ts';
import type { OperationResponse } from './workload.ts';
import { BackgroundWriter, startRestart, waitForEnd } from './workload.ts';

const IDLE_TIMEOUT_MS = 1500;

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
  readonly injectedFaults: readonly FaultKind[];
  readonly takeovers: readonly Takeover[];
  readonly acknowledged: number;
  readonly events: number;
  readonly seconds: number;
}

/** Responses of all servers, once each responds. */
const requestEach = ({ admin, servers }: ChaosEnvironment, target: string): Promise<readonly string[]> =>
  Promise.all(
    servers.map(server =>
      waitUntil(`GET ${target} of each server`, async () => {
        const response = await admin.request(server, target);
        return response?.status === 200 && JSON.stringify(response.body);
      }),
    ),
  );

/** Injects all faults. Faults of the same server, or of PostgreSQL, never overlap. */
async function injectAll({ environment, plan, isOrdered }: ChaosRun, hasEnded: () => boolean) {
  const chains = isOrdered ? [plan] : [...Map.groupBy(plan, ({ server }) => server).values()];
  const injectedFaults: FaultKind[] = [];
  const takeovers: Takeover[] = [];
  const recoveries: (Promise<void> | undefined)[] = [];
  await Promise.all(
    chains.map(async chain => {
      for (const fault of chain) {
        const injected = await injectFault(fault, { environment, hasEnded, measuresTakeover: isOrdered });
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

const MAX_RECORD_CHARACTERS = 400;

const checkEndState = (status: string | undefined, record: string): readonly string[] =>
  status === 'finished'
    ? []
    : [`the operation is ${status ?? 'still running'}: ${record.slice(0, MAX_RECORD_CHARACTERS)}`];

async function restartDuringFaults(run: ChaosRun) {
  const id = await startRestart(run.environment, run.maxUnavailable);
  let hasEnded = false;
  const injecting = injectAll(run, () => hasEnded);
  const status = await waitForEnd(run.environment, id);
  hasEnded = true;
  return { id, status, ...(await injecting) };
}

export async function runChaos(run: ChaosRun): Promise<ChaosReport> {
  const { environment, maxUnavailable } = run;
  const startedMs = performance.now();
  const writer = new BackgroundWriter(environment.admin);
  const urls = () => environment.servers.flatMap(({ url }) => url ?? []);
  const reader = new EventReader({ urls, authorization: AUTHORIZATION, idleTimeoutMs: IDLE_TIMEOUT_MS });
  writer.start();
  reader.start();
  try {
    const { id, status, injectedFaults, takeovers } = await restartDuringFaults(run);
    await writer.stop();
    const { rebootHistory: history } = environment.fleet;
    const records = await requestEach(environment, `operation/${id}`);
    const clusters = await requestEach(environment, 'clusters');
    const [record = ''] = records;
    const { hosts } = JSON.parse(record) as OperationResponse;
    const violations = [
      ...checkEndState(status, record),
      ...checkRebootedOnce(history),
      ...checkBudget(history, maxUnavailable),
      ...checkAllRestarted(history),
      ...checkRecord(history, hosts, maxUnavailable),
      ...checkSameResponses(records),
      ...checkSameResponses(clusters),
      ...checkNothingMissing(writer.acknowledged, JSON.parse(clusters[0] ?? '[]')),
      ...takeovers.flatMap(checkTakeover),
      ...(await checkEvents(environment, reader, writer.acknowledged)),
    ];
    const counts = { acknowledged: writer.acknowledged.length, events: reader.events.length };
    return {
      violations,
      injectedFaults,
      takeovers,
      ...counts,
      seconds: (performance.now() - startedMs) / 1000,
    };
  } finally {
    await writer.stop();
    await reader.stop();
  }
}
