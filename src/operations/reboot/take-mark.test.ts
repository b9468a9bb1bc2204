import { expect, test } from 'vitest';
import { describeReboots, OTHER_BOOT_ID } from '../../../test/harness/shells/reboot-host.ts';
import { until } from '../../../test/harness/until.ts';
import type { Argv } from '../../domain/command.ts';
import { REBOOT_GUARDS } from './guards.ts';
import { markerOf } from './mark.ts';
import { takeMark } from './take-mark.ts';

/** Until the test says so. */
const WAIT = 'until [ -e /run/go ]; do sleep 0.02; done\n';

/** It may go either way each time. */
const ROUNDS = process.env['HOSTLER_TEST_ALL'] ? 8 : 2;

describeReboots('a mark that is taken', host => {
  test('lets no reboot come any more, and may be taken again', async () => {
    const mark = host().newMark();
    expect([await host().take(mark), await host().take(mark)]).toEqual(['taken', 'taken']);
    expect(await host().look(mark)).toMatchObject({ marker: 'taken', problem: '' });
    expect(await host().send(mark)).toBe('marker_there');
    expect(await host().reboots()).toBe('');
    expect(await host().bash(`stat -c %a /run/hostler ${markerOf(mark)}; ls /run/hostler | wc -l`)).toBe(
      '700\n700\n1\n',
    );
  });

  test('is that of the reboot when that was first', async () => {
    const mark = host().newMark();
    await host().send(mark);
    expect([await host().take(mark), await host().take(mark)]).toEqual(['begun', 'begun']);
    expect(await host().reboots()).toBe('reboot \n');
  });

  test('is taken from one who has stopped before saying whose it is, and does nothing later', async () => {
    const mark = host().newMark();
    const stopping = REBOOT_GUARDS.marker.replace('ln ', `${WAIT}ln `);
    const sent = host().send(mark, {}, { marker: stopping });
    await until('the marker', async () => (await host().bash(`ls -d ${markerOf(mark)}`)) !== '');
    expect(await host().send(mark)).toBe('marker_there');
    expect(await host().take(mark)).toBe('taken');
    await host().bash('touch /run/go');
    expect(await sent).toBe('marker_there');
    expect(await host().reboots()).toBe('');
    expect(await host().look(mark)).toMatchObject({ marker: 'taken' });
  });

  test('in another boot is not there to be taken', async () => {
    const mark = host().newMark();
    await host().bash(`echo ${OTHER_BOOT_ID} >/run/proc/boot_id`);
    expect(await host().take(mark)).toBe('other_boot');
    expect(await host().look(mark)).toMatchObject({ marker: 'none' });
  });

  test.each([
    ['the boot id cannot be read', ': >/run/proc/boot_id'],
    ['the folder cannot be made', 'echo >/run/hostler'],
  ])('is not said to be where %s', async (_what, change) => {
    await host().bash(change);
    expect(await host().take(host().newMark())).toBeUndefined();
  });

  test('while reboots are sent is either theirs or ours, and all say the same', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const mark = host().newMark();
      await host().bash('rm -f /run/go; : >/run/reboots');
      const { argv, read } = takeMark(mark);
      const taking: Argv = ['bash', '-c', `${WAIT}exec "$@"`, 'bash', ...argv];
      const marker = REBOOT_GUARDS.marker.replace('mkdir ', `${WAIT}mkdir `);
      const tries = Array.from({ length: 8 }, () => [
        host().send(mark, {}, { marker }),
        host().ask({ argv: taking, read }),
      ]).flat();
      await until('sixteen that wait', async () => {
        const waiting = await host().bash(`grep -l "${mark.operation}[_]" /proc/[0-9]*/cmdline | wc -l`);
        return Number(waiting) >= tries.length;
      });
      await host().bash('touch /run/go');
      const answers = (await Promise.all(tries)).map(String).sort();
      const isBegun = (await host().look(mark))?.marker === 'begun';
      expect([await host().reboots(), answers]).toEqual(
        isBegun
          ? ['reboot \n', [...Array(9).fill('begun'), ...Array(7).fill('marker_there')]]
          : ['', [...Array(8).fill('marker_there'), ...Array(8).fill('taken')]],
      );
    }
  });
});
