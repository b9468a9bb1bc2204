import { expect, test } from 'vitest';
import { describeJobs, sh, text } from '../../../test/harness/shells/job-host.ts';

describeJobs('a look at a job', (host, shell) => {
  test('finds it running, and at the limit of time leaves it so', async () => {
    const name = host().newName();
    const argv = sh(`echo begun; until [ -e /run/${name} ]; do sleep 0.1; done; echo end`);
    expect(await host().run(argv, name, { timeoutMs: 1000 })).toBe('still_running: begun');
    await host().bash(`touch /run/${name}`);
    expect(await host().run(argv, name)).toBe('ended 0: begun\nend');
  });

  test('finds it lost when it was killed together with what it knew', async () => {
    const name = host().newName();
    await host().start(name, sh('echo begun; exec sleep 1000'));
    await host().until(async () => (await host().look(name)).total > 0);
    expect((await host().look(name)).state).toEqual({ kind: 'running' });
    await host().bash(
      `cd /run/hostler/${name}; for file in pid command; do read -r pid start <$file; kill -9 "$pid"; done`,
    );
    expect(await host().run(sh('echo another'), name)).toBe('interrupted: begun');
  });

  test('finds it running as long as its command does, whatever has become of the rest', async () => {
    const name = host().newName();
    await host().start(
      name,
      sh(`echo begun; until [ -e /run/${name} ]; do sleep 0.1; done; echo end >/run/${name}`),
    );
    await host().until(async () => (await host().look(name)).total > 0);
    await host().bash(`read -r pid start </run/hostler/${name}/pid; kill -9 "$pid"`);
    expect(await host().run(sh('echo another'), name, { timeoutMs: 1000 })).toBe('still_running: begun');
    await host().bash(`touch /run/${name}`);
    expect(await host().run(sh('echo another'), name)).toBe('interrupted: begun');
    expect(await host().bash(`cat /run/${name}`)).toBe('end\n');
  });

  test('finds it lost when its number is that of another process by now', async () => {
    const name = host().newName();
    await host().bash(`mkdir -p /run/hostler/${name}; echo '1 5' >/run/hostler/${name}/pid`);
    expect((await host().look(name)).state).toEqual({ kind: 'interrupted' });
  });

  test('knows the process whatever its program is called', async () => {
    const name = host().newName();
    await host().bash(`cp "$(command -v sleep)" '/run/a) R 1 (b'; mkdir -p /run/hostler/${name}
      '/run/a) R 1 (b' 1000 >/dev/null 2>&1 & read -r line </proc/$!/stat
      rest=\${line##*) }; set -- $rest; echo "$! \${20}" >/run/hostler/${name}/pid`);
    expect((await host().look(name)).state).toEqual({ kind: 'running' });
  });

  // It takes as long as a job may take to say its number, and no shell does it in a way of its own.
  if (shell === 'dash')
    test('waits a while for one that has not said its number yet', async () => {
      const name = host().newName();
      await host().bash(`mkdir -p /run/hostler/${name}`);
      expect((await host().look(name)).state).toEqual({ kind: 'running' });
      expect((await host().look(name, 0, 20)).state).toEqual({ kind: 'interrupted' });
    });

  test('tells whoever sees the end first so, and when the job was begun and ended', async () => {
    const name = host().newName();
    await host().start(name, sh('exit 7'));
    await host().until(() => host().isThere(`/run/hostler/${name}/code`));
    await host().bash(
      `cd /run/hostler/${name}; for file in started ended; do read -r at <$file; echo $((at - 40)) >$file; done`,
    );
    const first = await host().look(name);
    expect(first).toMatchObject({ state: { kind: 'ended', exitCode: 7 }, isFirstReport: true });
    for (const agoMs of [first.startedMsAgo, first.endedMsAgo]) {
      expect(agoMs).toBeGreaterThanOrEqual(40_000);
      expect(agoMs).toBeLessThan(60_000);
    }
    expect(await host().look(name)).toMatchObject({ isFirstReport: false });
    await host().bash(`rm /run/hostler/${name}/started`);
    expect(await host().look(name)).toMatchObject({ startedMsAgo: undefined });
  });

  test('answers 0 seconds for an end that is later than its reading of the clock', async () => {
    const name = host().newName();
    await host().run(['true'], name);
    await host().bash(`cd /run/hostler/${name}; read -r at <ended; echo $((at + 100)) >ended`);
    expect(await host().look(name)).toMatchObject({ state: { kind: 'ended', exitCode: 0 }, endedMsAgo: 0 });
  });

  test('finds nothing of one that was never started', async () => {
    expect(await host().look(host().newName())).toMatchObject({
      state: { kind: 'none' },
      total: 0,
      offset: 0,
    });
  });

  test('goes on from where another has read', async () => {
    const [name, seen] = [host().newName(), [] as string[]];
    await host().run(sh('printf onetwo'), name);
    const onOutput = (bytes: Uint8Array, place: number) => seen.push(`${place}: ${text(bytes)}`);
    await host().run(sh('echo another'), name, { timeoutMs: 60_000, startOffset: 3, onOutput });
    expect(seen).toEqual(['3: two']);
  });

  test('reads on from where it was, without a gap or a repetition', async () => {
    const pieces: [number, Uint8Array][] = [];
    await host().run(sh('for n in 1 2 3 4 5 6; do seq 1 20000; sleep 0.3; done'), host().newName(), {
      timeoutMs: 60_000,
      onOutput: (bytes, place) => pieces.push([place, bytes]),
    });
    const numbers = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('');
    const all = Buffer.concat(pieces.map(([, bytes]) => bytes));
    expect(all.equals(Buffer.from(numbers.repeat(6)))).toBe(true);
    let place = 0;
    for (const [begin, bytes] of pieces) {
      expect(begin).toBe(place);
      place += bytes.length;
    }
    expect(pieces.length).toBeGreaterThan(4);
  });

  test('of a long output finds the end, at its place in the whole', async () => {
    const name = host().newName();
    // Eight bytes each.
    expect(await host().run(sh('seq 1000000 1499999'), name)).toMatch(/^ended 0: [\d\n]*\n1499998\n1499999$/);
    const { total, offset, output } = await host().look(name);
    expect([total, output.length]).toEqual([4_000_000, 131_072]);
    expect(offset).toBeGreaterThan(3_000_000);
    expect(offset).toBeLessThanOrEqual(4_000_000 - 524_288);
    const [line = ''] = text(output.subarray((8 - (offset % 8)) % 8)).split('\n');
    expect(Number(line)).toBe(1_000_000 + Math.ceil(offset / 8));
    expect(text((await host().look(name, 3_999_992)).output)).toBe('1499999\n');
    expect((await host().look(name, 4_000_000)).output).toHaveLength(0);
  });
});
