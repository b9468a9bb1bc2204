import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { listen } from '../../../test/harness/listen.ts';
import { ConnectionPool } from '../http/connection-pool.ts';
import { EtcdClient } from './etcd-client.ts';
import { EtcdError } from './etcd-endpoints.ts';

interface Reply {
  readonly status: number;
  /** One object in a line each. */
  readonly lines: readonly unknown[];
  /** Cut off after the lines, without an end. */
  readonly isDisconnected?: boolean;
}

const RUNNING: Reply = { status: 200, lines: [{ version: '3.5.0' }] };
const NO_LEADER: Reply = { status: 503, lines: [{ message: 'etcdserver: no leader', code: 14 }] };
const CREATED = { result: { created: true } };

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A pretend member that says one thing after the other, the last again and again. */
async function startMember(...replies: readonly Reply[]) {
  /** What was sent to it. */
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    asked.push(JSON.parse(await text(request)));
    const {
      status = 500,
      lines = [],
      isDisconnected = false,
    } = replies[Math.min(asked.length, replies.length) - 1] ?? {};
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
  return { url: `http://127.0.0.1:${port}`, asked };
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
  ['a message that is no text', { message: 5 }],
])('a refusal that is %s is a refusal all the same', async (_what, line) => {
  const member = await startMember({ status: 400, lines: [line] });
  await expect(open(new ConnectionPool(), member).version()).rejects.toThrow(
    /^etcd at \S+ rejected the request \(400\)$/,
  );
});

describe('of several members', () => {
  test('the next is asked when one is away or has no leader, and who answered is asked first from then on', async () => {
    const [leaderless, running] = [await startMember(NO_LEADER), await startMember(RUNNING)];
    const connections = new ConnectionPool();
    expect(await open(connections, GONE, leaderless, running).version()).toBe('3.5.0');
    expect(await open(connections, GONE, leaderless, running).version()).toBe('3.5.0');
    expect([leaderless.asked.length, running.asked.length]).toEqual([1, 2]);
  });

  test('all are asked again while they look for a leader', async () => {
    const [one, other] = [await startMember(NO_LEADER), await startMember(NO_LEADER, NO_LEADER, RUNNING)];
    expect(await open(new ConnectionPool(), one, other).version()).toBe('3.5.0');
  });

  test('none is asked again when all are away', async () => {
    await expect(open(new ConnectionPool(), GONE, { url: 'http://127.0.0.1:2' }).version()).rejects.toThrow(
      'no etcd member responds: http://127.0.0.1:1 does not respond: connection refused; http://127.0.0.1:2 does not respond: connection refused',
    );
  });

  test('no other is asked when one refuses', async () => {
    const refusing = await startMember({ status: 400, lines: [{ error: 'etcdserver: user name is empty' }] });
    const running = await startMember(RUNNING);
    await expect(open(new ConnectionPool(), refusing, running).version()).rejects.toThrow(
      /denied access: authentication is enabled/,
    );
    expect(running.asked).toEqual([]);
  });
});

test.each([
  ['is no etcd', { status: 404, lines: ['Not Found'] }, /etcd 3.4 or later is required/],
  [
    'is full',
    { status: 429, lines: [{ message: 'etcdserver: mvcc: database space exceeded' }] },
    /no space left/,
  ],
  [
    'refuses without TLS',
    { status: 400, lines: [{ message: 'internal text' }] },
    /rejected the request \(400\): the reason is shown only over TLS$/,
  ],
  ['says nothing of a version', { status: 200, lines: [{}] }, /cannot parse/],
  ['says what is no JSON', { status: 200, lines: [] }, /cannot parse/],
])('a member that %s is told as such', async (_what, said, message) => {
  await expect(open(new ConnectionPool(), await startMember(said)).version()).rejects.toThrow(message);
});

test('what a member says is quoted over TLS', () => {
  const answer = { status: 400, body: { message: 'a\u001b[1m b' } };
  expect(new EtcdError('m', answer, true).message).toBe('etcd at m rejected the request (400): a[1m b');
});

describe('a prefix that is read in pages', () => {
  const kvs = [{ key: 'YQ==', mod_revision: '1' }];
  const first = { status: 200, lines: [{ header: { revision: '7' }, kvs, more: true }] };
  const last = { status: 200, lines: [{ header: { revision: '9' }, kvs }] };
  const entry = { key: 'a', value: '', modRevision: '1', isLeased: false };

  test('is read as it was at the first', async () => {
    const member = await startMember(first, last);
    expect(await open(new ConnectionPool(), member).getPrefix('a')).toEqual([entry, entry]);
    expect(member.asked).toEqual([
      { key: 'YQ==', range_end: 'Yg==', limit: 500 },
      { key: 'YQA=', range_end: 'Yg==', limit: 500, revision: '7' },
    ]);
  });

  test('is read anew when that state is compacted away under the reader', async () => {
    const compacted = { status: 400, lines: [{ message: 'mvcc: required revision has been compacted' }] };
    const member = await startMember(first, compacted, last);
    expect(await open(new ConnectionPool(), member).getPrefix('a')).toEqual([entry]);
  });
});

describe('a watch', () => {
  test.each([
    ['canceled', 'that was canceled', [{ result: { canceled: true } }], 1],
    ['compacted', 'that was too late', [{ result: { canceled: true, compact_revision: '5' } }], 1],
    ['canceled', 'that failed', [{ error: { message: 'no leader' } }], 1],
    ['disconnected', 'that has ended', [{ result: { events: [{}] } }], 2],
    ['disconnected', 'that makes no sense', [5], 1],
  ])('is told to be %s: one %s', async (end, _what, lines, calls) => {
    let changes = 0;
    const member = await startMember({ status: 200, lines: [CREATED, ...lines] });
    const client = open(new ConnectionPool(), member);
    expect(await client.watchPrefix('/a', () => changes++, new AbortController().signal)).toBe(end);
    expect(changes).toBe(calls);
  });

  test('begins with the member that has a leader', async () => {
    let changes = 0;
    const [one, other] = [
      await startMember(NO_LEADER),
      await startMember({ status: 200, lines: [CREATED], isDisconnected: true }),
    ];
    const client = open(new ConnectionPool(), GONE, one, other);
    expect(await client.watchPrefix('/a', () => changes++, new AbortController().signal)).toBe(
      'disconnected',
    );
    expect(changes).toBe(1);
  });

  test.each([
    ['does not begin', {}],
    ['is refused as it begins', { created: true, canceled: true }],
  ])('that %s is a failure', async (_what, result) => {
    const member = await startMember({ status: 200, lines: [{ result }] });
    const client = open(new ConnectionPool(), member);
    await expect(client.watchPrefix('/a', () => {}, new AbortController().signal)).rejects.toThrow(
      /did not start the watch/,
    );
  });
});
