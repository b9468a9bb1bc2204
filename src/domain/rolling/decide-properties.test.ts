// What the rule keeps to, whatever it is shown.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outOfService, widthOf } from './budget.ts';
import { decide } from './decide.ts';
import { isOpen } from './operation.ts';
import type { Policy } from './policy.ts';
import type { Snapshot } from './snapshot.ts';
import type { Circumstances } from './snapshot-lab.ts';
import { NOW_MS, snapshotOf } from './snapshot-lab.ts';

const phases = [
  ...['pending', 'pending', 'preflight', 'staging', 'staged', 'staged', 'cordoning', 'applying', 'verifying'],
  ...['done', 'there', 'failed', 'keeping', 'skipped', 'other'],
];
const host = fc
  .tuple(
    fc.constantFrom('', '', '', 'down', 'suspected', 'unchecked', 'detached', 'maintenance', 'bootstrapping'),
    fc.constantFrom('', '', 'control'),
    fc.constantFrom('', '', 'asking', 'quiet'),
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

const standing = fc.oneof(
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
      ] as const satisfies readonly Circumstances['pause'][]),
    ),
  }),
);

const circumstances = fc
  .tuple(
    fc.record({
      isHeld: fc.boolean(),
      isPartitioned: fc.constantFrom(false, false, true),
      assessment: fc.constantFrom('first' as const, 'again' as const, 'done' as const),
      window: fc.record({
        isOpen: fc.boolean(),
        changesAtMs: fc.constantFrom(null, NOW_MS + 1, NOW_MS + 60_000),
      }),
      forgivenFailures: fc.integer({ min: 0, max: 2 }),
      acceptedFailures: fc.integer({ min: 0, max: 1 }),
      waitingSinceMs: fc.constantFrom(null, NOW_MS - 599_000, NOW_MS - 600_000),
    }),
    standing,
  )
  .map(([one, other]): Circumstances => ({ ...one, ...other }));

const snapshots = fc
  .tuple(fc.array(host, { maxLength: 12 }), policy, circumstances)
  .map(given => snapshotOf(...given));

const always = (claim: (snapshot: Snapshot) => void) =>
  fc.assert(fc.property(snapshots, claim), { numRuns: 3000 });

describe('whatever it is shown', () => {
  test('no more hosts are out of service than may be, but those that were so before', () => {
    always(snapshot => {
      const { roll } = decide(snapshot);
      const before = outOfService(snapshot);
      const after = new Set([...before, ...roll]);
      if (after.size > before.size) expect(after.size).toBeLessThanOrEqual(widthOf(snapshot));
    });
  });

  test('only hosts are rolled that are prepared, and only those are prepared that wait', () => {
    always(snapshot => {
      const { roll, prepare } = decide(snapshot);
      const hosts = (candidates: Snapshot['staged']) => candidates.map(candidate => candidate.host);
      expect(hosts(snapshot.staged)).toEqual(expect.arrayContaining([...roll]));
      expect(hosts(snapshot.pending)).toEqual(expect.arrayContaining([...prepare]));
      expect(new Set([...roll, ...prepare]).size).toBe(roll.length + prepare.length);
    });
  });

  test('never are more prepared at once than the policy says, those that are down apart', () => {
    always(snapshot => {
      const { prepare } = decide(snapshot);
      const { stageParallel } = snapshot.operation.policy;
      const { preparing, silent, pending } = snapshot;
      const down = prepare.filter(host => pending.some(one => one.host === host && one.isDown)).length;
      const up = prepare.length - down;
      if (up > 0) expect(preparing - silent + up).toBeLessThanOrEqual(stageParallel);
      if (down > 0) expect(silent + down).toBeLessThanOrEqual(stageParallel);
    });
  });

  test('no host gets a slot or reboots while another member has not answered, or every server is partitioned', () => {
    always(snapshot => {
      const { roll, clear } = decide(snapshot);
      const { unchecked, isPartitioned } = snapshot;
      if (isPartitioned) expect([roll, clear]).toEqual([[], []]);
      for (const host of [...roll, ...clear]) expect(unchecked.filter(other => other !== host)).toEqual([]);
    });
  });

  test('a host reboots only while hosts that are down, have rebooted or do not answer leave a slot', () => {
    always(snapshot => {
      const { clear } = decide(snapshot);
      const answering = snapshot.beforeReboot
        .filter(({ hasAnswered }) => hasAnswered)
        .map(({ host }) => host);
      const down = new Set(snapshot.down.map(({ host }) => host));
      const stillUp = answering.filter(host => !down.has(host) && !clear.includes(host));
      const after = [...outOfService(snapshot)].filter(host => !stillUp.includes(host));
      if (clear.some(host => !down.has(host))) expect(after.length).toBeLessThanOrEqual(widthOf(snapshot));
    });
  });

  test('until the first are proved, no others get a slot', () => {
    always(snapshot => {
      const { roll } = decide(snapshot);
      const { proved, failed, inFlight, operation } = snapshot;
      const { canary } = operation.policy;
      if (roll.length > 0 && proved < canary)
        expect(proved + failed.length + inFlight.length + roll.length).toBeLessThanOrEqual(canary);
    });
  });

  test('a host of the control plane goes alone, and last', () => {
    always(snapshot => {
      const { roll } = decide(snapshot);
      const isControlPlane = new Map(snapshot.staged.map(one => [one.host, one.isControlPlane]));
      if (!roll.some(one => isControlPlane.get(one))) return;
      expect(roll).toHaveLength(1);
      expect([snapshot.inFlight, snapshot.areWorkersLeft]).toEqual([[], false]);
    });
  });

  test('nothing starts when it ends, or is not running', () => {
    always(snapshot => {
      const { roll, prepare, standing } = decide(snapshot);
      if (standing.state !== 'running') expect([roll, prepare]).toEqual([[], []]);
    });
  });

  test('it does not end before what is in flight has', () => {
    always(snapshot => {
      if (snapshot.inFlight.length > 0) expect(isOpen(decide(snapshot).standing)).toBe(true);
    });
  });

  test('with nothing under way it starts something, ends, is paused, or says what it waits for and until when', () => {
    always(snapshot => {
      if (snapshot.inFlight.length + snapshot.preparing > 0) return;
      const { roll, prepare, exclude, standing, waitingSinceMs, lookAgainAtMs } = decide(snapshot);
      if (!isOpen(standing) || standing.state === 'paused' || roll.length + prepare.length > 0) return;
      if (exclude.length > 0) return;
      expect(standing.problem).toMatch(/^(waiting for|checking) ./);
      if (/^waits/.test(standing.problem)) expect(waitingSinceMs).not.toBeNull();
      expect(lookAgainAtMs).toBeGreaterThan(NOW_MS);
    });
  });

  test('a pause has a reason, and nothing else has one', () => {
    always(snapshot => {
      const { state, pause } = decide(snapshot).standing;
      expect(pause !== null).toBe(state === 'paused');
    });
  });

  test('it says the same of the same, and of what it has just said', () => {
    always(snapshot => {
      const decision = decide(snapshot);
      expect(decide(snapshot)).toEqual(decision);
      const { roll, prepare, standing, waitingSinceMs } = decision;
      if (!isOpen(standing) || roll.length + prepare.length > 0) return;
      const { assessment, exclude, blockedBy } = decision;
      if (exclude.length + blockedBy.length > 0) return;
      const operation = { ...snapshot.operation, ...standing, waitingSinceMs, assessment };
      expect(decide({ ...snapshot, operation })).toEqual(decision);
    });
  });
});
