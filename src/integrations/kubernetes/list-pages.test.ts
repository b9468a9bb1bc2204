import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import type { ApiRequest } from './api-server.ts';
import { createLister } from './list-pages.ts';

const listNames = createLister(Type.Object({ name: Type.String() }), ({ name }) => name);
const CALL = { path: '/api/v1/nodes', action: 'list nodes' };

interface Page {
  readonly continue?: string;
  readonly items: number;
  readonly length?: number;
}

/** Responds with the page of the request number; `undefined` is an expired continue token (410). */
function fakeServer(pageAt: (index: number) => Page | undefined) {
  const requests: ApiRequest[] = [];
  const request = async (request: ApiRequest) => {
    const page = pageAt(requests.push(request) - 1);
    if (page === undefined) return { status: 410, body: {} };
    const items = Array.from({ length: page.items }, () => ({ name: 'x' }));
    const body = { metadata: { resourceVersion: '1', continue: page.continue }, items };
    return { status: 200, body, length: page.length ?? 0 };
  };
  return { requests, server: { displayName: 'https://kube', request } };
}

describe('paged list', () => {
  test.each<[string, (index: number) => Page, number]>([
    ['repeats its continue token', () => ({ continue: 'again', items: 1 }), 2],
    ['never ends', index => ({ continue: `at ${index}`, items: 0 }), 1000],
    ['cycles through continue tokens', index => ({ continue: `at ${index % 2}`, items: 0 }), 1000],
    ['has too many items', index => ({ continue: `at ${index}`, items: 50_000 }), 5],
    ['has too many characters', index => ({ continue: `at ${index}`, items: 1, length: 2 ** 25 }), 33],
  ])('fails if the list %s', async (_what, pageAt, calls) => {
    const { requests, server } = fakeServer(pageAt);
    await expect(listNames(server, CALL)).rejects.toMatchObject({
      kind: 'unreadable',
      message: 'https://kube: list nodes exceeded the size limit',
    });
    expect(requests).toHaveLength(calls);
  });

  test('has one timeout for all pages and restarts', async () => {
    const pages = [{ continue: 'a', items: 1 }, undefined, { continue: 'b', items: 1 }, { items: 1 }];
    const { requests, server } = fakeServer(index => pages[index]);
    expect((await listNames(server, CALL)).items).toEqual(['x', 'x']);
    const signals = new Set(requests.map(({ signal }) => signal));
    expect([...signals]).toEqual([expect.any(AbortSignal)]);
  });
});
