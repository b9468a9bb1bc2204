import { expect, test } from 'vitest';
import type { Client } from './client.ts';
import { RequestRefused } from './client.ts';
import type { Enrolled, Refused } from './enrol-in-parts.ts';
import { enrolInParts } from './enrol-in-parts.ts';

const ADDRESSES = Array.from({ length: 120 }, (_, index) => `127.0.0.${index + 1}`);
const BODY = { ssh_priv_key: 'a2V5' };
const problem = (status: number, code: string) => ({
  ...{ type: 'about:blank', title: '', status, code, request_id: '', detail: 'no' },
});

/** A service that takes so many at once, knows `.2` already and refuses `.3`. */
function service(most: number, refusal = new RequestRefused(400, problem(400, 'too_many_hosts'))) {
  const sizes: number[] = [];
  const ask = async ({ body: { hosts } }: { body: { hosts: readonly { address: string }[] } }) => {
    sizes.push(hosts.length);
    if (hosts.length > most) throw refusal;
    const body = hosts.map(({ address }) =>
      address === '127.0.0.3'
        ? { address, status: 409, problem: problem(409, 'host_conflict') }
        : { address, status: address === '127.0.0.2' ? 200 : 201, host: { address } },
    );
    return { status: 200, body, headers: new Headers() };
  };
  return { sizes, client: { enrolHosts: ask as unknown as Client['enrolHosts'] } };
}

async function enrolled(client: Pick<Client, 'enrolHosts'>): Promise<readonly (Enrolled | Refused)[]> {
  const all: (Enrolled | Refused)[] = [];
  for await (const some of enrolInParts(client, ADDRESSES, BODY)) all.push(...some);
  return all;
}

test('many hosts are enrolled in parts, in their order, and each is told by itself', async () => {
  const { client, sizes } = service(1000);
  const results = await enrolled(client);
  expect(results.map(({ address }) => address)).toEqual(ADDRESSES);
  expect(results.slice(0, 3)).toMatchObject([
    { isNew: true },
    { isNew: false },
    { refusal: { problem: { code: 'host_conflict' } } },
  ]);
  expect(sizes).toEqual([50, 50, 20]);
});

test.each([
  ['says so', new RequestRefused(400, problem(400, 'too_many_hosts'))],
  ['stands behind a proxy that takes no larger body', new RequestRefused(413, problem(413, 'not_hostler'))],
])(
  'a service that takes fewer and %s is asked for too many only until that is known',
  async (_how, refusal) => {
    const { client, sizes } = service(20, refusal);
    const results = await enrolled(client);
    expect(results.map(({ address }) => address)).toEqual(ADDRESSES);
    expect(sizes).toEqual([50, 25, ...Array(9).fill(13), 3]);
  },
);

test.each([
  ['one alone is too much', 0, new RequestRefused(413, problem(413, 'not_hostler'))],
  ['whoever asks may not', 20, new RequestRefused(403, problem(403, 'forbidden'))],
])('it ends where %s', async (_what, most, refusal) => {
  await expect(enrolled(service(most, refusal).client)).rejects.toBe(refusal);
});

test('who stops it begins no more', async () => {
  const { client, sizes } = service(1000);
  const over = new AbortController();
  for await (const _results of enrolInParts(client, ADDRESSES, BODY, over.signal)) over.abort();
  expect(sizes).toEqual([50]);
});
