// Restarts of sixty hosts by three servers with random faults at random times. The seed reproduces a run.

import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { ChaosEnvironment } from '../harness/chaos/chaos-environment.ts';
import { describePlan, randomPlan } from '../harness/chaos/fault-plan.ts';
import { runChaos } from '../harness/chaos/run-chaos.ts';
import type { HostFleet } from '../harness/host-fleets/host-fleet.ts';
import { RealHostFleet } from '../harness/host-fleets/real-host-fleet.ts';
import { SshSimulatedHosts } from '../harness/host-fleets/ssh-simulated-hosts.ts';
import { describeOnRealHosts } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { describePostgres } from '../harness/stores/stores.ts';
import { printRepeatCommandOnFailure } from '../harness/vitest/repeat-command.ts';

const replayed = process.env['HOSTLER_CHAOS'];
/** Runs with simulated hosts. A quarter of this number follows on real hosts. */
const RUNS = Number(process.env['HOSTLER_CHAOS_RUNS'] ?? 8);
const RUNS_ON_REAL_HOSTS = Math.ceil(RUNS / 4);
const seeds = (runs: number) =>
  replayed === undefined ? Array.from({ length: runs }, () => randomInt(1_000_000)) : [Number(replayed)];

const [HOSTS, SERVERS, LEASE_S, MAX_UNAVAILABLE] = [60, 3, 3, 6];
const FAULTS = 12;
const TIMEOUT_MS = 900_000;

async function runPlan(seed: number, fleet: Promise<HostFleet>): Promise<void> {
  printRepeatCommandOnFailure('HOSTLER_CHAOS', () => seed);
  const plan = randomPlan({ seed, servers: SERVERS, hosts: HOSTS, leaseMs: LEASE_S * 1000 }, FAULTS);
  const environment = await ChaosEnvironment.start({ seed, servers: SERVERS, leaseS: LEASE_S, fleet });
  try {
    const report = await runChaos({ environment, plan, maxUnavailable: MAX_UNAVAILABLE, isOrdered: false });
    const { violations, injectedFaults, acknowledged, events, seconds } = report;
    const counts = `${injectedFaults.length} faults, ${acknowledged} records, ${events} events, ${seconds.toFixed(0)} s`;
    const lines = [`HOSTLER_CHAOS=${seed}: ${counts}`, describePlan(plan), ...violations];
    // Printed immediately, because a long run can be interrupted.
    process.stdout.write(`${lines.join('\n')}\n`);
    expect(violations, describePlan(plan)).toEqual([]);
  } finally {
    await environment.stop();
  }
}

describePostgres('a restart during random faults', () => {
  test.each(seeds(RUNS))('keeps all invariants with HOSTLER_CHAOS=%i', { timeout: TIMEOUT_MS }, seed =>
    runPlan(seed, SshSimulatedHosts.start({ hosts: HOSTS, speed: 5, latencies: { commandMs: 50, bootMs: 2500 } })),
  );

  describeOnRealHosts('on real hosts', () => {
    test.each(seeds(RUNS_ON_REAL_HOSTS))('keeps all invariants with HOSTLER_CHAOS=%i', { timeout: TIMEOUT_MS }, seed =>
      runPlan(seed, RealHostFleet.start({ hosts: HOSTS, rebootDurationMs: 500 })),
    );
  });
});
