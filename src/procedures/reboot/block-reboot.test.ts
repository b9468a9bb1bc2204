import { expect, test } from 'vitest';
import { describeReboots, OTHER_BOOT_ID } from '../../../test/harness/shells/reboot-host.ts';
import { until } from '../../../test/harness/until.ts';
import type { Argv } from '../../domain/command.ts';
import { blockReboot } from './block-reboot.ts';
import { markerPath, REBOOT_GUARDS } from './reboot-guard.ts';

/** Until the test says so. */
const WAIT = 'until [ -e /run/go ]; do sleep 0.02; done\n';

/** The same, and leaves a file per waiting script. */
const NOTED_WAIT = `: >/run/waiting/$$\n${WAIT}`;

/** It may go either way each time. */
const ROUNDS = process.env['HOSTLER_TEST_ALL'] ? 8 : 2;

describeReboots('a mark that is taken', host => {
  test('lets no reboot come any more, and may be taken again', async () => {
    const rebootId = host().newMark();
    expect([await host().take(rebootId), await host().take(rebootId)]).toEqual(['blocked', 'blocked']);
    expect(await host().look(rebootId)).toMatchObject({ marker: 'blocked', problem: '' });
    expect(await host().send(rebootId)).toBe('marker_exists');
    expect(await host().reboots()).toBe('');
    expect(
      await host().bash(`stat -c %a /run/hostler ${markerPath(rebootId)}; ls /run/hostler | wc -l`),
    ).toBe('700\n700\n1\n');
  });

  test('is that of the reboot when that was first', async () => {
    const rebootId = host().newMark();
    await host().send(rebootId);
    expect([await host().take(rebootId), await host().take(rebootId)]).toEqual(['started', 'started']);
    expect(await host().reboots()).toBe('reboot \n');
  });

  test('is taken from one who has stopped before saying whose it is, and does nothing later', async () => {
    const rebootId = host().newMark();
    const stopping = REBOOT_GUARDS.marker.replace('ln ', `${WAIT}ln `);
    const sent = host().send(rebootId, {}, { marker: stopping });
    await until('the marker', async () => (await host().bash(`ls -d ${markerPath(rebootId)}`)) !== '');
    expect(await host().send(rebootId)).toBe('marker_exists');
    expect(await host().take(rebootId)).toBe('blocked');
    await host().bash('touch /run/go');
    expect(await sent).toBe('marker_exists');
    expect(await host().reboots()).toBe('');
    expect(await host().look(rebootId)).toMatchObject({ marker: 'blocked' });
  });

  test('in another boot is not there to be taken', async () => {
    const rebootId = host().newMark();
    await host().bash(`echo ${OTHER_BOOT_ID} >/run/proc/boot_id`);
    expect(await host().take(rebootId)).toBe('other_boot');
    expect(await host().look(rebootId)).toMatchObject({ marker: 'none' });
  });

  test('is not taken where the boot ID cannot be read, which is reported', async () => {
    await host().bash(': >/run/proc/boot_id');
    expect(await host().take(host().newMark())).toBe(
      'proc_not_readable: cannot read /proc/sys/kernel/random/boot_id on the host: the file is empty',
    );
  });

  const READ_ONLY = 'mount -o remount,ro /run';
  const WRITABLE = 'mount -o remount,rw /run';

  test.each([
    ['read-only', READ_ONLY, WRITABLE],
    [
      'full',
      'mount -o remount,size=1m /run; yes >/run/filler',
      'rm /run/filler; mount -o remount,size=50% /run',
    ],
    ['blocked by a file', 'echo >/run/hostler', 'rm /run/hostler'],
  ])('lets no reboot come after /run was %s and is writable again', async (_what, change, repair) => {
    const rebootId = host().newMark();
    await host().bash(change);
    try {
      expect([await host().take(rebootId), await host().take(rebootId)]).toEqual(['blocked', 'blocked']);
      expect(await host().look(rebootId)).toMatchObject({ marker: 'blocked', problem: '' });
    } finally {
      await host().bash(repair);
    }
    expect(await host().send(rebootId)).toBe('marker_exists');
    expect(await host().reboots()).toBe('');
    expect(await host().bash(`ls -A /run/hostler; stat -c %a /dev/hostler.*`)).toBe('700\n');
    expect(await host().send({ ...rebootId, attempt: 2 })).toBe('started');
    expect(await host().reboots()).toBe('reboot \n');
  });

  test('is that of the reboot where /run is read-only and the reboot was first', async () => {
    const rebootId = host().newMark();
    await host().send(rebootId, { customRebootArgv: ['true'] });
    await host().reboots();
    await host().bash(READ_ONLY);
    try {
      expect(await host().take(rebootId)).toBe('started');
      expect(await host().bash('ls -d /dev/hostler.*')).toBe('');
    } finally {
      await host().bash(WRITABLE);
    }
  });

  test('stops a sender that took the marker at the same moment, while /run was read-only', async () => {
    const rebootId = host().newMark();
    const stopping = REBOOT_GUARDS.marker.replace('write_file ', `${WAIT}write_file `);
    const sent = host().send(rebootId, {}, { marker: stopping });
    await until('the sender has passed its first checks', async () =>
      (await host().bash('ls /run/hostler')).includes(rebootId.operation),
    );
    await host().bash('mount -o remount,size=1m /run; yes >/run/filler');
    expect(await host().take(rebootId)).toBe('blocked');
    await host().bash('rm /run/filler; mount -o remount,size=50% /run; touch /run/go');
    expect(await sent).toBe('started');
    expect(await host().reboots()).toBe('');
    expect(await host().look(rebootId)).toMatchObject({
      marker: 'failed',
      problem: 'the reboot was cancelled on the host',
    });
  });

  test('is not taken where /dev cannot be written either, which is reported', async () => {
    await host().bash(`${READ_ONLY}; mount -o remount,ro /dev`);
    try {
      expect(await host().take(host().newMark())).toMatch(
        /^run_not_writable: cannot create \/run\/hostler on the host: mkdir: .*Read-only file system$/,
      );
    } finally {
      await host().bash(`mount -o remount,rw /dev; ${WRITABLE}`);
    }
  });

  test('while reboots are sent is either theirs or ours, and all say the same', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const rebootId = host().newMark();
      await host().bash('rm -rf /run/go /run/waiting; mkdir /run/waiting; : >/run/reboots');
      const { argv, parse } = blockReboot(rebootId);
      const taking: Argv = ['bash', '-c', `${NOTED_WAIT}exec "$@"`, 'bash', ...argv];
      const marker = REBOOT_GUARDS.marker.replace('mkdir ', () => `${NOTED_WAIT}mkdir `);
      const tries = Array.from({ length: 8 }, () => [
        host().send(rebootId, {}, { marker }),
        host().askForWord({ argv: taking, parse }),
      ]).flat();
      await until('sixteen that wait', async () => {
        return Number(await host().bash('ls /run/waiting | wc -l')) >= tries.length;
      });
      await host().bash('touch /run/go');
      const replies = (await Promise.all(tries)).map(String).sort();
      const isBegun = (await host().look(rebootId))?.marker === 'started';
      expect([await host().reboots(), replies]).toEqual(
        isBegun
          ? ['reboot \n', [...Array(7).fill('marker_exists'), ...Array(9).fill('started')]]
          : ['', [...Array(8).fill('blocked'), ...Array(8).fill('marker_exists')]],
      );
    }
  });
});
