// Invariants of decideRollout for random snapshots.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SnapshotOverrides } from '../../../test/harness/rollout/snapshot-fixtures.ts';
import { NOW_MS, snapshotFixture } from '../../../test/harness/rollout/snapshot-fixtures.ts';
import { IS_LONG_RUN } from '../../../test/harness/vitest/long-run.ts';
import { currentMaxUnavailable, unavailableHosts } from './budget.ts';
import { decideRollout } from './decide.ts';
import { isOperationOpen } from './operation.ts';
import type { Policy } from './policy.ts';
import type { RolloutSnapshot } from './snapshot.ts';

const { constantFrom } = fc;

const join = (...words: readonly string[]) => words.filter(word => word !== '').join(' ');

/** One of the values with the given weights. */
const weighted = (weights: Readonly<Record<string, number>>): fc.Arbitrary<string> =>
  fc.oneof(...Object.entries(weights).map(([value, weight]) => ({ arbitrary: fc.constant(value), weight })));

const outage = { down: 1, unconfirmed: 1, unregistered: 1, maintenance: 1, bootstrapping: 1 };
const phase = constantFrom(
  ...['pending', 'pending', 'preflight', 'staging', 'staged', 'staged', 'cordoning', 'applying', 'verifying'],
  ...['done', 'unchanged', 'failed', 'holding', 'skipped', 'other'],
);
const anyHost = fc
  .tuple(
    weighted({ '': 3, ...outage, unchecked: 1 }),
    weighted({ '': 2, control: 1 }),
    weighted({ '': 2, 'awaits-clearance': 1, stale: 1 }),
    phase,
  )
  .map(words => join(...words));

const worker = fc
  .tuple(
    weighted({ '': 90, ...outage, unchecked: 3 }),
    weighted({
      ...{ staged: 10, pending: 3, 'delayed preflight': 1, 'unresponsive delayed staging': 1 },
      ...{ cordoning: 1, 'awaits-clearance applying': 2, verifying: 1 },
      ...{ done: 1, unchanged: 1, failed: 1, other: 2 },
    }),
  )
  .map(words => join(...words));

const endedWorker = weighted({ done: 4, unchanged: 2, skipped: 2, failed: 1, pending: 1, applying: 1 });
const controlPlane = weighted({ staged: 12, pending: 2, done: 2, verifying: 1, 'awaits-clearance applying': 1 }).map(
  words => join('control', words),
);

const blocked = fc
  .tuple(weighted({ '': 3, unchecked: 1, ...outage }), weighted({ staged: 6, pending: 1, holding: 1, other: 2 }))
  .map(words => join(...words));

const amount = fc.oneof(fc.integer({ min: 0, max: 6 }), constantFrom('0%' as const, '25%' as const, '100%' as const));

const anyPolicy: fc.Arbitrary<Partial<Policy>> = fc.record({
  maxUnavailable: amount,
  canary: fc.integer({ min: 0, max: 3 }),
  ramp: fc.boolean(),
  maxFailures: amount,
  onFailure: constantFrom('fail' as const, 'pause' as const),
  unhealthy: constantFrom('count' as const, 'exclude' as const),
  maxExcluded: amount,
  wait: fc.boolean(),
  stageParallel: fc.integer({ min: 1, max: 4 }),
});

/** Failures do not end the operation, and the budget allows more than one host. */
const lenientPolicy: typeof anyPolicy = fc
  .record({
    maxUnavailable: fc.oneof(fc.integer({ min: 1, max: 6 }), constantFrom('50%' as const)),
    ramp: constantFrom(false, false, false, true),
  })
  .chain(lenient => anyPolicy.map(any => ({ ...any, ...lenient, maxFailures: '100%' as const })));

const strictPolicy: typeof anyPolicy = anyPolicy.map(any => ({ ...any, maxUnavailable: 1, maxFailures: '100%' }));

const status = fc.oneof(
  fc.record({ state: constantFrom('planned' as const, 'running' as const, 'cancelling' as const) }),
  fc.record({
    state: fc.constant('paused' as const),
    pause: constantFrom(
      ...([
        'manual',
        'failures',
        'window',
        'budget',
        'partitioned',
        'global_pause',
        'restored',
      ] as const satisfies readonly SnapshotOverrides['pause'][]),
    ),
  }),
);

const blockedSinceMs = constantFrom(null, NOW_MS - 599_000, NOW_MS - 600_000);

const anyOverrides = fc
  .tuple(
    fc.record({
      isGloballyPaused: fc.boolean(),
      isPartitioned: constantFrom(false, false, true),
      assessment: constantFrom('initial' as const, 'after_resume' as const, 'done' as const),
      window: fc.record({ isOpen: fc.boolean(), changesAtMs: constantFrom(null, NOW_MS + 1, NOW_MS + 60_000) }),
      acknowledgedFailures: fc.integer({ min: 0, max: 2 }),
      acceptedFailures: fc.integer({ min: 0, max: 1 }),
      blockedSinceMs,
    }),
    status,
  )
  .map(([one, other]): SnapshotOverrides => ({ ...one, ...other }));

const running: fc.Arbitrary<SnapshotOverrides> = fc.record({
  isPartitioned: fc.oneof({ arbitrary: fc.constant(false), weight: 9 }, { arbitrary: fc.constant(true), weight: 1 }),
  blockedSinceMs,
});

const hosts = (host: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
  fc.array(host, { minLength, maxLength });
const workersLast = fc
  .tuple(hosts(endedWorker, 0, 4), hosts(controlPlane, 1, 4))
  .map(([workers, managers]) => [...workers, ...managers]);
const mixed = fc
  .tuple(hosts(worker, 2, 10), hosts(controlPlane, 0, 2))
  .map(([workers, managers]) => [...managers, ...workers]);

/** Random snapshots are rarely ones in which hosts may start, so most are generated for one situation. */
const snapshots = fc
  .oneof(
    { arbitrary: fc.tuple(mixed, lenientPolicy, running), weight: 8 },
    { arbitrary: fc.tuple(workersLast, lenientPolicy, running), weight: 5 },
    { arbitrary: fc.tuple(hosts(blocked, 2, 4), strictPolicy, running), weight: 5 },
    { arbitrary: fc.tuple(hosts(anyHost, 0, 12), anyPolicy, anyOverrides), weight: 3 },
  )
  .map(args => snapshotFixture(...args));

const RUNS = IS_LONG_RUN ? 3000 : 1000;
/** A property that holds because its condition is hardly ever met proves nothing. */
const MIN_HITS = RUNS / 20;

/** `check` returns whether the snapshot met the condition of the property. */
function always(check: (snapshot: RolloutSnapshot) => boolean): void {
  let hits = 0;
  fc.assert(
    fc.property(snapshots, snapshot => {
      if (check(snapshot)) hits += 1;
    }),
    { numRuns: RUNS },
  );
  expect(hits, `snapshots of ${RUNS} that meet the condition of the property`).toBeGreaterThanOrEqual(MIN_HITS);
}

describe('decideRollout, for any snapshot,', () => {
  test('never exceeds max_unavailable, except by hosts that were already unavailable', () => {
    always(snapshot => {
      const { start } = decideRollout(snapshot);
      const before = unavailableHosts(snapshot);
      const after = new Set([...before, ...start]);
      if (after.size === before.size) return false;
      expect(after.size).toBeLessThanOrEqual(currentMaxUnavailable(snapshot));
      return true;
    });
  });

  test('starts only staged hosts and stages only pending hosts', () => {
    always(snapshot => {
      const { start, stage } = decideRollout(snapshot);
      const hosts = (candidates: RolloutSnapshot['staged']) => candidates.map(candidate => candidate.host);
      expect(hosts(snapshot.staged)).toEqual(expect.arrayContaining([...start]));
      expect(hosts(snapshot.pending)).toEqual(expect.arrayContaining([...stage]));
      expect(new Set([...start, ...stage]).size).toBe(start.length + stage.length);
      return start.length + stage.length > 0;
    });
  });

  test('never stages more hosts at once than stage_parallel, counting unresponsive hosts separately', () => {
    always(snapshot => {
      const { stage } = decideRollout(snapshot);
      const { stageParallel } = snapshot.operation.policy;
      const { preparingCount, unresponsiveCount, pending } = snapshot;
      const down = stage.filter(host => pending.some(one => one.host === host && one.isDown)).length;
      const up = stage.length - down;
      if (up > 0) expect(preparingCount - unresponsiveCount + up).toBeLessThanOrEqual(stageParallel);
      if (down > 0) expect(unresponsiveCount + down).toBeLessThanOrEqual(stageParallel);
      return stage.length > 0;
    });
  });

  test('starts and reboots no host while another member is unchecked or all servers are partitioned', () => {
    always(snapshot => {
      const { start, clearToReboot } = decideRollout(snapshot);
      const { unchecked, isPartitioned } = snapshot;
      if (isPartitioned) expect([start, clearToReboot]).toEqual([[], []]);
      for (const host of [...start, ...clearToReboot]) expect(unchecked.filter(other => other !== host)).toEqual([]);
      const unblocked = decideRollout({ ...snapshot, unchecked: [], isPartitioned: false });
      const isBlocked = unchecked.length > 0 || isPartitioned;
      return isBlocked && unblocked.start.length + unblocked.clearToReboot.length > 0;
    });
  });

  test('clears a reboot only while hosts that are down, rebooted or unresponsive leave a slot', () => {
    always(snapshot => {
      const { clearToReboot } = decideRollout(snapshot);
      const answering = snapshot.pendingReboots.filter(({ hasResponded }) => hasResponded).map(({ host }) => host);
      const down = new Set(snapshot.outages.map(({ host }) => host));
      const stillUp = answering.filter(host => !down.has(host) && !clearToReboot.includes(host));
      const after = [...unavailableHosts(snapshot)].filter(host => !stillUp.includes(host));
      if (clearToReboot.every(host => down.has(host))) return false;
      expect(after.length).toBeLessThanOrEqual(currentMaxUnavailable(snapshot));
      return true;
    });
  });

  test('starts no other host until the canaries are verified', () => {
    always(snapshot => {
      const { start } = decideRollout(snapshot);
      const { verifiedCount, failed, inFlight, operation } = snapshot;
      const { canary } = operation.policy;
      if (start.length === 0 || verifiedCount >= canary) return false;
      expect(verifiedCount + failed.length + inFlight.length + start.length).toBeLessThanOrEqual(canary);
      return true;
    });
  });

  test('starts control-plane hosts alone and last', () => {
    always(snapshot => {
      const { start } = decideRollout(snapshot);
      const isControlPlane = new Map(snapshot.staged.map(one => [one.host, one.isControlPlane]));
      if (!start.some(one => isControlPlane.get(one))) return false;
      expect(start).toHaveLength(1);
      expect([snapshot.inFlight, snapshot.areWorkersLeft]).toEqual([[], false]);
      return true;
    });
  });

  test('starts nothing unless the operation is running', () => {
    always(snapshot => {
      const { start, stage, status } = decideRollout(snapshot);
      if (status.state === 'running') return false;
      expect([start, stage]).toEqual([[], []]);
      return true;
    });
  });

  test('does not end the operation while hosts are in flight', () => {
    always(snapshot => {
      if (snapshot.inFlight.length === 0) return false;
      expect(isOperationOpen(decideRollout(snapshot).status)).toBe(true);
      return true;
    });
  });

  test('starts a host, ends, pauses, or reports what it waits for, if nothing is in progress', () => {
    always(snapshot => {
      if (snapshot.inFlight.length + snapshot.preparingCount > 0) return false;
      const { start, stage, exclude, status, blockedSinceMs, reconcileAtMs } = decideRollout(snapshot);
      if (!isOperationOpen(status) || status.state === 'paused' || start.length + stage.length > 0) return false;
      if (exclude.length > 0) return false;
      expect(status.problem).toMatch(/^(waiting for|checking) ./);
      if (/^waiting for/.test(status.problem)) expect(blockedSinceMs).not.toBeNull();
      expect(reconcileAtMs).toBeGreaterThan(NOW_MS);
      return true;
    });
  });

  test('has a pause reason exactly when paused', () => {
    always(snapshot => {
      const { state, pause } = decideRollout(snapshot).status;
      expect(pause !== null).toBe(state === 'paused');
      return state === 'paused';
    });
  });

  test('is deterministic and stable when applied to its own result', () => {
    always(snapshot => {
      const decision = decideRollout(snapshot);
      expect(decideRollout(snapshot)).toEqual(decision);
      const { start, stage, status, blockedSinceMs } = decision;
      if (!isOperationOpen(status) || start.length + stage.length > 0) return false;
      const { assessment, exclude, blockedBy } = decision;
      if (exclude.length + blockedBy.length > 0) return false;
      const operation = { ...snapshot.operation, ...status, blockedSinceMs, assessment };
      expect(decideRollout({ ...snapshot, operation })).toEqual(decision);
      return true;
    });
  });
});
