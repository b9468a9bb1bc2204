// Each guard is needed: where one lets everything pass, the reboot comes that it is there to stop.

import { expect, test } from 'vitest';
import { describeReboots, OTHER_BOOT_ID, UPTIME_S } from '../../../test/harness/shells/reboot-host.ts';
import type { RebootGuards } from './reboot-guard.ts';
import { markerPath } from './reboot-guard.ts';

/** `before` is run before the mark is taken, `after` before the reboot is sent. */
const CASES: readonly (readonly [
  guard: keyof RebootGuards,
  broken: string,
  before: string,
  after: string,
])[] = [
  ['boot', 'check_boot() { :; }', '', `echo ${OTHER_BOOT_ID} >/run/proc/boot_id`],
  ['deadline', 'check_deadline() { :; }', '', `echo ${UPTIME_S + 60}.00 1.0 >/run/proc/uptime`],
  ['marker', 'take_marker() { mkdir -p "$folder"; }', '', ''],
  ['spareMarker', 'check_spare_marker() { :; }', 'echo >/run/hostler', 'rm /run/hostler'],
];

describeReboots('without the guard', host => {
  test.each(CASES)(
    'of the %s a host is rebooted that should not be',
    async (guard, broken, before, after) => {
      const rebootId = host().newMark();
      await host().bash(before);
      expect(await host().take(rebootId)).toBe('blocked');
      // A mark that is taken only matters to the guards of the two markers.
      const sentId = guard === 'marker' || guard === 'spareMarker' ? rebootId : host().newMark();
      await host().bash(after);
      expect(await host().send(sentId)).not.toBe('started');
      expect(await host().reboots()).toBe('');
      expect(await host().send(sentId, {}, { [guard]: broken })).toBe('started');
      expect(await host().reboots()).toBe('reboot \n');
    },
  );
});

const REBOOT_ID = { operation: 'Op-1_x', attempt: 2, bootId: '2bd0a1c4-5f6e-4a37-9b1c-0d3e5f7a9b11' };

test('a marker is named after operation, attempt and boot', () => {
  expect(markerPath(REBOOT_ID)).toBe('/run/hostler/reboot_Op-1_x_2_2bd0a1c4-5f6e-4a37-9b1c-0d3e5f7a9b11');
  expect(markerPath({ ...REBOOT_ID, operation: 'x'.repeat(64) })).toContain('x'.repeat(64));
});

test.each([
  ['no operation', { operation: '' }],
  ['a way out of the folder', { operation: '../x' }],
  ['a blank', { operation: 'a b' }],
  ['a line of its own', { operation: 'a\n' }],
  ['an operation that is too long', { operation: 'x'.repeat(65) }],
  ['an attempt that is no number', { attempt: Number.NaN }],
  ['half an attempt', { attempt: 1.5 }],
  ['an attempt below zero', { attempt: -1 }],
  ['no boot id', { bootId: '' }],
  ['a boot id with more behind it', { bootId: `${REBOOT_ID.bootId}\n` }],
])('no marker is named after %s', (_what, wrong) => {
  expect(() => markerPath({ ...REBOOT_ID, ...wrong })).toThrow(/invalid reboot marker name/);
});
