// A restart of 18 hosts by three servers. One server is killed, one is frozen until its lease expires, one
// loses its connection to PostgreSQL, and PostgreSQL crashes. The long run has random faults.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChaosEnvironment } from '../harness/chaos/chaos-environment.ts';
import { describePlan, orderedPlan } from '../harness/chaos/fault-plan.ts';
import { RESTART_TIMEOUT_MS, runChaos } from '../harness/chaos/run-chaos.ts';
import type { SystemFault } from '../harness/faults.ts';
import { SshSimulatedHosts } from '../harness/host-fleets/ssh-simulated-hosts.ts';
import { describePostgres } from '../harness/stores/stores.ts';
import { printRepeatCommandOnFailure } from '../harness/vitest/repeat-command.ts';

const SEED = Number(process.env['HOSTLER_CHAOS'] ?? 1);
const HOSTS = 18;
const SERVERS = 3;
/** By the clock of the hosts, which is faster. The restart must last until the last fault. */
const BOOT_MS = 12_000;
const LEASE_S = 3;
/** Longer than that of the restart, so that a restart that hangs is reported with its state. */
const TIMEOUT_MS = RESTART_TIMEOUT_MS + 120_000;
const FAULTS: readonly SystemFault[] = ['kill_server', 'freeze_server', 'cut_store', 'kill_store'];

describePostgres('a restart during server crashes', () => {
  let environment: ChaosEnvironment;
  beforeAll(async () => {
    environment = await ChaosEnvironment.start({
      ...{ seed: SEED, servers: SERVERS, leaseS: LEASE_S },
      fleet: SshSimulatedHosts.start({ hosts: HOSTS, speed: 5, latencies: { commandMs: 50, bootMs: BOOT_MS } }),
    });
  }, TIMEOUT_MS);
  afterAll(() => environment?.stop());

  test('is completed by the remaining servers without repeated work', { timeout: TIMEOUT_MS }, async () => {
    printRepeatCommandOnFailure('HOSTLER_CHAOS', () => SEED);
    const plan = orderedPlan({ seed: SEED, hosts: HOSTS, leaseMs: LEASE_S * 1000 }, FAULTS);
    process.stdout.write(`chaos: HOSTLER_CHAOS=${SEED}\n${describePlan(plan)}\n`);
    const report = await runChaos({ environment, plan, maxUnavailable: 3, isOrdered: true });
    process.stdout.write(`${JSON.stringify({ ...report, violations: report.violations.length })}\n`);
    expect(report.violations).toEqual([]);
    expect(report.injectedFaults).toEqual(FAULTS);
  });
});
