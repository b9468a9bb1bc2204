import { expect, test } from 'vitest';
import { describeReboots, OTHER_BOOT_ID, WAIT_AT_GATE } from '../../../test/harness/shells/reboot-host.ts';
import { IS_LONG_RUN } from '../../../test/harness/vitest/long-run.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import type { Argv } from '../../domain/command.ts';
import { markerPath, REBOOT_GUARDS } from './reboot-guard.ts';
import { blockReboot } from './reboot-scripts.ts';

const WAIT = `${WAIT_AT_GATE}\n`;

/** Also creates a file per waiting script. */
const NOTED_WAIT = `: >/run/waiting/$$\n${WAIT}`;

/** Each round can end either way. */
const ROUNDS = IS_LONG_RUN ? 8 : 2;

describeReboots('blockReboot', host => {
  test('blocks later reboots, and can be repeated', async () => {
    const rebootId = host().newRebootId();
    expect([await host().block(rebootId), await host().block(rebootId)]).toEqual(['blocked', 'blocked']);
    expect(await host().probe(rebootId)).toMatchObject({ marker: 'blocked', problem: '' });
    expect(await host().send(rebootId)).toBe('marker_exists');
    expect(await host().listReboots()).toBe('');
    expect(await host().bash(`stat -c %a /run/hostler ${markerPath(rebootId)}; ls /run/hostler | wc -l`)).toBe(
      '700\n700\n1\n',
    );
  });

  test('reports started when the reboot came first', async () => {
    const rebootId = host().newRebootId();
    await host().send(rebootId);
    expect([await host().block(rebootId), await host().block(rebootId)]).toEqual(['started', 'started']);
    expect(await host().listReboots()).toBe('reboot \n');
  });

  test('blocks a sender that stopped before it wrote the owner', async () => {
    const rebootId = host().newRebootId();
    const pausedGuard = REBOOT_GUARDS.marker.replace('ln ', `${WAIT}ln `);
    const sent = host().send(rebootId, {}, { marker: pausedGuard });
    await waitUntil('the marker', async () => (await host().bash(`ls -d ${markerPath(rebootId)}`)) !== '');
    expect(await host().send(rebootId)).toBe('marker_exists');
    expect(await host().block(rebootId)).toBe('blocked');
    await host().openGate();
    expect(await sent).toBe('marker_exists');
    expect(await host().listReboots()).toBe('');
    expect(await host().probe(rebootId)).toMatchObject({ marker: 'blocked' });
  });

  test('reports other_boot after the host has rebooted', async () => {
    const rebootId = host().newRebootId();
    await host().bash(`echo ${OTHER_BOOT_ID} >/run/proc/boot_id`);
    expect(await host().block(rebootId)).toBe('other_boot');
    expect(await host().probe(rebootId)).toMatchObject({ marker: 'none' });
  });

  test('reports an unreadable boot id', async () => {
    await host().bash(': >/run/proc/boot_id');
    expect(await host().block(host().newRebootId())).toBe(
      'proc_not_readable: cannot read /proc/sys/kernel/random/boot_id on the host: the file is empty',
    );
  });

  const READ_ONLY = 'mount -o remount,ro /run';
  const WRITABLE = 'mount -o remount,rw /run';

  test.each([
    ['read-only', READ_ONLY, WRITABLE],
    ['full', 'mount -o remount,size=1m /run; yes >/run/filler', 'rm /run/filler; mount -o remount,size=50% /run'],
    ['blocked by a file', 'echo >/run/hostler', 'rm /run/hostler'],
  ])('blocks reboots after /run was %s and is writable again', async (_case, change, repair) => {
    const rebootId = host().newRebootId();
    await host().bash(change);
    try {
      expect([await host().block(rebootId), await host().block(rebootId)]).toEqual(['blocked', 'blocked']);
      expect(await host().probe(rebootId)).toMatchObject({ marker: 'blocked', problem: '' });
    } finally {
      await host().bash(repair);
    }
    expect(await host().send(rebootId)).toBe('marker_exists');
    expect(await host().listReboots()).toBe('');
    expect(await host().bash(`ls -A /run/hostler; stat -c %a /dev/hostler.*`)).toBe('700\n');
    expect(await host().send({ ...rebootId, attempt: 2 })).toBe('started');
    expect(await host().listReboots()).toBe('reboot \n');
  });

  test('reports started when /run is read-only and the reboot came first', async () => {
    const rebootId = host().newRebootId();
    await host().send(rebootId, { customRebootArgv: ['true'] });
    await host().listReboots();
    await host().bash(READ_ONLY);
    try {
      expect(await host().block(rebootId)).toBe('started');
      expect(await host().bash('ls -d /dev/hostler.*')).toBe('');
    } finally {
      await host().bash(WRITABLE);
    }
  });

  test('stops a concurrent sender while /run is full', async () => {
    const rebootId = host().newRebootId();
    const pausedGuard = REBOOT_GUARDS.marker.replace('write_file ', `${WAIT}write_file `);
    const sent = host().send(rebootId, {}, { marker: pausedGuard });
    await waitUntil('the sender has passed its first checks', async () =>
      (await host().bash('ls /run/hostler')).includes(rebootId.operation),
    );
    await host().bash('mount -o remount,size=1m /run; yes >/run/filler');
    expect(await host().block(rebootId)).toBe('blocked');
    await host().bash('rm /run/filler; mount -o remount,size=50% /run');
    await host().openGate();
    expect(await sent).toBe('started');
    expect(await host().listReboots()).toBe('');
    expect(await host().probe(rebootId)).toMatchObject({
      marker: 'failed',
      problem: 'the reboot was cancelled on the host',
    });
  });

  test('reports an error when neither /run nor /dev is writable', async () => {
    await host().bash(`${READ_ONLY}; mount -o remount,ro /dev`);
    try {
      expect(await host().block(host().newRebootId())).toMatch(
        /^run_not_writable: cannot create \/run\/hostler on the host: mkdir: .*Read-only file system$/,
      );
    } finally {
      await host().bash(`mount -o remount,rw /dev; ${WRITABLE}`);
    }
  });

  test('agrees with concurrent reboots on one owner of the marker', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const rebootId = host().newRebootId();
      await host().bash('rm -rf /run/waiting; mkdir /run/waiting; : >/run/reboots');
      await host().closeGate();
      const { argv, parse } = blockReboot(rebootId);
      const blockArgv: Argv = ['bash', '-c', `${NOTED_WAIT}exec "$@"`, 'bash', ...argv];
      const marker = REBOOT_GUARDS.marker.replace('mkdir ', () => `${NOTED_WAIT}mkdir `);
      const attempts = Array.from({ length: 8 }, () => [
        host().send(rebootId, {}, { marker }),
        host().queryText({ argv: blockArgv, parse }),
      ]).flat();
      await waitUntil('sixteen that wait', async () => {
        return Number(await host().bash('ls /run/waiting | wc -l')) >= attempts.length;
      });
      await host().openGate();
      const replies = (await Promise.all(attempts)).map(String).sort();
      const isStarted = (await host().probe(rebootId))?.marker === 'started';
      expect([await host().listReboots(), replies]).toEqual(
        isStarted
          ? ['reboot \n', [...Array(7).fill('marker_exists'), ...Array(9).fill('started')]]
          : ['', [...Array(8).fill('blocked'), ...Array(8).fill('marker_exists')]],
      );
    }
  });
});
