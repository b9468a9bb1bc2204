import { describe, expect, test } from 'vitest';
import { HOST_HOME } from '../../../test/harness/shells/isolated-host.ts';
import { describeReboots, OTHER_BOOT_ID, UPTIME_S, WAIT_AT_GATE } from '../../../test/harness/shells/reboot-host.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import { markerPath } from './reboot-guard.ts';
import { sendRebootQuery } from './reboot-scripts.ts';

const LAUNCH = 'env -i setsid /bin/sh "$file" &';

describeReboots('reboot', host => {
  test('starts once, with the reboot command of the host', async () => {
    const rebootId = host().newRebootId();
    expect(await host().probe(rebootId)).toMatchObject({
      marker: 'none',
      uptimeS: UPTIME_S,
      bootId: rebootId.bootId,
    });
    expect(await host().send(rebootId)).toBe('started');
    expect(await host().send(rebootId)).toBe('marker_exists');
    expect(await host().listReboots()).toBe('reboot \n');
    expect(await host().probe(rebootId)).toMatchObject({ marker: 'started', problem: '' });
    expect(await host().send(rebootId)).toBe('marker_exists');
    expect(await host().listReboots()).toBe('reboot \n');
    expect(await host().bash(`stat -c %a /run/hostler ${markerPath(rebootId)}; ls /run/hostler | wc -l`)).toBe(
      '700\n700\n1\n',
    );
  });

  test('starts once when it is sent twenty times at once', async () => {
    const rebootId = host().newRebootId();
    const replies = await Promise.all(Array.from({ length: 20 }, () => host().send(rebootId)));
    expect(replies.sort()).toEqual([...Array(19).fill('marker_exists'), 'started']);
    expect(await host().listReboots()).toBe('reboot \n');
  });

  test('uses a separate marker for another attempt', async () => {
    const rebootId = host().newRebootId();
    await host().send(rebootId);
    expect(await host().send({ ...rebootId, attempt: 2 })).toBe('started');
    expect(await host().listReboots()).toBe('reboot \nreboot \n');
  });

  test('passes arguments unchanged to a custom reboot command', async () => {
    const specialWords = ["it's", "''", 'a\n\n', '$x $(x) `x`', `\${x}`, '', '*', '\\', '%s', '-n', 'ü'];
    const script = 'printf "[%s]" "$@" "$HOME" "$LC_ALL" >>/run/reboots';
    expect(
      await host().send(host().newRebootId(), {
        customRebootArgv: ['sh', '-c', script, 'sh', ...specialWords],
      }),
    ).toBe('started');
    expect(await host().listReboots()).toBe([...specialWords, HOST_HOME, 'C'].map(word => `[${word}]`).join(''));
  });

  test.each([
    ['in another boot', 'other_boot', `echo ${OTHER_BOOT_ID} >/run/proc/boot_id`],
    ['at its deadline', 'too_late', `echo ${UPTIME_S + 60}.00 1.0 >/run/proc/uptime`],
    ['long after its deadline', 'too_late', 'echo 12345678.90 1.0 >/run/proc/uptime'],
    [
      'when the boot id is empty',
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
      expect.stringMatching(/^run_not_writable: cannot create \/run\/hostler on the host: mkdir: .*File exists$/),
      'echo >/run/hostler',
    ],
  ])('does nothing and creates no marker %s', async (_case, expected, change) => {
    const rebootId = host().newRebootId();
    await host().bash(change);
    expect(await host().send(rebootId)).toEqual(expected);
    expect(await host().listReboots()).toBe('');
    expect(await host().bash('find /run/hostler -mindepth 1')).toBe('');
  });

  test('starts directly before its deadline', async () => {
    await host().bash(`echo ${UPTIME_S + 59}.99 1.0 >/run/proc/uptime`);
    expect(await host().send(host().newRebootId())).toBe('started');
    expect(await host().listReboots()).toBe('reboot \n');
  });

  test('creates no marker and reports an error when /run is full', async () => {
    const rebootId = host().newRebootId();
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
    expect(await host().listReboots()).toBe('reboot \n');
  });

  test('creates no marker and reports an error when /run runs out of inodes at any step', async () => {
    const rebootId = host().newRebootId();
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
    expect(await host().listReboots()).toBe('');
    expect(await host().send(rebootId)).toBe('started');
    expect(await host().listReboots()).toBe('reboot \n');
  });

  test.each([
    ['create', '/run/hostler', ':'],
    ['write to', '/run/hostler', 'mkdir -m 0700 /run/hostler'],
  ])('reports that it cannot %s %s when /run is read-only', async (action, folder, before) => {
    const rebootId = host().newRebootId();
    await host().bash(`${before}; mount -o remount,ro /run`);
    try {
      expect(await host().send(rebootId)).toMatch(
        new RegExp(`^run_not_writable: cannot ${action} ${folder} on the host: .*Read-only file system$`),
      );
    } finally {
      await host().bash('mount -o remount,rw /run');
    }
    expect(await host().listReboots()).toBe('');
    expect(await host().probe(rebootId)).toMatchObject({ marker: 'none' });
  });

  test('happens when the sending process is killed', async () => {
    const rebootId = host().newRebootId();
    const { argv } = sendRebootQuery(rebootId, { deadlineS: UPTIME_S + 60, customRebootArgv: null });
    const sender = host().spawn(argv);
    await waitUntil('the detached script runs', async () => {
      const isRunning = 'tr "\\0" " " <"$file" | grep -q "^/bin/sh [/]run/hostler/reboot_"';
      const findScript = `for file in /proc/[0-9]*/cmdline; do ${isRunning} && echo "$file"; done 2>/dev/null`;
      return (await host().bash(findScript)) !== '';
    });
    if (sender.pid !== undefined && sender.exitCode === null) process.kill(-sender.pid, 'SIGKILL');
    expect(await host().listReboots()).toBe('reboot \n');
  });

  test('happens without setsid', async () => {
    await host().bash('mount --bind /dev/null "$(readlink -f "$(type -P setsid)")"');
    try {
      expect(await host().send(host().newRebootId())).toBe('started');
      expect(await host().listReboots()).toBe('reboot \n');
    } finally {
      await host().bash('umount "$(readlink -f /usr/bin/setsid)"');
    }
  });

  describe('with systemd', () => {
    test('runs in its own unit', async () => {
      await host().fakeSystemd(LAUNCH);
      const rebootId = host().newRebootId();
      expect(await host().send(rebootId)).toBe('started');
      expect(await host().listReboots()).toBe('systemctl reboot\n');
      const name = markerPath(rebootId).replace('/run/hostler/', '');
      expect((await host().bash('cat /run/units')).replace(/\d+\n$/, 'PID')).toBe(
        `--quiet --collect --no-block --unit=hostler-${name} --property=KillMode=process /bin/sh ${markerPath(rebootId)}.PID`,
      );
    });

    test('happens once when systemd starts it twice and reports a failure', async () => {
      await host().fakeSystemd(`${LAUNCH}\n${LAUNCH}\nexit 1`);
      expect(await host().send(host().newRebootId())).toBe('started');
      expect(await host().listReboots()).toBe('systemctl reboot\n');
    });

    test.each([
      ['its deadline passed', `echo ${UPTIME_S + 60}.00 1.0 >/run/proc/uptime`, /ran after its deadline$/],
      ['another boot id', `echo ${OTHER_BOOT_ID} >/run/proc/boot_id`, /already booted again/],
      ['an empty uptime file', ': >/run/proc/uptime', /^cannot read \/proc\/uptime on the host: the file is empty$/],
    ])('does not happen when it starts late and finds %s', async (_what, change, problem) => {
      await host().fakeSystemd(`(${WAIT_AT_GATE}; exec ${LAUNCH.slice(0, -2)}) &`);
      const rebootId = host().newRebootId();
      expect(await host().send(rebootId)).toBe('started');
      await host().bash(change);
      await host().openGate();
      expect(await host().listReboots()).toBe('');
      await host().bash(`echo ${UPTIME_S + 61}.00 1.0 >/run/proc/uptime; echo ${rebootId.bootId} >/run/proc/boot_id`);
      expect(await host().probe(rebootId)).toMatchObject({
        marker: 'failed',
        problem: expect.stringMatching(problem),
      });
    });
  });
});
