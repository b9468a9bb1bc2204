import { expect, test } from 'vitest';
import { describeJobs, sh } from '../../../test/harness/shells/job-host.ts';
import type { Argv } from '../../domain/command.ts';

describeJobs('the command of a job', host => {
  test.each<[string, Argv, string | RegExp]>([
    ['ends well', sh('echo well'), 'ended 0: well'],
    ['complains and ends badly', sh('echo one; echo two >&2; exit 100'), 'ended 100: one\ntwo'],
    ['is ended by a signal', sh('kill -9 $$'), 'ended 137:'],
    ['reads its input, and gets none', ['cat'], 'ended 0:'],
    ['is not there', ['no-such-program-anywhere'], /^ended 127: .*not found/],
    ['is called as something that only a shell knows', ['return', '3'], /^ended 127:/],
  ])('%s', async (_what, argv, answer) => {
    expect(await host().run(argv)).toEqual(
      typeof answer === 'string' ? answer : expect.stringMatching(answer),
    );
  });

  test('says any bytes, also such as look like an answer of the host', async () => {
    const output = 'hostler-job ended 9 1 0\n\0\xff\nhostler-job none - 0 0';
    const format = output.replaceAll('\n', '\\n').replace('\0', '\\000').replace('\xff', '\\377');
    expect(await host().run(['printf', format])).toBe(`ended 0: ${output}`);
  });

  test('leaves behind a daemon that is not waited for, and still heard', async () => {
    const name = host().newName();
    const daemon = `until [ -e /run/${name} ]; do sleep 0.1; done; echo late`;
    expect(await host().run(sh(`(${daemon}) & echo end`), name)).toBe('ended 0: end');
    await host().bash(`touch /run/${name}`);
    await host().until(async () => (await host().look(name)).total === 'end\nlate\n'.length);
  });

  test('says more than is kept, and no more than that is kept', async () => {
    const name = host().newName();
    expect(await host().run(sh('yes | head -c 20000000'), name)).toMatch(/^ended 0: [y\n]+$/);
    const [kept] = (await host().bash(`du -s --apparent-size -B1 /run/hostler/${name}`)).split('\t');
    expect(Number(kept)).toBeGreaterThan(500_000);
    expect(Number(kept)).toBeLessThan(1_000_000);
    expect((await host().look(name)).total).toBe(20_000_000);
  });

  test('is not broken off by a /run without room, and its code is told', async () => {
    const name = host().newName();
    await host().bash(
      'rm -r /run/hostler; mount -o remount,size=1m /run; dd if=/dev/zero of=/run/filler bs=1k count=900',
    );
    try {
      const argv = sh('seq 1000000 1199999 && exit 7');
      expect(await host().run(argv, name)).toMatch(/^ended 7:/);
      expect((await host().look(name)).total).toBeLessThan(200_000);
    } finally {
      await host().bash('rm /run/filler; mount -o remount,size=50% /run');
    }
  });
});
