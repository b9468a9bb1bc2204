// Checks for lost, duplicate and missing work after the load has stopped.

import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../wait-until.ts';
import { checkBudget, checkRebootedOnce, checkReceivedEvents } from '../workload/invariants.ts';
import { computeBudget } from '../workload/operations.ts';
import type { HostState } from './soak-store.ts';
import type { Workload } from './workload.ts';

/** The server prunes eight times per retention period. */
const LATE_SHARE = 1 / 8;
/** For a busy machine. */
const GRACE_MS = 60_000;

/**
 * Tables with expired rows. Times are UTC without a zone. Unlike row counts, the oldest time is not noisy.
 */
export function findOverdue(
  oldest: Readonly<Record<string, string | null>>,
  retentionMs: number,
  nowMs: number,
): readonly string[] {
  const maxMs = retentionMs * (1 + LATE_SHARE) + GRACE_MS;
  return Object.entries(oldest)
    .filter(([, at]) => at !== null && nowMs - Date.parse(`${at}Z`) > maxMs)
    .map(([table, at]) => `${table} still has rows of ${at}, retention ${retentionMs / 1000} s`);
}

const MAX_LISTED = 5;

const truncateList = (errors: readonly string[]): readonly string[] =>
  errors.length > MAX_LISTED
    ? [...errors.slice(0, MAX_LISTED), `and ${errors.length - MAX_LISTED} more hosts`]
    : errors;

/** Expected hosts that are missing, not active, or not checked since then. */
export function findUnhealthyHosts(
  states: readonly HostState[],
  expectedHosts: readonly string[],
  sinceMs: number,
): readonly string[] {
  const statesByAddress = new Map(states.map(state => [state.address, state]));
  return truncateList(
    expectedHosts.flatMap(address => {
      const { status = 'gone', last_check = '' } = statesByAddress.get(address) ?? {};
      if (status !== 'active') return [`${address} is ${status}`];
      const isChecked = Date.parse(`${last_check}Z`) >= sinceMs;
      return isChecked ? [] : [`${address} was checked at ${last_check || 'no time'} for the last time`];
    }),
  );
}

type Violations = readonly string[];

const MINUTE_MS = 60_000;
const POLL_INTERVAL_MS = 500;
const SETTLE_TIMEOUT_MS = 120_000;
const MAX_INTERVALS = 2;

/** Retries a check until it has no violations; returns the remaining ones. */
async function waitForNoViolations(check: () => Promise<Violations>): Promise<Violations> {
  let violations = await check();
  const isResolved = async () => {
    if (violations.length === 0) return true;
    await delay(POLL_INTERVAL_MS);
    violations = await check();
    return violations.length === 0;
  };
  await waitUntil('nothing is wrong', isResolved, SETTLE_TIMEOUT_MS).catch(() => {});
  return violations;
}

/** Nothing is pending, and expired rows are pruned. */
async function checkStoreDrained({ environment, reader }: Workload): Promise<Violations> {
  const { hosts } = environment.options;
  const wanted = { outbox: 0, tasks: 0, hosts, host_access: hosts, host_queue: hosts };
  const { rows, lastEvent, oldest } = await environment.store.measureUsage();
  const left = Object.entries(wanted)
    .filter(([table, count]) => rows[table] !== count)
    .map(([table, count]) => `${table} has ${rows[table]} rows instead of ${count}`);
  const unseen = `the last event is ${lastEvent}, but the reader received ${reader.position}`;
  const overdueRows = findOverdue(oldest, environment.options.keepMinutes * MINUTE_MS, Date.now());
  return [...left, ...overdueRows, ...(reader.position >= lastEvent ? [] : [unseen])];
}

async function checkPermanentHosts({ environment }: Workload): Promise<Violations> {
  const maxMs = MAX_INTERVALS * environment.options.checkIntervalS * 1000;
  return findUnhealthyHosts(await environment.store.hosts(), environment.permanentHosts, Date.now() - maxMs);
}

function checkBudgets({ environment }: Workload): Violations {
  const { hostsPerBusyCluster } = environment.options;
  const { rebootHistory: history } = environment.fleet;
  return environment.busyClusters.flatMap(cluster => {
    const members = new Set(environment.listMembers(cluster));
    return checkBudget(
      history.filter(({ address }) => members.has(address)),
      computeBudget(hostsPerBusyCluster),
    ).map(violation => `${cluster}: ${violation}`);
  });
}

/** Call after the load has stopped. */
export async function findLostWork(workload: Workload): Promise<Violations> {
  const { environment, reader, webhook, records, acknowledged } = workload;
  const left = await waitForNoViolations(() => checkStoreDrained(workload));
  return [
    ...workload.errors,
    ...(await records.findMissing()),
    ...left,
    ...(await waitForNoViolations(() => checkPermanentHosts(workload))),
    ...checkReceivedEvents(reader, acknowledged),
    ...(await webhook.checkDelivery(reader)),
    ...checkRebootedOnce(environment.fleet.rebootHistory),
    ...checkBudgets(workload),
    ...(await environment.verifyLog()),
    ...environment.servers.flatMap(({ errors: violations }) => violations),
  ];
}
