import { expect, test } from 'vitest';
import { describeJobs, sh, toText } from '../../../test/harness/shells/job-host.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';

describeJobs('job poll script', (host, shell) => {
  test('reports a running job and leaves it running at the timeout', async () => {
    const name = host().newName();
    const argv = sh(`echo begun; until [ -e /run/${name} ]; do sleep 0.1; done; echo end`);
    expect(await host().run(argv, name, { timeoutMs: 1000 })).toBe('still_running: begun');
    await host().bash(`touch /run/${name}`);
    expect(await host().run(argv, name)).toBe('ended 0: begun\nend');
  });

  test('reports a killed job as interrupted', async () => {
    const name = host().newName();
    await host().start(name, sh('echo begun; exec sleep 1000'));
    await waitUntil('the job has written output', async () => (await host().poll(name)).total > 0);
    expect((await host().poll(name)).state).toEqual({ kind: 'running' });
    await host().bash(
      `cd /run/hostler/${name}; for file in pid command; do read -r pid start <$file; kill -9 "$pid"; done`,
    );
    expect(await host().run(sh('echo another'), name)).toBe('interrupted: begun');
  });

  test('reports a job as running while its command runs, even when the wrapper was killed', async () => {
    const name = host().newName();
    await host().start(name, sh(`echo begun; until [ -e /run/${name} ]; do sleep 0.1; done; echo end >/run/${name}`));
    await waitUntil('the job has written output', async () => (await host().poll(name)).total > 0);
    await host().bash(`read -r pid start </run/hostler/${name}/pid; kill -9 "$pid"`);
    expect(await host().run(sh('echo another'), name, { timeoutMs: 1000 })).toBe('still_running: begun');
    await host().bash(`touch /run/${name}`);
    expect(await host().run(sh('echo another'), name)).toBe('interrupted: begun');
    expect(await host().bash(`cat /run/${name}`)).toBe('end\n');
  });

  test('reports a job as interrupted when its pid was reused by another process', async () => {
    const name = host().newName();
    await host().createJobFolder(name);
    await host().bash(`echo '1 5' >/run/hostler/${name}/pid`);
    expect((await host().poll(name)).state).toEqual({ kind: 'interrupted' });
  });

  test('finds the process when its program name contains parentheses', async () => {
    const name = host().newName();
    await host().createJobFolder(name);
    await host().bash(`cp "$(command -v sleep)" '/run/a) R 1 (b'
      '/run/a) R 1 (b' 1000 >/dev/null 2>&1 & read -r line </proc/$!/stat
      rest=\${line##*) }; set -- $rest; echo "$! \${20}" >/run/hostler/${name}/pid`);
    expect((await host().poll(name)).state).toEqual({ kind: 'running' });
  });

  // Slow because of the grace period. The behaviour does not depend on the shell.
  if (shell === 'dash')
    test('waits 5 s for a job that has not written its pid yet', async () => {
      const name = host().newName();
      await host().createJobFolder(name);
      expect((await host().poll(name)).state).toEqual({ kind: 'running' });
      expect((await host().poll(name, 0, 20)).state).toEqual({ kind: 'interrupted' });
    });

  test('reports the end as first report only once, with start and end times', async () => {
    const name = host().newName();
    await host().start(name, sh('exit 7'));
    await waitUntil('the exit code is recorded', () => host().exists(`/run/hostler/${name}/code`));
    await host().bash(
      `cd /run/hostler/${name}; for file in started ended; do read -r at <$file; echo $((at - 40)) >$file; done`,
    );
    const first = await host().poll(name);
    expect(first).toMatchObject({ state: { kind: 'ended', exitCode: 7 }, isFirstReport: true });
    for (const agoMs of [first.startedMsAgo, first.endedMsAgo]) {
      expect(agoMs).toBeGreaterThanOrEqual(40_000);
      expect(agoMs).toBeLessThan(60_000);
    }
    expect(await host().poll(name)).toMatchObject({ isFirstReport: false });
    await host().bash(`rm /run/hostler/${name}/started`);
    expect(await host().poll(name)).toMatchObject({ startedMsAgo: undefined });
  });

  test('reports an end time of 0 s ago when the job ended after the clock was read', async () => {
    const name = host().newName();
    await host().run(['true'], name);
    await host().bash(`cd /run/hostler/${name}; read -r at <ended; echo $((at + 100)) >ended`);
    expect(await host().poll(name)).toMatchObject({ state: { kind: 'ended', exitCode: 0 }, endedMsAgo: 0 });
  });

  test('reports none for a job that was never started', async () => {
    expect(await host().poll(host().newName())).toMatchObject({
      state: { kind: 'none' },
      total: 0,
      offset: 0,
    });
  });

  test('returns output from the requested offset', async () => {
    const [name, chunks] = [host().newName(), [] as string[]];
    await host().run(sh('printf onetwo'), name);
    const onOutput = (bytes: Uint8Array, offset: number) => chunks.push(`${offset}: ${toText(bytes)}`);
    await host().run(sh('echo another'), name, { timeoutMs: 60_000, startOffset: 3, onOutput });
    expect(chunks).toEqual(['3: two']);
  });

  test('returns the whole output without gaps or duplicates', async () => {
    const chunks: [number, Uint8Array][] = [];
    await host().run(sh('for n in 1 2 3 4 5 6; do seq 1 20000; sleep 0.3; done'), host().newName(), {
      timeoutMs: 60_000,
      onOutput: (bytes, offset) => chunks.push([offset, bytes]),
    });
    const numbers = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('');
    const all = Buffer.concat(chunks.map(([, bytes]) => bytes));
    expect(all.equals(Buffer.from(numbers.repeat(6)))).toBe(true);
    let expectedOffset = 0;
    for (const [offset, bytes] of chunks) {
      expect(offset).toBe(expectedOffset);
      expectedOffset += bytes.length;
    }
    expect(chunks.length).toBeGreaterThan(4);
  });

  test('returns the end of a long output with its offset', async () => {
    const name = host().newName();
    // Eight bytes per line.
    expect(await host().run(sh('seq 1000000 1499999'), name)).toMatch(/^ended 0: [\d\n]*\n1499998\n1499999$/);
    const { total, offset, output } = await host().poll(name);
    expect([total, output.length]).toEqual([4_000_000, 131_072]);
    expect(offset).toBeGreaterThan(3_000_000);
    expect(offset).toBeLessThanOrEqual(4_000_000 - 524_288);
    const [line = ''] = toText(output.subarray((8 - (offset % 8)) % 8)).split('\n');
    expect(Number(line)).toBe(1_000_000 + Math.ceil(offset / 8));
    expect(toText((await host().poll(name, 3_999_992)).output)).toBe('1499999\n');
    expect((await host().poll(name, 4_000_000)).output).toHaveLength(0);
  });
});
