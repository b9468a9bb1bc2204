import { describe, expect, test } from 'vitest';
import { sleep } from '../../lib/time/clock.ts';
import { VirtualClock } from '../../lib/time/virtual-clock.ts';
import type { CapturedOutput } from './step-output.ts';
import { StepOutput } from './step-output.ts';

const bytes = (text: string) => Buffer.from(text);

function createOutput({ isStoreAway: isStoreDown = false, saveMs = 0 } = {}) {
  const clock = new VirtualClock();
  const saved: CapturedOutput[] = [];
  const output = new StepOutput(clock, async captured => {
    await sleep(clock, saveMs);
    saved.push(captured);
    if (isStoreDown) throw new Error('the store is away');
  });
  return { clock, saved, output, texts: () => saved.map(captured => captured.output) };
}

describe('what a step says', () => {
  test('is answered at its end, once', async () => {
    const { output } = createOutput();
    output.append(bytes('one\n'));
    output.append(bytes('two\n'));
    expect(await output.end()).toEqual({ output: 'one\ntwo\n', lastLines: 'one\ntwo' });
    expect(await output.end()).toBeUndefined();
  });

  test('is nothing when it said nothing', async () => {
    const { clock, saved, output } = createOutput();
    output.append(bytes(''));
    await clock.advance(5000);
    expect([await output.end(), saved, clock.pending]).toEqual([undefined, [], 0]);
  });

  test('is saved while it goes on, a second after it was said, and not more often', async () => {
    const { clock, output, texts } = createOutput();
    output.append(bytes('one\n'));
    await clock.advance(999);
    expect(texts()).toEqual([]);
    output.append(bytes('two\n'));
    await clock.advance(1);
    expect(texts()).toEqual(['one\ntwo\n']);
    await clock.advance(10_000);
    expect(texts()).toHaveLength(1);
    output.append(bytes('three\n'));
    await clock.advance(1000);
    expect(texts()).toEqual(['one\ntwo\n', 'one\ntwo\nthree\n']);
  });

  test('is not answered at its end when it is saved already, but what came after that is', async () => {
    const { clock, output } = createOutput();
    output.append(bytes('one\n'));
    await clock.advance(1000);
    expect(await output.end()).toBeUndefined();
    const { clock: later, output: other } = createOutput();
    other.append(bytes('one\n'));
    await later.advance(1000);
    other.append(bytes('two\n'));
    expect((await other.end())?.output).toBe('one\ntwo\n');
  });

  test('is not saved any more after its end, nor heard', async () => {
    const { clock, saved, output } = createOutput();
    output.append(bytes('one\n'));
    await output.end();
    output.append(bytes('two\n'));
    await clock.advance(5000);
    expect([saved, clock.pending]).toEqual([[], 0]);
    expect(await output.end()).toBeUndefined();
  });

  test('is not over before what is being saved is saved', async () => {
    const { clock, output, texts } = createOutput({ saveMs: 5000 });
    output.append(bytes('one\n'));
    await clock.advance(1000);
    output.append(bytes('two\n'));
    const seen: unknown[] = [];
    void output.end().then(rest => seen.push([texts(), rest?.output]));
    await clock.advance(4999);
    expect(seen).toEqual([]);
    await clock.advance(1);
    expect(seen).toEqual([[['one\n'], 'one\ntwo\n']]);
  });

  test('is saved in its order, also when that takes long', async () => {
    const { clock, output, texts } = createOutput({ saveMs: 5000 });
    output.append(bytes('one\n'));
    await clock.advance(1000);
    output.append(bytes('two\n'));
    await clock.advance(5999);
    expect(texts()).toEqual(['one\n']);
    await clock.advance(5001);
    expect(texts()).toEqual(['one\n', 'one\ntwo\n']);
    expect(await output.end()).toBeUndefined();
  });

  test('that cannot be saved breaks nothing', async () => {
    const { clock, output, texts } = createOutput({ isStoreAway: true });
    output.append(bytes('one\n'));
    await clock.advance(1000);
    output.append(bytes('two\n'));
    await clock.advance(1000);
    expect(texts()).toEqual(['one\n', 'one\ntwo\n']);
  });
});

describe('of much that is said', () => {
  test('the last 64 KiB are kept', async () => {
    const { output } = createOutput();
    for (let count = 0; count < 30; count += 1) output.append(bytes('x'.repeat(5000)));
    output.append(bytes('the end'));
    const captured = (await output.end())?.output ?? '';
    expect(captured).toHaveLength(65_536);
    expect(captured.endsWith('xthe end')).toBe(true);
  });

  test('also when it comes at once', async () => {
    const { output } = createOutput();
    output.append(bytes(`begin${'y'.repeat(200_000)}`));
    expect((await output.end())?.output).toBe('y'.repeat(65_536));
  });

  test('the last five lines are shown at a glance', async () => {
    const { output } = createOutput();
    output.append(bytes('1\n2\n3\n4\n5\n6\n7\n\n\n'));
    expect((await output.end())?.lastLines).toBe('3\n4\n5\n6\n7');
  });

  test('a thousand characters of them at most, whole ones', async () => {
    const { output } = createOutput();
    output.append(bytes(`a${'😀'.repeat(800)}b`));
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
  ])('%s', async (_what, text, kept) => {
    const { output } = createOutput();
    output.append(bytes(text));
    expect((await output.end())?.output).toBe(kept);
  });

  test('may come in pieces of characters, and be no text at all', async () => {
    const { output } = createOutput();
    const [first, ...rest] = bytes('ü');
    output.append(Uint8Array.from([first ?? 0]));
    output.append(Uint8Array.from(rest));
    output.append(Uint8Array.from([0xff, 0x41]));
    const captured = (await output.end())?.output ?? '';
    expect(captured.startsWith('ü')).toBe(true);
    expect(captured.endsWith('A')).toBe(true);
    expect(captured.isWellFormed()).toBe(true);
  });
});
