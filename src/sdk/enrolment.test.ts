import { expect, test } from 'vitest';
import type { Client } from './client.ts';
import type { EnrolledHost, RejectedHost } from './enrolment.ts';
import { enrolInBatches } from './enrolment.ts';
import { ApiError } from './errors.ts';

const ADDRESSES = Array.from({ length: 120 }, (_, index) => `127.0.0.${index + 1}`);
const BODY = { ssh_priv_key: 'a2V5' };
const problem = (status: number, code: string) => ({
  ...{ type: 'about:blank', title: '', status, code, request_id: '', detail: 'no' },
});

/** A server that accepts at most `maxHosts` hosts per request, already has `.2` and rejects `.3`. */
function createFakeServer(maxHosts: number, error = new ApiError(400, problem(400, 'too_many_hosts'))) {
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

async function enrolAll(client: Pick<Client, 'enrolHosts'>): Promise<readonly (EnrolledHost | RejectedHost)[]> {
  const results: (EnrolledHost | RejectedHost)[] = [];
  for await (const batch of enrolInBatches(client, ADDRESSES, BODY)) results.push(...batch);
  return results;
}

test('enrolInBatches() splits many hosts into batches and returns a result for each host, in order', async () => {
  const { client, sizes } = createFakeServer(1000);
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
  ['responds with too_many_hosts', new ApiError(400, problem(400, 'too_many_hosts'))],
  ['is behind a proxy with a smaller body limit', new ApiError(413, problem(413, 'unexpected_response'))],
])('enrolInBatches() reduces the batch size for a server that %s', async (_name, error) => {
  const { client, sizes } = createFakeServer(20, error);
  const results = await enrolAll(client);
  expect(results.map(({ address }) => address)).toEqual(ADDRESSES);
  expect(sizes).toEqual([50, 25, ...Array(9).fill(13), 3]);
});

test.each([
  ['a single host is too large', 0, new ApiError(413, problem(413, 'unexpected_response'))],
  ['the caller has no permission', 20, new ApiError(403, problem(403, 'forbidden'))],
])('enrolInBatches() throws if %s', async (_name, maxHosts, error) => {
  await expect(enrolAll(createFakeServer(maxHosts, error).client)).rejects.toBe(error);
});

test('enrolInBatches() sends no further batches after an abort', async () => {
  const { client, sizes } = createFakeServer(1000);
  const controller = new AbortController();
  for await (const _results of enrolInBatches(client, ADDRESSES, BODY, controller.signal)) controller.abort();
  expect(sizes).toEqual([50]);
});
