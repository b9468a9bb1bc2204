// Stored rows, read without the repositories that wrote them.

import type { Selectable } from 'kysely';
import type { Address } from '../../../../src/domain/addresses/address.ts';
import type { Policy } from '../../../../src/domain/rollout/policy.ts';
import { policyJson } from '../../../../src/store/repositories/operations/operation-rows.ts';
import type { Tables } from '../../../../src/store/tables/tables.ts';
import type { ReusedStore } from '../../../harness/simulation/reused-store.ts';

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

/** Closed sets are read as text, so a new pause or skip reason needs no change here. */
type WithText<Original, Field extends keyof Original> = Omit<Original, Field> & {
  readonly [Name in Field]: string | (null extends Original[Name] ? null : never);
};

export type OperationRow = WithText<Row<'operations'>, 'state' | 'pause_reason'>;
export type PlannedRow = WithText<Row<'operation_hosts'>, 'skip_reason'>;
export type HostRow = Pick<Row<'hosts'>, 'address' | 'enrolment' | 'status' | 'cluster' | 'in_maintenance'>;

interface Rows {
  readonly operations: readonly OperationRow[];
  readonly planned: readonly PlannedRow[];
  readonly hosts: readonly HostRow[];
  readonly tasks: readonly Pick<Row<'tasks'>, 'host' | 'kind'>[];
  readonly memory: readonly Pick<Row<'driver_memory'>, 'key' | 'value'>[];
}

export interface State extends Rows {
  readonly nowMs: number;
  /** Cordon owners of all nodes by address; `undefined` if the node is not cordoned. */
  readonly nodes: ReadonlyMap<Address, string | undefined>;
}

const QUERIES: Readonly<Record<keyof Rows, string>> = {
  operations: 'select * from operations order by sequence',
  planned: 'select * from operation_hosts order by operation, position',
  hosts: 'select address, enrolment, status, cluster, in_maintenance from hosts',
  tasks: 'select host, kind from tasks',
  memory: 'select key, value from driver_memory',
};

export const readRows = async (store: ReusedStore): Promise<Rows> => (await store.rows(QUERIES)) as unknown as Rows;

const policies = new WeakMap<OperationRow, Policy>();

export function policyOf(operation: OperationRow): Policy {
  const policy = policies.get(operation) ?? policyJson.parse(operation.policy_json);
  policies.set(operation, policy);
  return policy;
}

/** Out of service according to the status alone. */
export const isOutOfService = ({ status, in_maintenance }: HostRow): boolean =>
  status !== 'active' || in_maintenance === 1;

export const plannedIn = (state: State, { id }: Pick<OperationRow, 'id'>): readonly PlannedRow[] =>
  state.planned.filter(({ operation }) => operation === id);

export const membersIn = (state: State, { cluster }: Pick<OperationRow, 'cluster'>): readonly HostRow[] =>
  state.hosts.filter(host => host.cluster === cluster);

export const hostAt = ({ hosts }: State, at: Address): HostRow | undefined =>
  hosts.find(({ address }) => address === at);

const IN_FLIGHT = ['cordoning', 'draining', 'applying', 'armed', 'rebooting', 'verifying', 'uncordoning'];

export const isInFlight = ({ phase }: Pick<PlannedRow, 'phase'>): boolean => IN_FLIGHT.includes(phase);

export const isPreparing = ({ phase, is_staged }: Pick<PlannedRow, 'phase' | 'is_staged'>): boolean =>
  (phase === 'preflight' || phase === 'staging') && is_staged === 0;

const OPEN = ['planned', 'running', 'paused', 'cancelling'];

export const isOpen = ({ state }: Pick<OperationRow, 'state'>): boolean => OPEN.includes(state);

/** Phases of a host in all its attempts, oldest first. */
export const phasesOf = ({
  phases_json,
}: Pick<PlannedRow, 'phases_json'>): readonly { readonly phase: string; readonly attempt: number }[] =>
  JSON.parse(phases_json);
