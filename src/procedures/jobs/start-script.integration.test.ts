import { afterAll, describe, expect, test } from 'vitest';
import { HOST_HOME } from '../../../test/harness/shells/isolated-host.ts';
import { describeJobs, sh } from '../../../test/harness/shells/job-host.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import { startArgv } from './start-script.ts';

// A bind mount, because the file system itself is busy while jobs run.
const READ_ONLY = 'mount --bind /run /run && mount -o remount,bind,ro /run';
const WRITABLE = 'umount /run';

describeJobs('job', (host, shell) => {
  test('runs once when it is started five times at once', async () => {
    const name = host().newName();
    const argv = sh(`echo ran >>/run/${name}; sleep 1; echo end`);
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => host().run(argv, name)));
    expect(results).toEqual(Array(5).fill('ended 0: end'));
    expect(await host().bash(`cat /run/${name}; ls /run/hostler | grep '[.]'`)).toBe('ran\n');
  });

  test('runs again only after a reboot', async () => {
    const name = host().newName();
    const argv = sh(`echo ran >>/run/${name}; wc -l </run/${name}; exit 5`);
    expect([await host().run(argv, name), await host().run(argv, name)]).toEqual(['ended 5: 1', 'ended 5: 1']);
    await host().bash('rm -r /run/hostler');
    expect((await host().poll(name)).state).toEqual({ kind: 'none' });
    expect(await host().run(argv, name)).toBe('ended 5: 2');
  });

  test('keeps running when the starting process is killed', async () => {
    const name = host().newName();
    const starter = host().spawn(startArgv({ name, argv: sh('sleep 2; echo alive') }));
    await waitUntil('the job folder exists', () => host().exists(`/run/hostler/${name}`));
    if (starter.pid !== undefined && starter.exitCode === null) process.kill(-starter.pid, 'SIGKILL');
    expect(await host().run(sh('echo another'), name)).toBe('ended 0: alive');
  });

  test('receives its arguments unchanged', async () => {
    const specialWords = ["it's", "''", 'a\n\n', '$x $(x) `x`', `\${x}`, '', '*', '\\', '%s', '-n', 'ü'];
    const latin1 = Buffer.from(specialWords.map(word => `[${word}]`).join('')).toString('latin1');
    expect(await host().run(['printf', '[%s]', ...specialWords])).toBe(`ended 0: ${latin1}`);
  });

  test('has a folder only for root, which is removed a day of uptime after the end', async () => {
    const [old, fresh, running] = [host().newName(), host().newName(), host().newName()];
    for (const name of [old, fresh]) await host().run(['true'], name);
    await host().start(running, ['sleep', '1000']);
    await host().bash(`read -r up rest </proc/uptime; echo $((\${up%%.*} - 90000)) >/run/hostler/${old}/ended
      touch -d '3 days ago' /run/hostler/${fresh}/* /run/hostler/${running}/*`);
    await host().run(['true']);
    const remaining = await host().bash('ls /run/hostler');
    expect([old, fresh, running].map(name => remaining.split('\n').includes(name))).toEqual([false, true, true]);
    expect(await host().bash(`stat -c %a /run/hostler /run/hostler/${fresh}`)).toBe('700\n700\n');
  });

  describe('with systemd', () => {
    const stubCommand = (what: string) =>
      host().bash(`mkdir -p /run/systemd/system; rm -f /run/calls
        printf '%s\\n' '#!/bin/bash' 'echo "$*" >>/run/calls' '${what}' >/run/bin/systemd-run
        chmod 755 /run/bin/systemd-run`);
    afterAll(() => host().bash('rm -r /run/systemd /run/bin/systemd-run'));

    test('runs in its own unit with the same environment', async () => {
      const name = host().newName();
      await stubCommand(`env -i setsid "\${@: -2}" &`);
      expect(await host().run(sh('echo "$HOME $LC_ALL"; echo "$PATH" | grep -c /run/bin:; umask'), name)).toBe(
        `ended 0: ${HOST_HOME} C\n1\n0022`,
      );
      const options = `--quiet --collect --no-block --unit=hostler-${name} --property=KillMode=process`;
      const [call = ''] = (await host().bash('cat /run/calls')).split('\n');
      expect(call.replace(/\d+$/, 'PID')).toBe(`${options} /bin/sh /run/hostler/${name}.PID`);
    });

    test('starts without systemd when systemd-run fails', async () => {
      await stubCommand('exit 1');
      expect(await host().run(['echo', 'ok'])).toBe('ended 0: ok');
    });

    // Slow because of the start timeout. The behaviour does not depend on the shell.
    if (shell === 'dash')
      test('reports not_started when systemd does not start it', async () => {
        await stubCommand('exit 0');
        expect(await host().run(['true'])).toBe('not_started: the job did not start');
      });
  });

  test('starts or reports an error for any amount of free space in /run', async () => {
    await host().bash(
      'rm -rf /run/hostler; mkdir -m 0700 /run/hostler; mount -o remount,size=1m /run; yes >/run/filler',
    );
    const results: string[] = [];
    try {
      for (let free = 0; free < 10; free += 1) {
        const name = host().newName();
        results.push(await host().run(sh(`: >/run/${name}`), name));
        if (results.at(-1) !== 'ended 0:') expect(await host().bash(`ls -A /run/hostler; ls /run/${name}`)).toBe('');
        await host().bash('rm -rf /run/hostler/*; truncate -s -4096 /run/filler');
      }
    } finally {
      await host().bash('rm /run/filler; mount -o remount,size=50% /run');
    }
    const errors = results.filter(result => result !== 'ended 0:');
    expect(errors.length).toBeGreaterThan(3);
    expect(errors.length).toBeLessThan(results.length);
    for (const error of errors)
      expect(error).toMatch(
        /^run_not_writable: cannot write to \/run\/hostler on the host: cat: .*No space left on device$/,
      );
  });

  test.each([
    ['create', ':'],
    ['write to', 'mkdir -m 0700 /run/hostler'],
  ])('reports that it cannot %s /run/hostler when /run is read-only', async (action, before) => {
    const name = host().newName();
    await host().bash(`rm -rf /run/hostler; ${before}; ${READ_ONLY}`);
    try {
      expect(await host().run(sh(`echo >/tmp/${name}`), name)).toMatch(
        new RegExp(`^run_not_writable: cannot ${action} /run/hostler on the host: .*Read-only file system$`),
      );
      expect(await host().exists(`/tmp/${name}`)).toBe(false);
    } finally {
      await host().bash(WRITABLE);
    }
  });

  test('is found again after /run became read-only', async () => {
    const name = host().newName();
    expect(await host().run(['echo', 'ok'], name)).toBe('ended 0: ok');
    await host().bash(READ_ONLY);
    try {
      expect(await host().run(['echo', 'another'], name)).toBe('ended 0: ok');
    } finally {
      await host().bash(WRITABLE);
    }
  });

  test('is detached from the starting process without setsid', async () => {
    const name = host().newName();
    await host().bash('mount --bind /dev/null "$(command -v setsid)"');
    try {
      await host().start(name, sh('sleep 1; echo alive'));
      expect(await host().run(sh('echo another'), name)).toBe('ended 0: alive');
    } finally {
      await host().bash('umount "$(readlink -f /usr/bin/setsid)"');
    }
  });
});
