// Operation responses and host events, for tests of clients that follow operations.

import type { HostPhase, OperationHostState } from '../../../src/domain/vocabulary.ts';
import type { StreamEvent } from '../../../src/sdk/event-stream.ts';
import type { OperationResponse } from '../../../src/sdk/operation-progress.ts';

/** Seconds after noon. */
const timestamp = (seconds: number) => `2026-11-15T12:00:${String(seconds).padStart(2, '0')}.000000`;

export const afterNoonMs = (seconds: number): number => Date.parse(`${timestamp(0)}Z`) + seconds * 1000;

/** Phases with the second in which each started. */
type Phases = readonly (readonly [HostPhase, number])[];

interface OperationResponseOptions extends Partial<Omit<OperationResponse['report'], 'budget' | 'hosts' | 'policy'>> {
  readonly position?: number;
  readonly errors?: Readonly<Record<string, string>>;
}

const POLICY: OperationResponse['report']['policy'] = {
  ...{ max_unavailable: 1, canary: 0, ramp: false, max_failures: 0, on_failure: 'fail', hosts: null },
  ...{ unhealthy: 'count', max_excluded: '10%', wait: false },
  ...{ labels: [], order: 'address', stage_parallel: 20, reboot: 'always', check: null, min_healthy_s: 10 },
  ...{ window: null, dry_run: false, drain: false },
  timeouts: { stage: 1800, apply: 1800, reboot: 900, ready: 600 },
};

function hostResponse(
  address: string,
  phases: Phases,
  error: string | undefined,
): OperationResponse['report']['hosts'][number] {
  const phase = phases.at(-1)?.[0] ?? 'pending';
  return {
    ...{ address, hostname: '', phase, state: phase, attempt: 1, position: 0, control_plane: false, detail: '' },
    phases: phases.map(([name, at]) => ({ phase: name, attempt: 1, at: timestamp(at) })),
    ...{ started_at: null, finished_at: null, error: error ?? null, already_there: false },
    ...{ skip_reason: null, cordoned: false, output: [] },
  };
}

export function operationResponse(
  hosts: Readonly<Record<string, Phases>>,
  { position = 1, errors = {}, ...fields }: OperationResponseOptions = {},
): OperationResponse {
  const counts = { total: 0, pending: 0, preparing: 0, queued: 0, in_flight: 0, done: 0, failed: 0, skipped: 0 };
  return {
    ...{ position, clockOffsetMs: 0 },
    report: {
      ...{ id: 'WyzVWrRqLeNReH6i', kind: 'restart', cluster: 'web', status: 'in_process', state: 'running' },
      ...{ paused_by: null, problem: '', counts, started_by: 'admin', started_at: timestamp(0) },
      ...{ finished_at: null, can: ['pause', 'cancel', 'skip'], policy: POLICY },
      budget: { max_unavailable: 1, unavailable: 0, max_failures: 0, failed: 0 },
      unavailable_hosts: [],
      ...fields,
      hosts: Object.entries(hosts).map(([address, phases]) => hostResponse(address, phases, errors[address])),
    },
  };
}

export const hostEvent = (
  id: number,
  host: string,
  state: OperationHostState,
  atS: number,
  data: object = {},
): Extract<StreamEvent, { id: number }> => ({
  ...{ id, type: 'operation.host', at: timestamp(atS), cluster: 'web', host, operation: 'WyzVWrRqLeNReH6i' },
  data: { state, attempt: 1, ...data },
});
