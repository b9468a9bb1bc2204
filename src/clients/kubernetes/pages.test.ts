import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import type { ApiCall } from './api-server.ts';
import { listing } from './pages.ts';

const listNames = listing(Type.Object({ name: Type.String() }), ({ name }) => name);
const CALL = { path: '/api/v1/nodes', what: 'list nodes' };

interface Page {
  readonly continue?: string;
  readonly items: number;
  readonly length?: number;
}

/** Answers what `pageAt` makes of the number of a call; nothing is a moment that is forgotten. */
function serverOf(pageAt: (index: number) => Page | undefined) {
  const asked: ApiCall[] = [];
  const ask = async (call: ApiCall) => {
    const page = pageAt(asked.push(call) - 1);
    if (page === undefined) return { status: 410, body: {} };
    const items = Array.from({ length: page.items }, () => ({ name: 'x' }));
    const body = { metadata: { resourceVersion: '1', continue: page.continue }, items };
    return { status: 200, body, length: page.length ?? 0 };
  };
  return { asked, server: { name: 'https://kube', ask } };
}

describe('a list in pages', () => {
  test.each<[string, (index: number) => Page, number]>([
    ['goes on where it was', () => ({ continue: 'again', items: 1 }), 2],
    ['goes on elsewhere for ever', index => ({ continue: `at ${index}`, items: 0 }), 1000],
    ['goes round in circles', index => ({ continue: `at ${index % 2}`, items: 0 }), 1000],
    ['has more in it than there can be', index => ({ continue: `at ${index}`, items: 50_000 }), 5],
    ['tells too much', index => ({ continue: `at ${index}`, items: 1, length: 2 ** 25 }), 33],
  ])('that %s is given up', async (_what, pageAt, calls) => {
    const { asked, server } = serverOf(pageAt);
    await expect(listNames(server, CALL)).rejects.toMatchObject({
      kind: 'unreadable',
      message: 'https://kube: list nodes exceeded the size limit',
    });
    expect(asked).toHaveLength(calls);
  });

  test('has one limit of time for all that is asked', async () => {
    const pages = [{ continue: 'a', items: 1 }, undefined, { continue: 'b', items: 1 }, { items: 1 }];
    const { asked, server } = serverOf(index => pages[index]);
    expect((await listNames(server, CALL)).items).toEqual(['x', 'x']);
    const signals = new Set(asked.map(({ signal }) => signal));
    expect([...signals]).toEqual([expect.any(AbortSignal)]);
  });
});
