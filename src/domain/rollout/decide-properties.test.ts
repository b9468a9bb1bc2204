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

const phases = [
  ...['pending', 'pending', 'preflight', 'staging', 'staged', 'staged', 'cordoning', 'applying', 'verifying'],
  ...['done', 'unchanged', 'failed', 'holding', 'skipped', 'other'],
];
const host = fc
  .tuple(
    fc.constantFrom('', '', '', 'down', 'unconfirmed', 'unchecked', 'unregistered', 'maintenance', 'bootstrapping'),
    fc.constantFrom('', '', 'control'),
    fc.constantFrom('', '', 'awaits-clearance', 'stale'),
    fc.constantFrom(...phases),
  )
  .map(words => words.filter(word => word !== '').join(' '));

const amount = fc.oneof(
  fc.integer({ min: 0, max: 6 }),
  fc.constantFrom('0%' as const, '25%' as const, '100%' as const),
);

const policy: fc.Arbitrary<Partial<Policy>> = fc.record({
  maxUnavailable: amount,
  canary: fc.integer({ min: 0, max: 3 }),
  ramp: fc.boolean(),
  maxFailures: amount,
  onFailure: fc.constantFrom('fail' as const, 'pause' as const),
  unhealthy: fc.constantFrom('count' as const, 'exclude' as const),
  maxExcluded: amount,
  wait: fc.boolean(),
  stageParallel: fc.integer({ min: 1, max: 4 }),
});

const status = fc.oneof(
  fc.record({ state: fc.constantFrom('planned' as const, 'running' as const, 'cancelling' as const) }),
  fc.record({
    state: fc.constant('paused' as const),
    pause: fc.constantFrom(
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

const overrides = fc
  .tuple(
    fc.record({
      isGloballyPaused: fc.boolean(),
      isPartitioned: fc.constantFrom(false, false, true),
      assessment: fc.constantFrom('initial' as const, 'after_resume' as const, 'done' as const),
      window: fc.record({
        isOpen: fc.boolean(),
        changesAtMs: fc.constantFrom(null, NOW_MS + 1, NOW_MS + 60_000),
      }),
      acknowledgedFailures: fc.integer({ min: 0, max: 2 }),
      acceptedFailures: fc.integer({ min: 0, max: 1 }),
      blockedSinceMs: fc.constantFrom(null, NOW_MS - 599_000, NOW_MS - 600_000),
    }),
    status,
  )
  .map(([one, other]): SnapshotOverrides => ({ ...one, ...other }));

const snapshots = fc.tuple(fc.array(host, { maxLength: 12 }), policy, overrides).map(args => snapshotFixture(...args));

const always = (assertion: (snapshot: RolloutSnapshot) => void) =>
  fc.assert(fc.property(snapshots, assertion), { numRuns: IS_LONG_RUN ? 3000 : 1000 });

describe('decideRollout, for any snapshot,', () => {
  test('never exceeds max_unavailable, except by hosts that were already unavailable', () => {
    always(snapshot => {
      const { start } = decideRollout(snapshot);
      const before = unavailableHosts(snapshot);
      const after = new Set([...before, ...start]);
      if (after.size > before.size) expect(after.size).toBeLessThanOrEqual(currentMaxUnavailable(snapshot));
    });
  });

  test('starts only staged hosts and stages only pending hosts', () => {
    always(snapshot => {
      const { start, stage } = decideRollout(snapshot);
      const hosts = (candidates: RolloutSnapshot['staged']) => candidates.map(candidate => candidate.host);
      expect(hosts(snapshot.staged)).toEqual(expect.arrayContaining([...start]));
      expect(hosts(snapshot.pending)).toEqual(expect.arrayContaining([...stage]));
      expect(new Set([...start, ...stage]).size).toBe(start.length + stage.length);
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
    });
  });

  test('starts and reboots no host while another member is unchecked or all servers are partitioned', () => {
    always(snapshot => {
      const { start, clearToReboot } = decideRollout(snapshot);
      const { unchecked, isPartitioned } = snapshot;
      if (isPartitioned) expect([start, clearToReboot]).toEqual([[], []]);
      for (const host of [...start, ...clearToReboot]) expect(unchecked.filter(other => other !== host)).toEqual([]);
    });
  });

  test('clears a reboot only while hosts that are down, rebooted or unresponsive leave a slot', () => {
    always(snapshot => {
      const { clearToReboot } = decideRollout(snapshot);
      const answering = snapshot.pendingReboots.filter(({ hasResponded }) => hasResponded).map(({ host }) => host);
      const down = new Set(snapshot.outages.map(({ host }) => host));
      const stillUp = answering.filter(host => !down.has(host) && !clearToReboot.includes(host));
      const after = [...unavailableHosts(snapshot)].filter(host => !stillUp.includes(host));
      if (clearToReboot.some(host => !down.has(host)))
        expect(after.length).toBeLessThanOrEqual(currentMaxUnavailable(snapshot));
    });
  });

  test('starts no other host until the canaries are verified', () => {
    always(snapshot => {
      const { start } = decideRollout(snapshot);
      const { verifiedCount, failed, inFlight, operation } = snapshot;
      const { canary } = operation.policy;
      if (start.length > 0 && verifiedCount < canary)
        expect(verifiedCount + failed.length + inFlight.length + start.length).toBeLessThanOrEqual(canary);
    });
  });

  test('starts control-plane hosts alone and last', () => {
    always(snapshot => {
      const { start } = decideRollout(snapshot);
      const isControlPlane = new Map(snapshot.staged.map(one => [one.host, one.isControlPlane]));
      if (!start.some(one => isControlPlane.get(one))) return;
      expect(start).toHaveLength(1);
      expect([snapshot.inFlight, snapshot.areWorkersLeft]).toEqual([[], false]);
    });
  });

  test('starts nothing unless the operation is running', () => {
    always(snapshot => {
      const { start, stage, status } = decideRollout(snapshot);
      if (status.state !== 'running') expect([start, stage]).toEqual([[], []]);
    });
  });

  test('does not end the operation while hosts are in flight', () => {
    always(snapshot => {
      if (snapshot.inFlight.length > 0) expect(isOperationOpen(decideRollout(snapshot).status)).toBe(true);
    });
  });

  test('starts a host, ends, pauses, or reports what it waits for, if nothing is in progress', () => {
    always(snapshot => {
      if (snapshot.inFlight.length + snapshot.preparingCount > 0) return;
      const { start, stage, exclude, status, blockedSinceMs, reconcileAtMs } = decideRollout(snapshot);
      if (!isOperationOpen(status) || status.state === 'paused' || start.length + stage.length > 0) return;
      if (exclude.length > 0) return;
      expect(status.problem).toMatch(/^(waiting for|checking) ./);
      if (/^waiting for/.test(status.problem)) expect(blockedSinceMs).not.toBeNull();
      expect(reconcileAtMs).toBeGreaterThan(NOW_MS);
    });
  });

  test('has a pause reason exactly when paused', () => {
    always(snapshot => {
      const { state, pause } = decideRollout(snapshot).status;
      expect(pause !== null).toBe(state === 'paused');
    });
  });

  test('is deterministic and stable when applied to its own result', () => {
    always(snapshot => {
      const decision = decideRollout(snapshot);
      expect(decideRollout(snapshot)).toEqual(decision);
      const { start, stage, status, blockedSinceMs } = decision;
      if (!isOperationOpen(status) || start.length + stage.length > 0) return;
      const { assessment, exclude, blockedBy } = decision;
      if (exclude.length + blockedBy.length > 0) return;
      const operation = { ...snapshot.operation, ...status, blockedSinceMs, assessment };
      expect(decideRollout({ ...snapshot, operation })).toEqual(decision);
    });
  });
});
