import { describe, expect, test } from 'vitest';
import { describeReboots, OTHER_BOOT_ID, UPTIME_S } from '../../../test/harness/shells/reboot-host.ts';
import { until } from '../../../test/harness/until.ts';
import { markerPath } from './reboot-guard.ts';
import { rebootQuery } from './send-reboot.ts';

const LAUNCH = 'env -i setsid /bin/sh "$file" &';

describeReboots('a reboot that is sent', host => {
  test('is begun once, by the command that the host has for it', async () => {
    const rebootId = host().newMark();
    expect(await host().look(rebootId)).toMatchObject({
      marker: 'none',
      uptimeS: UPTIME_S,
      bootId: rebootId.bootId,
    });
    expect(await host().send(rebootId)).toBe('started');
    expect(await host().send(rebootId)).toBe('marker_exists');
    expect(await host().reboots()).toBe('reboot \n');
    expect(await host().look(rebootId)).toMatchObject({ marker: 'started', problem: '' });
    expect(await host().send(rebootId)).toBe('marker_exists');
    expect(await host().reboots()).toBe('reboot \n');
    expect(
      await host().bash(`stat -c %a /run/hostler ${markerPath(rebootId)}; ls /run/hostler | wc -l`),
    ).toBe('700\n700\n1\n');
  });

  test('by twenty at once is begun once', async () => {
    const rebootId = host().newMark();
    const replies = await Promise.all(Array.from({ length: 20 }, () => host().send(rebootId)));
    expect(replies.sort()).toEqual([...Array(19).fill('marker_exists'), 'started']);
    expect(await host().reboots()).toBe('reboot \n');
  });

  test('for another attempt has a marker of its own', async () => {
    const rebootId = host().newMark();
    await host().send(rebootId);
    expect(await host().send({ ...rebootId, attempt: 2 })).toBe('started');
    expect(await host().reboots()).toBe('reboot \nreboot \n');
  });

  test('is one by a command that reboots by itself, which gets its arguments as they were given', async () => {
    const odd = ["it's", "''", 'a\n\n', '$x $(x) `x`', `\${x}`, '', '*', '\\', '%s', '-n', 'ü'];
    const script = 'printf "[%s]" "$@" "$HOME" "$LC_ALL" >>/run/reboots';
    expect(
      await host().send(host().newMark(), { customRebootArgv: ['sh', '-c', script, 'sh', ...odd] }),
    ).toBe('started');
    expect(await host().reboots()).toBe([...odd, '/root', 'C'].map(word => `[${word}]`).join(''));
  });

  test.each([
    ['in another boot', 'other_boot', `echo ${OTHER_BOOT_ID} >/run/proc/boot_id`],
    ['at its deadline', 'too_late', `echo ${UPTIME_S + 60}.00 1.0 >/run/proc/uptime`],
    ['long after its deadline', 'too_late', 'echo 12345678.90 1.0 >/run/proc/uptime'],
    [
      'where the boot ID is empty',
      'proc_not_readable: cannot read /proc/sys/kernel/random/boot_id on the host: the file is empty',
      ': >/run/proc/boot_id',
    ],
    [
      'where the uptime is empty',
      'proc_not_readable: cannot read /proc/uptime on the host: the file is empty',
      ': >/run/proc/uptime',
    ],
    [
      'where the uptime is malformed',
      'proc_not_readable: cannot read /proc/uptime on the host: unexpected content: x',
      'echo x >/run/proc/uptime',
    ],
    [
      'where a file is in place of the folder',
      expect.stringMatching(
        /^run_not_writable: cannot create \/run\/hostler on the host: mkdir: .*File exists$/,
      ),
      'echo >/run/hostler',
    ],
  ])('%s does nothing, and takes no marker', async (_where, expected, change) => {
    const rebootId = host().newMark();
    await host().bash(change);
    expect(await host().send(rebootId)).toEqual(expected);
    expect(await host().reboots()).toBe('');
    expect(await host().bash('find /run/hostler -mindepth 1')).toBe('');
  });

  test('right before its deadline is begun', async () => {
    await host().bash(`echo ${UPTIME_S + 59}.99 1.0 >/run/proc/uptime`);
    expect(await host().send(host().newMark())).toBe('started');
    expect(await host().reboots()).toBe('reboot \n');
  });

  test('takes no marker where /run is full, and reports it', async () => {
    const rebootId = host().newMark();
    await host().bash('mkdir -m 0700 /run/hostler; mount -o remount,size=1m /run; yes >/run/filler');
    try {
      expect(await host().send(rebootId)).toMatch(
        /^run_not_writable: cannot write to \/run\/hostler on the host: cat: .*No space left on device$/,
      );
      expect(await host().bash('ls -A /run/hostler')).toBe('');
    } finally {
      await host().bash('rm /run/filler; mount -o remount,size=50% /run');
    }
    expect(await host().send(rebootId)).toBe('started');
    expect(await host().reboots()).toBe('reboot \n');
  });

  test('takes no marker where /run runs out of inodes at any step, and reports it', async () => {
    const rebootId = host().newMark();
    await host().bash('mkdir -m 0700 /run/hostler');
    const limitInodes = (free: number) =>
      host().bash(`mount -o remount,nr_inodes=$(($(df --output=iused /run | tail -1) + ${free})) /run`);
    try {
      for (const free of [0, 1, 2, 3]) {
        await limitInodes(free);
        expect(await host().send(rebootId), `${free} free inodes`).toMatch(
          /^run_not_writable: cannot write to \/run\/hostler on the host: .*No space left on device$/,
        );
        expect(await host().bash('ls -A /run/hostler')).toBe('');
      }
    } finally {
      await host().bash('mount -o remount,nr_inodes=100000 /run');
    }
    expect(await host().reboots()).toBe('');
    expect(await host().send(rebootId)).toBe('started');
    expect(await host().reboots()).toBe('reboot \n');
  });

  test.each([
    ['create', '/run/hostler', ':'],
    ['write to', '/run/hostler', 'mkdir -m 0700 /run/hostler'],
  ])('reports that it cannot %s %s where /run is read-only', async (action, folder, before) => {
    const rebootId = host().newMark();
    await host().bash(`${before}; mount -o remount,ro /run`);
    try {
      expect(await host().send(rebootId)).toMatch(
        new RegExp(`^run_not_writable: cannot ${action} ${folder} on the host: .*Read-only file system$`),
      );
    } finally {
      await host().bash('mount -o remount,rw /run');
    }
    expect(await host().reboots()).toBe('');
    expect(await host().look(rebootId)).toMatchObject({ marker: 'none' });
  });

  test('comes about when whoever sent it is killed', async () => {
    const rebootId = host().newMark();
    const { argv } = rebootQuery(rebootId, { deadlineS: UPTIME_S + 60, customRebootArgv: null });
    const sender = host().spawn(argv);
    await until('the script that goes on, in a session of its own', async () => {
      const began = 'tr "\\0" " " <"$file" | grep -q "^/bin/sh [/]run/hostler/reboot_"';
      const look = `for file in /proc/[0-9]*/cmdline; do ${began} && echo "$file"; done 2>/dev/null`;
      return (await host().bash(look)) !== '';
    });
    if (sender.pid !== undefined && sender.exitCode === null) process.kill(-sender.pid, 'SIGKILL');
    expect(await host().reboots()).toBe('reboot \n');
  });

  test('comes about where there is no setsid either', async () => {
    await host().bash('mount --bind /dev/null "$(readlink -f "$(type -P setsid)")"');
    try {
      expect(await host().send(host().newMark())).toBe('started');
      expect(await host().reboots()).toBe('reboot \n');
    } finally {
      await host().bash('umount "$(readlink -f /usr/bin/setsid)"');
    }
  });

  describe('where systemd is', () => {
    test('comes about by a unit of its own', async () => {
      await host().pretendSystemd(LAUNCH);
      const rebootId = host().newMark();
      expect(await host().send(rebootId)).toBe('started');
      expect(await host().reboots()).toBe('systemctl reboot\n');
      const name = markerPath(rebootId).replace('/run/hostler/', '');
      expect((await host().bash('cat /run/units')).replace(/\d+\n$/, 'PID')).toBe(
        `--quiet --collect --no-block --unit=hostler-${name} --property=KillMode=process /bin/sh ${markerPath(rebootId)}.PID`,
      );
    });

    test('comes about once, also when systemd starts it twice and says that it did not', async () => {
      await host().pretendSystemd(`${LAUNCH}\n${LAUNCH}\nexit 1`);
      expect(await host().send(host().newMark())).toBe('started');
      expect(await host().reboots()).toBe('systemctl reboot\n');
    });

    test.each([
      ['its deadline', `echo ${UPTIME_S + 60}.00 1.0 >/run/proc/uptime`, /ran after its deadline$/],
      ['another boot', `echo ${OTHER_BOOT_ID} >/run/proc/boot_id`, /already booted again/],
      [
        'an empty uptime',
        ': >/run/proc/uptime',
        /^cannot read \/proc\/uptime on the host: the file is empty$/,
      ],
    ])('does not come about when it is started so late that it finds %s', async (_what, change, problem) => {
      await host().pretendSystemd(
        `(until [ -e /run/go ]; do sleep 0.05; done; exec ${LAUNCH.slice(0, -2)}) &`,
      );
      const rebootId = host().newMark();
      expect(await host().send(rebootId)).toBe('started');
      await host().bash(`${change}; touch /run/go`);
      expect(await host().reboots()).toBe('');
      await host().bash(
        `echo ${UPTIME_S + 61}.00 1.0 >/run/proc/uptime; echo ${rebootId.bootId} >/run/proc/boot_id`,
      );
      expect(await host().look(rebootId)).toMatchObject({
        marker: 'failed',
        problem: expect.stringMatching(problem),
      });
    });
  });
});
