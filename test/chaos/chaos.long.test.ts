// Restarts of sixty hosts by three servers, with any faults at any time, several at once. Every run is told by its seed.

import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Fleet } from '../harness/chaos/fleet.ts';
import { describePlan, randomPlan } from '../harness/chaos/plan.ts';
import { play } from '../harness/chaos/play.ts';
import { RealFleet } from '../harness/chaos/real-fleet.ts';
import { SshFleet } from '../harness/chaos/ssh-fleet.ts';
import { Stage } from '../harness/chaos/stage.ts';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import { describePostgres } from '../harness/stores/stores.ts';

const replayed = process.env['HOSTLER_CHAOS'];
/** About five minutes. */
const RUNS = Number(process.env['HOSTLER_CHAOS_RUNS'] ?? 8);
const RUNS_ON_REAL_HOSTS = Math.ceil(RUNS / 4);
const seeds = (runs: number) =>
  replayed === undefined ? Array.from({ length: runs }, () => randomInt(1_000_000)) : [Number(replayed)];

const [HOSTS, SERVERS, LEASE_S, MAX_UNAVAILABLE] = [60, 3, 3, 6];
const FAULTS = 12;
const LONGEST_MS = 900_000;

async function playThrough(seed: number, fleet: Promise<Fleet>): Promise<void> {
  const plan = randomPlan({ seed, servers: SERVERS, hosts: HOSTS, leaseMs: LEASE_S * 1000 }, FAULTS);
  const stage = await Stage.set({ seed, servers: SERVERS, leaseS: LEASE_S, fleet });
  try {
    const report = await play({ stage, plan, maxUnavailable: MAX_UNAVAILABLE, isOrdered: false });
    const { problems, struck, acknowledged, events, seconds } = report;
    const counts = `${struck.length} faults, ${acknowledged} records, ${events} events, ${seconds.toFixed(0)} s`;
    const lines = [`HOSTLER_CHAOS=${seed}: ${counts}`, describePlan(plan), ...problems];
    // Printed now, and not only at the end of a long run, which may be interrupted.
    process.stdout.write(`${lines.join('\n')}\n`);
    expect(problems, describePlan(plan)).toEqual([]);
  } finally {
    await stage.stop();
  }
}

describePostgres('a restart while everything fails and mends again', () => {
  test.each(seeds(RUNS))('HOSTLER_CHAOS=%i', { timeout: LONGEST_MS }, seed =>
    playThrough(seed, SshFleet.start({ hosts: HOSTS, speed: 5, times: { commandMs: 50, bootMs: 2500 } })),
  );

  describeOnRealHosts('of real hosts', () => {
    test.each(seeds(RUNS_ON_REAL_HOSTS))('HOSTLER_CHAOS=%i', { timeout: LONGEST_MS }, seed =>
      playThrough(seed, RealFleet.start({ hosts: HOSTS, rebootTakesMs: 500 })),
    );
  });
});
