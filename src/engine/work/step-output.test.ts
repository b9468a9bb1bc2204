import { describe, expect, test } from 'vitest';
import { sleep } from '../../lib/time/sleep.ts';
import { VirtualClock } from '../../lib/time/virtual-clock.ts';
import type { HeardOutput } from './step-output.ts';
import { StepOutput } from './step-output.ts';

const bytes = (text: string) => Buffer.from(text);

function listen({ isStoreAway = false, saveMs = 0 } = {}) {
  const clock = new VirtualClock();
  const saved: HeardOutput[] = [];
  const output = new StepOutput(clock, async heard => {
    await sleep(clock, saveMs);
    saved.push(heard);
    if (isStoreAway) throw new Error('the store is away');
  });
  return { clock, saved, output, texts: () => saved.map(heard => heard.output) };
}

describe('what a step says', () => {
  test('is answered at its end, once', async () => {
    const { output } = listen();
    output.hear(bytes('one\n'));
    output.hear(bytes('two\n'));
    expect(await output.end()).toEqual({ output: 'one\ntwo\n', lastLines: 'one\ntwo' });
    expect(await output.end()).toBeUndefined();
  });

  test('is nothing when it said nothing', async () => {
    const { clock, saved, output } = listen();
    output.hear(bytes(''));
    await clock.advance(5000);
    expect([await output.end(), saved, clock.pending]).toEqual([undefined, [], 0]);
  });

  test('is saved while it goes on, a second after it was said, and not more often', async () => {
    const { clock, output, texts } = listen();
    output.hear(bytes('one\n'));
    await clock.advance(999);
    expect(texts()).toEqual([]);
    output.hear(bytes('two\n'));
    await clock.advance(1);
    expect(texts()).toEqual(['one\ntwo\n']);
    await clock.advance(10_000);
    expect(texts()).toHaveLength(1);
    output.hear(bytes('three\n'));
    await clock.advance(1000);
    expect(texts()).toEqual(['one\ntwo\n', 'one\ntwo\nthree\n']);
  });

  test('is not answered at its end when it is saved already, but what came after that is', async () => {
    const { clock, output } = listen();
    output.hear(bytes('one\n'));
    await clock.advance(1000);
    expect(await output.end()).toBeUndefined();
    const { clock: later, output: other } = listen();
    other.hear(bytes('one\n'));
    await later.advance(1000);
    other.hear(bytes('two\n'));
    expect((await other.end())?.output).toBe('one\ntwo\n');
  });

  test('is not saved any more after its end, nor heard', async () => {
    const { clock, saved, output } = listen();
    output.hear(bytes('one\n'));
    await output.end();
    output.hear(bytes('two\n'));
    await clock.advance(5000);
    expect([saved, clock.pending]).toEqual([[], 0]);
    expect(await output.end()).toBeUndefined();
  });

  test('is not over before what is being saved is saved', async () => {
    const { clock, output, texts } = listen({ saveMs: 5000 });
    output.hear(bytes('one\n'));
    await clock.advance(1000);
    output.hear(bytes('two\n'));
    const seen: unknown[] = [];
    void output.end().then(rest => seen.push([texts(), rest?.output]));
    await clock.advance(4999);
    expect(seen).toEqual([]);
    await clock.advance(1);
    expect(seen).toEqual([[['one\n'], 'one\ntwo\n']]);
  });

  test('is saved in its order, also when that takes long', async () => {
    const { clock, output, texts } = listen({ saveMs: 5000 });
    output.hear(bytes('one\n'));
    await clock.advance(1000);
    output.hear(bytes('two\n'));
    await clock.advance(5999);
    expect(texts()).toEqual(['one\n']);
    await clock.advance(5001);
    expect(texts()).toEqual(['one\n', 'one\ntwo\n']);
    expect(await output.end()).toBeUndefined();
  });

  test('that cannot be saved breaks nothing', async () => {
    const { clock, output, texts } = listen({ isStoreAway: true });
    output.hear(bytes('one\n'));
    await clock.advance(1000);
    output.hear(bytes('two\n'));
    await clock.advance(1000);
    expect(texts()).toEqual(['one\n', 'one\ntwo\n']);
  });
});

describe('of much that is said', () => {
  test('the last 64 KiB are kept', async () => {
    const { output } = listen();
    for (let count = 0; count < 30; count += 1) output.hear(bytes('x'.repeat(5000)));
    output.hear(bytes('the end'));
    const heard = (await output.end())?.output ?? '';
    expect(heard).toHaveLength(65_536);
    expect(heard.endsWith('xthe end')).toBe(true);
  });

  test('also when it comes at once', async () => {
    const { output } = listen();
    output.hear(bytes(`begin${'y'.repeat(200_000)}`));
    expect((await output.end())?.output).toBe('y'.repeat(65_536));
  });

  test('the last five lines are shown at a glance', async () => {
    const { output } = listen();
    output.hear(bytes('1\n2\n3\n4\n5\n6\n7\n\n\n'));
    expect((await output.end())?.lastLines).toBe('3\n4\n5\n6\n7');
  });

  test('a thousand characters of them at most, whole ones', async () => {
    const { output } = listen();
    output.hear(bytes(`a${'😀'.repeat(800)}b`));
    const lastLines = (await output.end())?.lastLines ?? '';
    expect(lastLines.length).toBeLessThanOrEqual(1000);
    expect(lastLines.isWellFormed()).toBe(true);
    expect(lastLines.endsWith('😀b')).toBe(true);
  });
});

describe('what is said', () => {
  test.each([
    ['keeps its lines and tabs', 'a\tb\nc\n', 'a\tb\nc\n'],
    ['has lines as we have them', 'a\r\nb\rc', 'a\nb\nc'],
    ['steers no terminal', '\u001b[31mred\u001b[0m\u0007', '[31mred[0m'],
    ['does not turn the direction of text', 'a\u202eb', 'ab'],
    ['has no NUL, which PostgreSQL does not take', 'a\u0000b', 'ab'],
  ])('%s', async (_what, said, kept) => {
    const { output } = listen();
    output.hear(bytes(said));
    expect((await output.end())?.output).toBe(kept);
  });

  test('may come in pieces of characters, and be no text at all', async () => {
    const { output } = listen();
    const [first, ...rest] = bytes('ü');
    output.hear(Uint8Array.from([first ?? 0]));
    output.hear(Uint8Array.from(rest));
    output.hear(Uint8Array.from([0xff, 0x41]));
    const heard = (await output.end())?.output ?? '';
    expect(heard.startsWith('ü')).toBe(true);
    expect(heard.endsWith('A')).toBe(true);
    expect(heard.isWellFormed()).toBe(true);
  });
});
