// A restart of sixty hosts by three servers, while one is killed, one is frozen past its lease and wakes up, one is cut off from
// PostgreSQL, and PostgreSQL crashes. The long run has any faults at any time.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FaultKind } from '../harness/chaos/plan.ts';
import { describePlan, orderedPlan } from '../harness/chaos/plan.ts';
import { play } from '../harness/chaos/play.ts';
import { SshFleet } from '../harness/chaos/ssh-fleet.ts';
import { Stage } from '../harness/chaos/stage.ts';
import { describePostgres } from '../harness/stores/stores.ts';

const SEED = Number(process.env['HOSTLER_CHAOS'] ?? 1);
const HOSTS = 60;
const SERVERS = 3;
const LEASE_S = 3;
/** Far more than it takes: the machine may have much to do. */
const LONGEST_MS = 300_000;
const FAULTS: readonly FaultKind[] = ['kill', 'freeze', 'cut_database', 'crash_database'];

describePostgres('a restart while servers die', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.set({
      ...{ seed: SEED, servers: SERVERS, leaseS: LEASE_S },
      fleet: SshFleet.start({ hosts: HOSTS, speed: 5, times: { commandMs: 50, bootMs: 1500 } }),
    });
  }, LONGEST_MS);
  afterAll(() => stage?.stop());

  test('goes on by those that are left, and nothing is done twice', { timeout: LONGEST_MS }, async () => {
    const plan = orderedPlan({ seed: SEED, hosts: HOSTS, leaseMs: LEASE_S * 1000 }, FAULTS);
    process.stdout.write(`chaos: HOSTLER_CHAOS=${SEED}\n${describePlan(plan)}\n`);
    const report = await play({ stage, plan, maxUnavailable: 6, isOrdered: true });
    process.stdout.write(`${JSON.stringify({ ...report, problems: report.problems.length })}\n`);
    expect(report.problems).toEqual([]);
    expect(report.struck).toEqual(FAULTS);
  });
});
