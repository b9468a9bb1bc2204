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
const HOSTS_TIME = { speed: 5, times: { commandMs: 2000, bootMs: 5000 } };

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`.padStart(10);

function row(name: string, waitedMs: readonly number[], left: number): string {
  const sorted = waitedMs.toSorted((a, b) => a - b);
  const p50 = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const worst = sorted.at(-1) ?? Number.NaN;
  return `${name.padEnd(8)}${String(waitedMs.length).padStart(8)}${seconds(p50)}${seconds(worst)}${String(left).padStart(10)}`;
}

const fleet = SshFleet.start({ hosts: HOSTS, ...HOSTS_TIME });
const stage = await Stage.set({ seed: 1, servers: 3, leaseS: LEASE_S, fleet });
try {
  console.log(
    `One of three servers is killed while they restart ${HOSTS} hosts, ${MAX_UNAVAILABLE} at a time; the lease is ${LEASE_S} s.`,
  );
  console.log('Time to the next command on each host of the killed server:');
  console.log('           hosts       p50     worst      left');
  const all: number[] = [];
  let left = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = stage.fleet.downs;
    const id = await startRestart(stage, MAX_UNAVAILABLE);
    await until('hosts are down', () => stage.fleet.downs >= before + DOWN_BEFORE_KILL);
    const killed = await busiestOf(stage);
    const takeover = await killAndWatch(stage, killed);
    await killed.start();
    console.log(row(`round ${round}`, takeover.waitedMs, takeover.left.length));
    all.push(...takeover.waitedMs);
    left += takeover.left.length;
    const end = await endOf(stage, id);
    if (end !== 'finished') throw new Error(`the restart is ${end ?? 'still running'}`);
  }
  console.log(row('all', all, left));
  const limitMs = (LEASE_S + GRACE_S) * 1000;
  const isKept = left === 0 && all.length > 0 && all.every(ms => ms <= limitMs);
  console.log(`the limit, one lease and ${GRACE_S} s, was ${isKept ? 'met' : 'MISSED'}`);
  if (!isKept) process.exitCode = 1;
} finally {
  await stage.stop();
}
