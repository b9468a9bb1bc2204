// npm run bench:takeover — the takeover of hosts after a server is killed.
//
// Three servers on one PostgreSQL restart simulated hosts. The busiest server is killed with SIGKILL in the
// middle of it. For each of its hosts, the benchmark measures the time until another server sends the next
// command, as seen by the host. The lease has its default length; the limit is one lease and two seconds.
//
//     npm run bench:takeover              five rounds
//     npm run bench:takeover -- --quick   one round

import { ChaosEnvironment } from '../test/harness/chaos/chaos-environment.ts';
import { RESTART_TIMEOUT_MS } from '../test/harness/chaos/run-chaos.ts';
import { killAndMeasure } from '../test/harness/chaos/takeover.ts';
import { SshSimulatedHosts } from '../test/harness/host-fleets/ssh-simulated-hosts.ts';
import { waitUntil } from '../test/harness/wait-until.ts';
import { pollUntilOperationEnds } from '../test/harness/workload/operations.ts';

const ROUNDS = process.argv.includes('--quick') ? 1 : 5;
const LEASE_S = 15;
const GRACE_S = 2;
const HOSTS = 60;
const MAX_UNAVAILABLE = 30;
/** The server is killed when this number of hosts is down. */
const DOWN_BEFORE_KILL = 8;
/** The clocks of the hosts are five times as fast: a command takes 0.4 s of real time, a boot one second. */
const HOST_TIMING = { speed: 5, latencies: { commandMs: 2000, bootMs: 5000 } };

const formatSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`.padStart(10);

function formatRow(name: string, waitedMs: readonly number[], remaining: number): string {
  const sorted = waitedMs.toSorted((a, b) => a - b);
  const p50 = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const worst = sorted.at(-1) ?? Number.NaN;
  return `${name.padEnd(8)}${String(waitedMs.length).padStart(8)}${formatSeconds(p50)}${formatSeconds(worst)}${String(remaining).padStart(10)}`;
}

const fleet = SshSimulatedHosts.start({ hosts: HOSTS, ...HOST_TIMING });
const environment = await ChaosEnvironment.start({ seed: 1, servers: 3, leaseS: LEASE_S, fleet });
try {
  console.log(
    `One of three servers is killed while they restart ${HOSTS} hosts, ${MAX_UNAVAILABLE} at a time; the lease is ${LEASE_S} s.`,
  );
  console.log('Time to the next command on each host of the killed server:');
  console.log('           hosts       p50     worst remaining');
  const all: number[] = [];
  let remaining = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = environment.fleet.rebootCount;
    const id = await environment.startRestart(MAX_UNAVAILABLE);
    await waitUntil('hosts are down', () => environment.fleet.rebootCount >= before + DOWN_BEFORE_KILL);
    const { takeover, server } = await killAndMeasure(environment, () => environment.findBusiestServer());
    await server.revert('kill_server');
    console.log(formatRow(`round ${round}`, takeover.waitedMs, takeover.notResumed.length));
    all.push(...takeover.waitedMs);
    remaining += takeover.notResumed.length;
    const ended = await pollUntilOperationEnds(environment.admin, id, { timeoutMs: RESTART_TIMEOUT_MS });
    if (ended?.status !== 'finished') throw new Error(`the restart is ${ended?.status ?? 'still running'}`);
  }
  console.log(formatRow('all', all, remaining));
  const limitMs = (LEASE_S + GRACE_S) * 1000;
  const isWithinLimit = remaining === 0 && all.length > 0 && all.every(ms => ms <= limitMs);
  console.log(`the limit, one lease and ${GRACE_S} s, was ${isWithinLimit ? 'met' : 'MISSED'}`);
  if (!isWithinLimit) process.exitCode = 1;
} finally {
  await environment.stop();
}
