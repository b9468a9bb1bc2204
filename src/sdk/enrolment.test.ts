import { expect, test } from 'vitest';
import type { Client } from './client.ts';
import { ApiError } from './client.ts';
import type { EnrolledHost, RejectedHost } from './enrolment.ts';
import { enrolInBatches } from './enrolment.ts';

const ADDRESSES = Array.from({ length: 120 }, (_, index) => `127.0.0.${index + 1}`);
const BODY = { ssh_priv_key: 'a2V5' };
const problem = (status: number, code: string) => ({
  ...{ type: 'about:blank', title: '', status, code, request_id: '', detail: 'no' },
});

/** A service that takes so many at once, knows `.2` already and refuses `.3`. */
function fakeService(maxHosts: number, error = new ApiError(400, problem(400, 'too_many_hosts'))) {
  const sizes: number[] = [];
  const enrolHosts = async ({ body: { hosts } }: { body: { hosts: readonly { address: string }[] } }) => {
    sizes.push(hosts.length);
    if (hosts.length > maxHosts) throw error;
    const body = hosts.map(({ address }) =>
      address === '127.0.0.3'
        ? { address, status: 409, problem: problem(409, 'host_conflict') }
        : { address, status: address === '127.0.0.2' ? 200 : 201, host: { address } },
    );
    return { status: 200, body, headers: new Headers() };
  };
  return { sizes, client: { enrolHosts: enrolHosts as unknown as Client['enrolHosts'] } };
}

async function enrolAll(
  client: Pick<Client, 'enrolHosts'>,
): Promise<readonly (EnrolledHost | RejectedHost)[]> {
  const results: (EnrolledHost | RejectedHost)[] = [];
  for await (const batch of enrolInBatches(client, ADDRESSES, BODY)) results.push(...batch);
  return results;
}

test('many hosts are enrolled in parts, in their order, and each is told by itself', async () => {
  const { client, sizes } = fakeService(1000);
  const results = await enrolAll(client);
  expect(results.map(({ address }) => address)).toEqual(ADDRESSES);
  expect(results.slice(0, 3)).toMatchObject([
    { isNew: true },
    { isNew: false },
    { error: { problem: { code: 'host_conflict' } } },
  ]);
  expect(sizes).toEqual([50, 50, 20]);
});

test.each([
  ['says so', new ApiError(400, problem(400, 'too_many_hosts'))],
  ['stands behind a proxy that takes no larger body', new ApiError(413, problem(413, 'unexpected_response'))],
])(
  'a service that takes fewer and %s is asked for too many only until that is known',
  async (_name, error) => {
    const { client, sizes } = fakeService(20, error);
    const results = await enrolAll(client);
    expect(results.map(({ address }) => address)).toEqual(ADDRESSES);
    expect(sizes).toEqual([50, 25, ...Array(9).fill(13), 3]);
  },
);

test.each([
  ['one alone is too much', 0, new ApiError(413, problem(413, 'unexpected_response'))],
  ['whoever asks may not', 20, new ApiError(403, problem(403, 'forbidden'))],
])('it ends where %s', async (_name, maxHosts, error) => {
  await expect(enrolAll(fakeService(maxHosts, error).client)).rejects.toBe(error);
});

test('who stops it begins no more', async () => {
  const { client, sizes } = fakeService(1000);
  const controller = new AbortController();
  for await (const _results of enrolInBatches(client, ADDRESSES, BODY, controller.signal)) controller.abort();
  expect(sizes).toEqual([50]);
});
