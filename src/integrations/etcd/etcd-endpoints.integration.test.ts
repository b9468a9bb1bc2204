import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { listen } from '../../../test/harness/http/sockets.ts';
import { ConnectionPool } from '../http/connection-pool.ts';
import { EtcdClient } from './etcd-client.ts';
import { EtcdError } from './etcd-endpoints.ts';

interface Reply {
  readonly status: number;
  /** Each object is sent as one line. */
  readonly lines: readonly unknown[];
  /** Closes the connection after the lines without ending the response. */
  readonly isDisconnected?: boolean;
}

const RUNNING: Reply = { status: 200, lines: [{ version: '3.5.0' }] };
const NO_LEADER: Reply = { status: 503, lines: [{ message: 'etcdserver: no leader', code: 14 }] };
const CREATED = { result: { created: true } };

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a simulated member that sends the replies in order and repeats the last one. */
async function startMember(...replies: readonly Reply[]) {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    received.push(JSON.parse(await text(request)));
    const {
      status = 500,
      lines = [],
      isDisconnected = false,
    } = replies[Math.min(received.length, replies.length) - 1] ?? {};
    response.writeHead(status);
    for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
    if (isDisconnected) setImmediate(() => response.destroy());
    else response.end();
  });
  const port = await listen(server);
  stops.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return { url: `http://127.0.0.1:${port}`, received };
}

function open(connections: ConnectionPool, ...members: readonly { readonly url: string }[]) {
  stops.push(() => connections.close());
  return new EtcdClient({ endpoints: members.map(({ url }) => url), connections, timeoutMs: 4000 });
}

const GONE = { url: 'http://127.0.0.1:1' };

test.each([
  ['null', null],
  ['a list', []],
  ['a text', 'no'],
  ['a message that is not a string', { message: 5 }],
])('EtcdClient reports a rejected request if the response body is %s', async (_what, line) => {
  const member = await startMember({ status: 400, lines: [line] });
  await expect(open(new ConnectionPool(), member).version()).rejects.toThrow(
    /^etcd at \S+ rejected the request \(400\)$/,
  );
});

describe('EtcdClient with several members', () => {
  test('skips members that are down or have no leader, and prefers the last responsive member', async () => {
    const [leaderless, running] = [await startMember(NO_LEADER), await startMember(RUNNING)];
    const connections = new ConnectionPool();
    expect(await open(connections, GONE, leaderless, running).version()).toBe('3.5.0');
    expect(await open(connections, GONE, leaderless, running).version()).toBe('3.5.0');
    expect([leaderless.received.length, running.received.length]).toEqual([1, 2]);
  });

  test('retries all members during a leader election', async () => {
    const [one, other] = [await startMember(NO_LEADER), await startMember(NO_LEADER, NO_LEADER, RUNNING)];
    expect(await open(new ConnectionPool(), one, other).version()).toBe('3.5.0');
  });

  test('does not retry if all members are down', async () => {
    await expect(open(new ConnectionPool(), GONE, { url: 'http://127.0.0.1:2' }).version()).rejects.toThrow(
      'no etcd member responds: http://127.0.0.1:1 does not respond: connection refused; http://127.0.0.1:2 does not respond: connection refused',
    );
  });

  test('does not try another member after a rejected request', async () => {
    const refusing = await startMember({ status: 400, lines: [{ error: 'etcdserver: user name is empty' }] });
    const running = await startMember(RUNNING);
    await expect(open(new ConnectionPool(), refusing, running).version()).rejects.toThrow(
      /denied access: authentication is enabled/,
    );
    expect(running.received).toEqual([]);
  });
});

test.each([
  ['is not etcd', { status: 404, lines: ['Not Found'] }, /etcd 3.4 or later is required/],
  [
    'has no space left',
    { status: 429, lines: [{ message: 'etcdserver: mvcc: database space exceeded' }] },
    /no space left/,
  ],
  [
    'rejects a request without TLS',
    { status: 400, lines: [{ message: 'internal text' }] },
    /rejected the request \(400\): the reason is shown only over TLS$/,
  ],
  ['sends no version', { status: 200, lines: [{}] }, /cannot parse/],
  ['sends no JSON', { status: 200, lines: [] }, /cannot parse/],
])('EtcdClient reports a member that %s', async (_what, reply, message) => {
  await expect(open(new ConnectionPool(), await startMember(reply)).version()).rejects.toThrow(message);
});

test('EtcdClient quotes the error of a member over TLS', () => {
  const answer = { status: 400, body: { message: 'a\u001b[1m b' } };
  expect(new EtcdError('m', answer, true).message).toBe('etcd at m rejected the request (400): a[1m b');
});

describe('getPrefix with several pages', () => {
  const kvs = [{ key: 'YQ==', mod_revision: '1' }];
  const first = { status: 200, lines: [{ header: { revision: '7' }, kvs, more: true }] };
  const last = { status: 200, lines: [{ header: { revision: '9' }, kvs }] };
  const entry = { key: 'a', value: '', modRevision: '1', isLeased: false };

  test('reads all pages at the revision of the first page', async () => {
    const member = await startMember(first, last);
    expect(await open(new ConnectionPool(), member).getPrefix('a')).toEqual([entry, entry]);
    expect(member.received).toEqual([
      { key: 'YQ==', range_end: 'Yg==', limit: 500 },
      { key: 'YQA=', range_end: 'Yg==', limit: 500, revision: '7' },
    ]);
  });

  test('starts over when the revision is compacted', async () => {
    const compacted = { status: 400, lines: [{ message: 'mvcc: required revision has been compacted' }] };
    const member = await startMember(first, compacted, last);
    expect(await open(new ConnectionPool(), member).getPrefix('a')).toEqual([entry]);
  });
});

describe('watchPrefix', () => {
  test.each([
    ['canceled', 'that was canceled', [{ result: { canceled: true } }], 1],
    ['compacted', 'whose revision was compacted', [{ result: { canceled: true, compact_revision: '5' } }], 1],
    ['canceled', 'that failed', [{ error: { message: 'no leader' } }], 1],
    ['disconnected', 'that has ended', [{ result: { events: [{}] } }], 2],
    ['disconnected', 'with an unexpected event', [5], 1],
  ])('returns %s for a watch %s', async (end, _what, lines, calls) => {
    let changes = 0;
    const member = await startMember({ status: 200, lines: [CREATED, ...lines] });
    const client = open(new ConnectionPool(), member);
    expect(await client.watchPrefix('/a', () => changes++, new AbortController().signal)).toBe(end);
    expect(changes).toBe(calls);
  });

  test('starts at the member that has a leader', async () => {
    let changes = 0;
    const [one, other] = [
      await startMember(NO_LEADER),
      await startMember({ status: 200, lines: [CREATED], isDisconnected: true }),
    ];
    const client = open(new ConnectionPool(), GONE, one, other);
    expect(await client.watchPrefix('/a', () => changes++, new AbortController().signal)).toBe('disconnected');
    expect(changes).toBe(1);
  });

  test.each([
    ['does not start', {}],
    ['is cancelled at its start', { created: true, canceled: true }],
  ])('rejects a watch that %s', async (_what, result) => {
    const member = await startMember({ status: 200, lines: [{ result }] });
    const client = open(new ConnectionPool(), member);
    await expect(client.watchPrefix('/a', () => {}, new AbortController().signal)).rejects.toThrow(
      /did not start the watch/,
    );
  });
});
