import { describe, expect, it, test } from 'vitest';
import { RequestRefused } from '#client/client.ts';
import { runEach, undone } from './run-each.ts';

const refusal = (status: number) =>
  new RequestRefused(status, {
    ...{ type: 'about:blank', title: '', status, code: 'x', request_id: '', detail: 'no' },
  });
const ADDRESSES = Array.from({ length: 40 }, (_, index) => `127.0.0.${index + 1}`);
const options = (signal = new AbortController().signal) => ({ signal, onProgress: () => undefined });

test('undone are those that were refused, and those that were not asked for', () => {
  const refused = [{ address: '::1', problem: refusal(409) }];
  expect(undone({ total: 3, done: 1, refused, left: ['::2'], isOver: true })).toEqual(['::1', '::2']);
});

describe('runEach', () => {
  it('asks for each once, eight at a time', async () => {
    const asked: string[] = [];
    let [under, most] = [0, 0];
    const { done, isOver } = await runEach(
      ADDRESSES,
      async address => {
        asked.push(address);
        under += 1;
        most = Math.max(most, under);
        await Promise.resolve();
        under -= 1;
      },
      options(),
    );
    expect({ done, isOver, most }).toEqual({ done: 40, isOver: true, most: 8 });
    expect(asked).toEqual(ADDRESSES);
  });

  it('a refusal for one keeps no other from it', async () => {
    const problem = refusal(409);
    const end = await runEach(
      ADDRESSES,
      async address => {
        if (address === '127.0.0.3') throw problem;
      },
      options(),
    );
    expect(end).toMatchObject({ done: 39, refused: [{ address: '127.0.0.3', problem }], left: [] });
  });

  it('a refusal of whoever asks ends it, and all others are left', async () => {
    const end = await runEach(
      ADDRESSES,
      async address => {
        if (address === '127.0.0.3') throw refusal(403);
      },
      options(),
    );
    expect(end.problem).toBeInstanceOf(RequestRefused);
    expect(end.left).toContain('127.0.0.3');
    expect(end.done + end.left.length).toBe(40);
  });

  it('what is stopped begins no more', async () => {
    const over = new AbortController();
    const end = await runEach(
      ADDRESSES,
      async address => {
        if (address === '127.0.0.9') over.abort();
      },
      options(over.signal),
    );
    expect(end.done).toBeLessThan(40);
    expect(end.left).toEqual(ADDRESSES.slice(end.done));
  });
});
