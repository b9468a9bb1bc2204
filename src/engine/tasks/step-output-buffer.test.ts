import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../test/harness/simulation/virtual-clock.ts';
import { sleep } from '../../lib/time/clock.ts';
import type { CapturedOutput } from './step-output-buffer.ts';
import { StepOutputBuffer } from './step-output-buffer.ts';

const bytes = (text: string) => Buffer.from(text);

function createOutput({ isStoreDown = false, saveMs = 0 } = {}) {
  const clock = new VirtualClock();
  const saved: CapturedOutput[] = [];
  const output = new StepOutputBuffer(clock, async captured => {
    await sleep(clock, saveMs);
    saved.push(captured);
    if (isStoreDown) throw new Error('store unavailable');
  });
  return { clock, saved, output, texts: () => saved.map(captured => captured.output) };
}

describe('StepOutput', () => {
  test('returns the output at the end, once', async () => {
    const { output } = createOutput();
    output.append(bytes('one\n'));
    output.append(bytes('two\n'));
    expect(await output.end()).toEqual({ output: 'one\ntwo\n', lastLines: 'one\ntwo' });
    expect(await output.end()).toBeUndefined();
  });

  test('returns and saves nothing without output', async () => {
    const { clock, saved, output } = createOutput();
    output.append(bytes(''));
    await clock.advance(5000);
    expect([await output.end(), saved, clock.pending]).toEqual([undefined, [], 0]);
  });

  test('saves the output at most once per second while the step runs', async () => {
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

  test('returns at the end only output that is not saved yet', async () => {
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

  test('ignores and saves no output after the end', async () => {
    const { clock, saved, output } = createOutput();
    output.append(bytes('one\n'));
    await output.end();
    output.append(bytes('two\n'));
    await clock.advance(5000);
    expect([saved, clock.pending]).toEqual([[], 0]);
    expect(await output.end()).toBeUndefined();
  });

  test('waits at the end for a save in progress', async () => {
    const { clock, output, texts } = createOutput({ saveMs: 5000 });
    output.append(bytes('one\n'));
    await clock.advance(1000);
    output.append(bytes('two\n'));
    const results: unknown[] = [];
    void output.end().then(rest => results.push([texts(), rest?.output]));
    await clock.advance(4999);
    expect(results).toEqual([]);
    await clock.advance(1);
    expect(results).toEqual([[['one\n'], 'one\ntwo\n']]);
  });

  test('saves in order when saving is slow', async () => {
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

  test('keeps capturing when a save fails', async () => {
    const { clock, output, texts } = createOutput({ isStoreDown: true });
    output.append(bytes('one\n'));
    await clock.advance(1000);
    output.append(bytes('two\n'));
    await clock.advance(1000);
    expect(texts()).toEqual(['one\n', 'one\ntwo\n']);
  });

  test('returns the output at the end when its last save failed', async () => {
    const { clock, output } = createOutput({ isStoreDown: true });
    output.append(bytes('one\n'));
    await clock.advance(1000);
    expect(await output.end()).toMatchObject({ output: 'one\n' });
  });
});

describe('StepOutput limits', () => {
  test('keeps the last 64 KiB', async () => {
    const { output } = createOutput();
    for (let count = 0; count < 30; count += 1) output.append(bytes('x'.repeat(5000)));
    output.append(bytes('the end'));
    const captured = (await output.end())?.output ?? '';
    expect(captured).toHaveLength(65_536);
    expect(captured.endsWith('xthe end')).toBe(true);
  });

  test('keeps the last 64 KiB of one large chunk', async () => {
    const { output } = createOutput();
    output.append(bytes(`begin${'y'.repeat(200_000)}`));
    expect((await output.end())?.output).toBe('y'.repeat(65_536));
  });

  test('returns the last five lines, without trailing empty lines', async () => {
    const { output } = createOutput();
    output.append(bytes('1\n2\n3\n4\n5\n6\n7\n\n\n'));
    expect((await output.end())?.lastLines).toBe('3\n4\n5\n6\n7');
  });

  test('cuts the last lines to 1,000 characters without splitting a character', async () => {
    const { output } = createOutput();
    output.append(bytes(`a${'😀'.repeat(800)}b`));
    const lastLines = (await output.end())?.lastLines ?? '';
    expect(lastLines.length).toBeLessThanOrEqual(1000);
    expect(lastLines.isWellFormed()).toBe(true);
    expect(lastLines.endsWith('😀b')).toBe(true);
  });
});

describe('StepOutput text', () => {
  test.each([
    ['keeps line breaks and tabs', 'a\tb\nc\n', 'a\tb\nc\n'],
    ['normalizes line endings to LF', 'a\r\nb\rc', 'a\nb\nc'],
    ['removes terminal control characters', '\u001b[31mred\u001b[0m\u0007', '[31mred[0m'],
    ['removes bidirectional control characters', 'a\u202eb', 'ab'],
    ['removes NUL, which PostgreSQL rejects', 'a\u0000b', 'ab'],
  ])('%s', async (_case, text, expected) => {
    const { output } = createOutput();
    output.append(bytes(text));
    expect((await output.end())?.output).toBe(expected);
  });

  test('decodes characters split across chunks and replaces invalid bytes', async () => {
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
