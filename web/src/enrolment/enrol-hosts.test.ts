import { expect, test } from 'vitest';
import type { Client } from '#sdk/client.ts';
import { ApiError } from '#sdk/errors.ts';
import type { BulkProgress } from '../hosts/run-bulk.ts';
import { enrolHosts } from './enrol-hosts.ts';

const ADDRESSES = Array.from({ length: 70 }, (_, index) => `127.0.0.${index + 1}`);
const problemDocument = (status: number, code: string) => ({
  ...{ type: 'about:blank', title: '', status, code, request_id: '', detail: 'no' },
});
const createOptions = () => ({ signal: new AbortController().signal, onProgress: () => undefined });

/** A server with a maximum batch size that rejects one host. */
function createServer(maxBatch: number) {
  const sizes: number[] = [];
  const enrol = async ({ body: { hosts } }: { body: { hosts: readonly { address: string }[] } }) => {
    if (hosts.length > maxBatch) throw new ApiError(400, problemDocument(400, 'too_many_hosts'));
    sizes.push(hosts.length);
    const body = hosts.map(({ address }) =>
      address === '127.0.0.3'
        ? { address, status: 409, problem: problemDocument(409, 'host_exists') }
        : { address, status: 201, host: { address } },
    );
    return { status: 200, body, headers: new Headers() };
  };
  return { sizes, client: { enrolHosts: enrol as unknown as Client['enrolHosts'] } };
}

test('enrolHosts enrols in batches and reports a rejected host', async () => {
  const { client, sizes } = createServer(50);
  const result = await enrolHosts(client, ADDRESSES, { ssh_priv_key: 'a2V5' }, createOptions());
  expect(result).toMatchObject({ total: 70, done: 69, notAttempted: [], isFinished: true });
  expect(result.rejected.map(({ address }) => address)).toEqual(['127.0.0.3']);
  expect(sizes).toEqual([50, 20]);
});

test('enrolHosts reports the hosts that were not attempted when it is aborted', async () => {
  const abort = new AbortController();
  const onProgress = ({ done }: BulkProgress) => done > 0 && abort.abort();
  const options = { signal: abort.signal, onProgress };
  const result = await enrolHosts(createServer(50).client, ADDRESSES, { ssh_priv_key: 'a2V5' }, options);
  expect(result).toMatchObject({ done: 49, notAttempted: ADDRESSES.slice(50), isFinished: true });
});

test('enrolHosts stops at an error that concerns all hosts and reports the remaining hosts', async () => {
  const { client } = createServer(0);
  const result = await enrolHosts(client, ADDRESSES, { ssh_priv_key: 'a2V5' }, createOptions());
  expect(result.error).toBeInstanceOf(ApiError);
  expect(result.notAttempted).toEqual(ADDRESSES);
});
