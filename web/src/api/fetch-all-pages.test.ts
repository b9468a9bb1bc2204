import { expect, test } from 'vitest';
import type { hostRoutes } from '#contract/routes/hosts.ts';
import type { ApiResponse } from '#sdk/client.ts';
import type { Paging } from './fetch-all-pages.ts';
import { fetchAllPages } from './fetch-all-pages.ts';

type Page = ApiResponse<(typeof hostRoutes)['listHosts']>;

const host = (address: string): Page['body'][number] => ({
  ...{ address, status: 'active', os: '', cpus: 0, memory: 0, space: 0, last_check: '' },
});

const page = (addresses: readonly string[], headers: Record<string, string>): Page => ({
  ...{ status: 200, body: addresses.map(host), headers: new Headers(headers) },
});

/** A list of two pages. An event occurs between them. */
const PAGES: ReadonlyMap<string | undefined, Page> = new Map([
  [
    undefined,
    page(['::1', '::2'], {
      'hostler-event': '7',
      link: '</api/v0/hosts?q=a%3Eb&limit=2&after=%3A%3A2>; rel="next"',
    }),
  ],
  ['::2', page(['::3'], { 'hostler-event': '9' })],
]);

test('fetchAllPages reads all pages and returns the event position of the first page', async () => {
  const cursors: (string | undefined)[] = [];
  const counts: number[] = [];
  const fetchPage = async ({ after }: Paging) => {
    cursors.push(after);
    const page = PAGES.get(after);
    if (page === undefined) throw new Error(`no page after ${after}`);
    return page;
  };
  const result = await fetchAllPages(
    fetchPage,
    hosts => hosts.map(({ address }) => address),
    count => counts.push(count),
  );
  expect(result).toEqual({ value: ['::1', '::2', '::3'], position: 7 });
  expect(cursors).toEqual([undefined, '::2']);
  expect(counts).toEqual([2, 3]);
});
