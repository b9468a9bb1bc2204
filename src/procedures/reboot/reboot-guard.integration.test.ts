// Shows that each guard is needed: without it, the unwanted reboot happens.

import { expect, test } from 'vitest';
import { describeReboots, OTHER_BOOT_ID, UPTIME_S } from '../../../test/harness/shells/reboot-host.ts';
import type { RebootGuards } from './reboot-guard.ts';
import { markerPath } from './reboot-guard.ts';

/** `before` runs before the reboot is blocked, `after` before the reboot is sent. */
const CASES: readonly (readonly [guard: keyof RebootGuards, broken: string, before: string, after: string])[] = [
  ['boot', 'check_boot() { :; }', '', `echo ${OTHER_BOOT_ID} >/run/proc/boot_id`],
  ['deadline', 'check_deadline() { :; }', '', `echo ${UPTIME_S + 60}.00 1.0 >/run/proc/uptime`],
  ['marker', 'take_marker() { mkdir -p "$folder"; }', '', ''],
  ['spareMarker', 'check_spare_marker() { :; }', 'echo >/run/hostler', 'rm /run/hostler'],
];

describeReboots('reboot guards', host => {
  test.each(CASES)(
    'the %s guard prevents an unwanted reboot, which happens without it',
    async (guard, broken, before, after) => {
      const rebootId = host().newRebootId();
      await host().bash(before);
      expect(await host().block(rebootId)).toBe('blocked');
      // A blocked marker matters only to the guards of the two markers.
      const sentId = guard === 'marker' || guard === 'spareMarker' ? rebootId : host().newRebootId();
      await host().bash(after);
      expect(await host().send(sentId)).not.toBe('started');
      expect(await host().listReboots()).toBe('');
      expect(await host().send(sentId, {}, { [guard]: broken })).toBe('started');
      expect(await host().listReboots()).toBe('reboot \n');
    },
  );
});

const REBOOT_ID = { operation: 'Op-1_x', attempt: 2, bootId: '2bd0a1c4-5f6e-4a37-9b1c-0d3e5f7a9b11' };

test('markerPath contains operation, attempt and boot id', () => {
  expect(markerPath(REBOOT_ID)).toBe('/run/hostler/reboot_Op-1_x_2_2bd0a1c4-5f6e-4a37-9b1c-0d3e5f7a9b11');
  expect(markerPath({ ...REBOOT_ID, operation: 'x'.repeat(64) })).toContain('x'.repeat(64));
});

test.each([
  ['an empty operation', { operation: '' }],
  ['a path traversal', { operation: '../x' }],
  ['a space', { operation: 'a b' }],
  ['a line break', { operation: 'a\n' }],
  ['an operation over 64 characters', { operation: 'x'.repeat(65) }],
  ['a NaN attempt', { attempt: Number.NaN }],
  ['a fractional attempt', { attempt: 1.5 }],
  ['a negative attempt', { attempt: -1 }],
  ['an empty boot id', { bootId: '' }],
  ['a boot id with a trailing line break', { bootId: `${REBOOT_ID.bootId}\n` }],
])('markerPath rejects %s', (_what, invalid) => {
  expect(() => markerPath({ ...REBOOT_ID, ...invalid })).toThrow(/invalid reboot marker name/);
});
