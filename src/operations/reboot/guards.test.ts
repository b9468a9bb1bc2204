// Each guard is needed: where one lets everything pass, the reboot comes that it is there to stop.

import { expect, test } from 'vitest';
import { describeReboots, OTHER_BOOT_ID, UPTIME_S } from '../../../test/harness/shells/reboot-host.ts';
import type { RebootGuards } from './guards.ts';

const CASES: readonly (readonly [keyof RebootGuards, string, string])[] = [
  ['boot', 'check_boot() { :; }', `echo ${OTHER_BOOT_ID} >/run/proc/boot_id`],
  ['deadline', 'check_deadline() { :; }', `echo ${UPTIME_S + 60}.00 1.0 >/run/proc/uptime`],
  ['marker', 'take_marker() { mkdir -p "$folder"; }', ''],
];

describeReboots('without the guard', host => {
  test.each(CASES)('of the %s a host is rebooted that should not be', async (guard, broken, change) => {
    const mark = host().newMark();
    await host().take(mark);
    // A mark that is taken stands in the way of nothing but the marker's own case.
    const sent = guard === 'marker' ? mark : host().newMark();
    await host().bash(change);
    expect(await host().send(sent)).not.toBe('begun');
    expect(await host().reboots()).toBe('');
    expect(await host().send(sent, {}, { [guard]: broken })).toBe('begun');
    expect(await host().reboots()).toBe('reboot \n');
  });
});
