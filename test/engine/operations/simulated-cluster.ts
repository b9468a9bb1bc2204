// A cluster of active simulated hosts, and operations on it.

import { startOperation } from '../../../src/app/operations/start-operation.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { AppError } from '../../../src/domain/errors.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import type { PolicyInput } from '../../../src/domain/rollout/policy.ts';
import type { HostPhase, OperationKind } from '../../../src/domain/vocabulary.ts';
import type { Simulation } from '../../harness/simulation/simulation.ts';

const HOUR_MS = 3_600_000;

interface ClusterOptions {
  readonly name?: string;
  readonly os?: string;
  readonly hasManager?: boolean;
  /** Boot time of each host. */
  readonly bootMs?: number;
}

export const addresses = (count: number): readonly Address[] =>
  Array.from({ length: count }, (_, index) => `127.0.0.${index + 1}` as Address);

export async function createSimulatedCluster(
  simulation: Simulation,
  hosts: readonly Address[],
  { name = 'c', os = 'debian', hasManager = true, ...spec }: ClusterOptions = {},
) {
  const { ports, store, clock } = simulation;
  const cluster = toRecordName(name);
  await simulation.makeCluster(name, hasManager ? { name: 'm', type: 'simulated' } : undefined);
  await simulation.enrolHosts(hosts, { os, ...spec }, { cluster });
  for (const host of hosts) await simulation.waitForStatus(host, 'active');

  const operation = (id: string) => store.reads.operations.get(id);
  const planned = (id: string, host: Address) => store.reads.operationHosts.get(id, host);
  const until = (condition: () => Promise<boolean>) => clock.advanceUntil(condition, 24 * HOUR_MS);
  return {
    operation,
    planned,
    until,
    start: async (kind: OperationKind, policyInput: PolicyInput = {}, version = ''): Promise<string> => {
      const request = { cluster, kind, version, policyInput, idempotencyKey: null };
      const started = await startOperation(ports, LOCAL_ACTOR, request);
      if (started instanceof AppError) throw new Error(started.detail);
      return started.record.id;
    },
    untilPhase: (id: string, host: Address, phase: HostPhase) =>
      until(async () => (await planned(id, host))?.phase === phase),
    untilEnded: (id: string) => until(async () => ((await operation(id))?.finishedAt ?? null) !== null),
    /** Phases of all hosts, in their order. */
    phases: async (id: string) => (await store.reads.operationHosts.list(id)).items.map(({ phase }) => phase).join(' '),
  };
}
