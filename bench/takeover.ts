// npm run bench:takeover — what becomes of the hosts of a server that is killed.
//
// Three servers on one PostgreSQL restart pretend hosts. The busiest server is killed by kill -9 in the middle of it. Measured is, for each
// host that it was at, how long it takes until another server sends the next command, as the host sees it. The lease is the
// standard one; the limit is one lease and two seconds.
//
//   npm run bench:takeover              five rounds
//   npm run bench:takeover -- --quick   one

import { endOf, startRestart } from '../test/harness/chaos/restart.ts';
import { SshFleet } from '../test/harness/chaos/ssh-fleet.ts';
import { Stage } from '../test/harness/chaos/stage.ts';
import { busiestOf } from '../test/harness/chaos/strike.ts';
import { killAndWatch } from '../test/harness/chaos/takeover.ts';
import { until } from '../test/harness/until.ts';

const ROUNDS = process.argv.includes('--quick') ? 1 : 5;
const LEASE_S = 15;
const GRACE_S = 2;
const HOSTS = 60;
const MAX_UNAVAILABLE = 30;
/** The server is killed when so many are down. */
const DOWN_BEFORE_KILL = 8;
/** Of hosts whose clocks go five times as fast as ours: a command takes 0.4 s of ours, a boot one second. */
const HOST_TIMING = { speed: 5, times: { commandMs: 2000, bootMs: 5000 } };

const formatSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`.padStart(10);

function formatRow(name: string, waitedMs: readonly number[], remaining: number): string {
  const sorted = waitedMs.toSorted((a, b) => a - b);
  const p50 = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const worst = sorted.at(-1) ?? Number.NaN;
  return `${name.padEnd(8)}${String(waitedMs.length).padStart(8)}${formatSeconds(p50)}${formatSeconds(worst)}${String(remaining).padStart(10)}`;
}

const fleet = SshFleet.start({ hosts: HOSTS, ...HOST_TIMING });
const environment = await Stage.set({ seed: 1, servers: 3, leaseS: LEASE_S, fleet });
try {
  console.log(
    `One of three servers is killed while they restart ${HOSTS} hosts, ${MAX_UNAVAILABLE} at a time; the lease is ${LEASE_S} s.`,
  );
  console.log('Time to the next command on each host of the killed server:');
  console.log('           hosts       p50     worst      left');
  const all: number[] = [];
  let remaining = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = environment.fleet.downs;
    const id = await startRestart(environment, MAX_UNAVAILABLE);
    await until('hosts are down', () => environment.fleet.downs >= before + DOWN_BEFORE_KILL);
    const killed = await busiestOf(environment);
    const takeover = await killAndWatch(environment, killed);
    await killed.start();
    console.log(formatRow(`round ${round}`, takeover.waitedMs, takeover.left.length));
    all.push(...takeover.waitedMs);
    remaining += takeover.left.length;
    const end = await endOf(environment, id);
    if (end !== 'finished') throw new Error(`the restart is ${end ?? 'still running'}`);
  }
  console.log(formatRow('all', all, remaining));
  const limitMs = (LEASE_S + GRACE_S) * 1000;
  const isWithinLimit = remaining === 0 && all.length > 0 && all.every(ms => ms <= limitMs);
  console.log(`the limit, one lease and ${GRACE_S} s, was ${isWithinLimit ? 'met' : 'MISSED'}`);
  if (!isWithinLimit) process.exitCode = 1;
} finally {
  await environment.stop();
}
