// Each guard is needed: where one lets everything pass, the reboot comes that it is there to stop.

import { expect, test } from 'vitest';
import { describeReboots, OTHER_BOOT_ID, UPTIME_S } from '../../../test/harness/shells/reboot-host.ts';
import type { RebootGuards } from './guards.ts';

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
      const mark = host().newMark();
      await host().bash(before);
      expect(await host().take(mark)).toBe('blocked');
      // A mark that is taken only matters to the guards of the two markers.
      const sent = guard === 'marker' || guard === 'spareMarker' ? mark : host().newMark();
      await host().bash(after);
      expect(await host().send(sent)).not.toBe('started');
      expect(await host().reboots()).toBe('');
      expect(await host().send(sent, {}, { [guard]: broken })).toBe('started');
      expect(await host().reboots()).toBe('reboot \n');
    },
  );
});
