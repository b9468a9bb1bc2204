import { expect, test } from 'vitest';
import { describeJobs, sh } from '../../../test/harness/shells/job-host.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import type { Argv } from '../../domain/command.ts';

describeJobs('job command', host => {
  test.each<[string, Argv, string | RegExp]>([
    ['reports exit code 0', sh('echo well'), 'ended 0: well'],
    [
      'reports a non-zero exit code with stdout and stderr',
      sh('echo one; echo two >&2; exit 100'),
      'ended 100: one\ntwo',
    ],
    ['reports 128 plus the signal number', sh('kill -9 $$'), 'ended 137:'],
    ['has an empty stdin', ['cat'], 'ended 0:'],
    ['reports 127 for a missing program', ['no-such-program-anywhere'], /^ended 127: .*not found/],
    ['reports 127 for a shell builtin', ['return', '3'], /^ended 127:/],
  ])('%s', async (_case, argv, response) => {
    expect(await host().run(argv)).toEqual(typeof response === 'string' ? response : expect.stringMatching(response));
  });

  test('can print any bytes, including text that looks like a status line', async () => {
    const output = 'hostler-job ended 9 1 0\n\0\xff\nhostler-job none - 0 0';
    const format = output.replaceAll('\n', '\\n').replace('\0', '\\000').replace('\xff', '\\377');
    expect(await host().run(['printf', format])).toBe(`ended 0: ${output}`);
  });

  test('can leave a daemon behind whose output is still captured', async () => {
    const name = host().newName();
    const daemon = `until [ -e /run/${name} ]; do sleep 0.1; done; echo late`;
    expect(await host().run(sh(`(${daemon}) & echo end`), name)).toBe('ended 0: end');
    await host().bash(`touch /run/${name}`);
    await waitUntil('all output is recorded', async () => (await host().poll(name)).total === 'end\nlate\n'.length);
  });

  test('can print more output than is kept', async () => {
    const name = host().newName();
    expect(await host().run(sh('yes | head -c 20000000'), name)).toMatch(/^ended 0: [y\n]+$/);
    const [keptBytes] = (await host().bash(`du -s --apparent-size -B1 /run/hostler/${name}`)).split('\t');
    expect(Number(keptBytes)).toBeGreaterThan(500_000);
    expect(Number(keptBytes)).toBeLessThan(1_000_000);
    expect((await host().poll(name)).total).toBe(20_000_000);
  });

  test('keeps running and reports its exit code when /run is full', async () => {
    const name = host().newName();
    await host().bash(
      'rm -r /run/hostler; mount -o remount,size=1m /run; dd if=/dev/zero of=/run/filler bs=1k count=900',
    );
    try {
      const argv = sh('seq 1000000 1199999 && exit 7');
      expect(await host().run(argv, name)).toMatch(/^ended 7:/);
      expect((await host().poll(name)).total).toBeLessThan(200_000);
    } finally {
      await host().bash('rm /run/filler; mount -o remount,size=50% /run');
    }
  });
});
