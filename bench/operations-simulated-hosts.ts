// Restarts simulated hosts without latency on a real store, so that the remaining time is the time of Hostler
// itself. Completed steps are on disk.

import { startOperation } from '../src/app/operations/start-operation.ts';
import { LOCAL_ACTOR } from '../src/domain/accounts/account.ts';
import { AppError } from '../src/domain/errors.ts';
import { toRecordName } from '../src/domain/record-name.ts';
import type { TimerClock } from '../src/lib/time/clock.ts';
import type { Store } from '../src/store/store.ts';
import { Simulation } from '../test/harness/simulation/simulation.ts';
import { MINUTE } from '../test/harness/simulation/simulation-options.ts';
import { toAddress } from './seed-store.ts';

const CLUSTER = toRecordName('web');
const NO_LATENCY = { connectMs: 0, commandMs: 0, rebootDelayMs: 0, bootMs: 0 };
/** Preflight, arm, reboot, reconnect, verify: each is saved before the next starts. */
const STEPS_PER_HOST = 5;
const POLICY = { maxUnavailable: 100, stageParallel: 200, minHealthyS: 0 } as const;

export interface SimulatedRun {
  readonly hosts: number;
  readonly seconds: number;
  readonly stepsPerSecond: number;
  readonly msPerHost: number;
  readonly heapMib: number;
}

function heapMib(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** Enrols the hosts and restarts all of them. */
export async function restartSimulated(
  open: (clock: TimerClock) => Promise<Store>,
  hosts: number,
): Promise<SimulatedRun> {
  const simulation = await Simulation.create(open, {
    latencies: NO_LATENCY,
    // No health checks during the operation.
    settings: { checkIntervalMs: 24 * 60 * MINUTE },
  });
  try {
    await simulation.makeCluster('web');
    await simulation.startServer();
    for (let index = 0; index < hosts; index += 1)
      await simulation.enrolHosts([toAddress(index)], {}, { cluster: CLUSTER });
    const { reads } = simulation.store;
    const areActive = async () => (await reads.clusters.getWithCounts(CLUSTER))?.members.active === hosts;
    await simulation.clock.advanceUntil(areActive, 60 * MINUTE);
    const startedMs = performance.now();
    const request = {
      cluster: CLUSTER,
      kind: 'restart',
      version: '',
      policyInput: POLICY,
      idempotencyKey: null,
    } as const;
    const started = await startOperation(simulation.ports, LOCAL_ACTOR, request);
    if (started instanceof AppError) throw new Error(started.detail);
    const { id } = started.record;
    let state: string | undefined;
    const hasEnded = async () => {
      state = (await reads.operations.get(id))?.state;
      return state === 'finished' || state === 'failed';
    };
    await simulation.clock.advanceUntil(hasEnded, 24 * 60 * MINUTE);
    const seconds = (performance.now() - startedMs) / 1000;
    const { done } = await reads.operationHosts.countByState(id);
    if (done !== hosts) throw new Error(`${done} of ${hosts} hosts are done, and the operation is ${state}`);
    return {
      hosts,
      seconds,
      stepsPerSecond: (hosts * STEPS_PER_HOST) / seconds,
      msPerHost: (1000 * seconds) / hosts,
      heapMib: heapMib(),
    };
  } finally {
    await simulation.close();
  }
}
