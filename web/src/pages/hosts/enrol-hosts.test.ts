import { expect, test } from 'vitest';
import type { Client } from '#client/client.ts';
import { RequestRefused } from '#client/client.ts';
import type { Progress } from '../../fleet/run-each.ts';
import { enrolHosts } from './enrol-hosts.ts';

const ADDRESSES = Array.from({ length: 70 }, (_, index) => `127.0.0.${index + 1}`);
const problem = (status: number, code: string) => ({
  ...{ type: 'about:blank', title: '', status, code, request_id: '', detail: 'no' },
});
const quiet = () => ({ signal: new AbortController().signal, onProgress: () => undefined });

/** A service that takes so many at once, and refuses one. */
function service(most: number) {
  const sizes: number[] = [];
  const ask = async ({ body: { hosts } }: { body: { hosts: readonly { address: string }[] } }) => {
    if (hosts.length > most) throw new RequestRefused(400, problem(400, 'too_many_hosts'));
    sizes.push(hosts.length);
    const body = hosts.map(({ address }) =>
      address === '127.0.0.3'
        ? { address, status: 409, problem: problem(409, 'host_exists') }
        : { address, status: 201, host: { address } },
    );
    return { status: 200, body, headers: new Headers() };
  };
  return { sizes, client: { enrolHosts: ask as unknown as Client['enrolHosts'] } };
}

test('hosts are enrolled in parts, and what is refused for one is told for that one', async () => {
  const { client, sizes } = service(50);
  const end = await enrolHosts(client, ADDRESSES, { ssh_priv_key: 'a2V5' }, quiet());
  expect(end).toMatchObject({ total: 70, done: 69, left: [], isOver: true });
  expect(end.refused.map(({ address }) => address)).toEqual(['127.0.0.3']);
  expect(sizes).toEqual([50, 20]);
});

test('who stops it is told whom nobody was asked for', async () => {
  const over = new AbortController();
  const onProgress = ({ done }: Progress) => done > 0 && over.abort();
  const following = { signal: over.signal, onProgress };
  const end = await enrolHosts(service(50).client, ADDRESSES, { ssh_priv_key: 'a2V5' }, following);
  expect(end).toMatchObject({ done: 49, left: ADDRESSES.slice(50), isOver: true });
});

test('what concerns all ends it, and says who is left', async () => {
  const { client } = service(0);
  const end = await enrolHosts(client, ADDRESSES, { ssh_priv_key: 'a2V5' }, quiet());
  expect(end.problem).toBeInstanceOf(RequestRefused);
  expect(end.left).toEqual(ADDRESSES);
});
