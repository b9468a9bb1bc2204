import type { lookup as dnsLookup } from 'node:dns';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import type { Server } from 'node:net';
import { createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createCertificate } from '../../test/harness/certificates/certificates.ts';
import type { Reply } from '../../test/harness/events/webhook-receiver.ts';
import { WebhookReceiver } from '../../test/harness/events/webhook-receiver.ts';
import { listen } from '../../test/harness/http/sockets.ts';
import { VirtualClock } from '../../test/harness/simulation/virtual-clock.ts';
import { waitUntil } from '../../test/harness/wait-until.ts';
import { Secret } from '../domain/secret.ts';
import { systemClock } from '../lib/time/clock.ts';
import { filteredLookup, PUBLIC_ONLY } from './http/address-rules.ts';
import type { WebhookClientOptions } from './webhook-client.ts';
import { WebhookClient } from './webhook-client.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const message = { headers: { 'hostler-event': '1' }, body: '{"id":1}' };
const PRIVATE = {
  problem: 'the URL points to a private address; set webhook_allow_private on the server to allow it',
};

async function startReceiver(...replies: Reply[]): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start();
  closers.push(() => receiver.stop());
  receiver.replies.push(...replies);
  return receiver;
}

function makeClient(options: Partial<WebhookClientOptions> = {}): WebhookClient {
  const client = new WebhookClient({
    clock: systemClock,
    allowsPrivate: true,
    allowsLinkLocal: false,
    version: '1',
    caCertificates: [],
    ...options,
  });
  closers.push(() => client.close());
  return client;
}

function listenUntilTeardown(server: Server): Promise<number> {
  closers.push(() => server.close());
  return listen(server);
}

const portOf = ({ url }: WebhookReceiver) => new URL(url).port;

describe('WebhookClient', () => {
  test.each<[string, Reply, object]>([
    ['accepted', 204, { status: 204, retryAfter: undefined }],
    ['rejected', 500, { status: 500 }],
    ['redirected', { status: 307, headers: { location: '/elsewhere' } }, { status: 307 }],
    ['rate-limited', { status: 429, headers: { 'retry-after': '5' } }, { status: 429, retryAfter: '5' }],
    ['interrupted', 'cut_response', { problem: 'the receiver does not respond: the connection was closed' }],
  ])('returns the response or problem of a message that is %s', async (_what, reply, answer) => {
    const receiver = await startReceiver(reply);
    expect(await makeClient().send(new Secret(`${receiver.url}/in?t=1`), message)).toMatchObject(answer);
    expect(receiver.received).toMatchObject([
      { path: '/in?t=1', body: message.body, headers: { 'hostler-event': '1', 'user-agent': 'hostler/1' } },
    ]);
  });

  test.each<[Reply, number, object]>([
    ['hang_response', 10_000, { problem: 'the receiver did not respond in time' }],
    ['endless_response', 1000, { status: 200 }],
  ])('stops waiting for the response "%s" after a time limit', async (reply, ms, answer) => {
    const receiver = await startReceiver(reply);
    const clock = new VirtualClock();
    const answered = makeClient({ clock }).send(new Secret(receiver.url), message);
    await waitUntil('the message', () => receiver.hasPendingRequest);
    await waitUntil('the timers', async () => {
      await clock.advance(0);
      return clock.pending === (reply === 'hang_response' ? 1 : 2);
    });
    await clock.advance(ms);
    expect(await answered).toMatchObject(answer);
  });

  test('stops immediately when aborted', async () => {
    const receiver = await startReceiver('hang_response');
    const aborted = new AbortController();
    const answered = makeClient().send(new Secret(receiver.url), message, aborted.signal);
    await waitUntil('the message', () => receiver.hasPendingRequest);
    aborted.abort();
    expect(await answered).toHaveProperty('problem');
  });

  test('reports a refused connection without the URL', async () => {
    const port = await listenUntilTeardown(createTcp());
    await closers.pop()?.();
    expect(await makeClient().send(new Secret(`http://localhost:${port}/token`), message)).toEqual({
      problem: 'the receiver does not respond: connection refused',
    });
  });
});

describe('WebhookClient over TLS', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-webhook-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const own = createCertificate(path.join(folder, 'own'));
  const start = async () => {
    const pair = { cert: readFileSync(own.cert), key: readFileSync(own.key) };
    return listenUntilTeardown(createHttps(pair, (_, response) => response.writeHead(200).end()));
  };

  test('accepts a trusted certificate', async () => {
    const url = new Secret(`https://127.0.0.1:${await start()}`);
    const caCertificates = [readFileSync(own.cert, 'utf8')];
    expect(await makeClient({ caCertificates }).send(url, message)).toMatchObject({ status: 200 });
  });

  test.each([
    ['is self-signed', '127.0.0.1', [], 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['is for another name', 'localhost', [own.cert], 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('rejects a certificate that %s', async (_what, host, trusted, code) => {
    const caCertificates = trusted.map(file => readFileSync(file, 'utf8'));
    const url = new Secret(`https://${host}:${await start()}`);
    expect(await makeClient({ caCertificates }).send(url, message)).toEqual({
      problem: `the certificate is not trusted (${code})`,
    });
  });
});

describe('WebhookClient with private addresses', () => {
  test.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])('does not connect to %s', async host => {
    const receiver = await startReceiver();
    const url = new Secret(`http://${host}:${portOf(receiver)}/`);
    expect(await makeClient({ allowsPrivate: false }).send(url, message)).toEqual(PRIVATE);
    expect(receiver.received).toEqual([]);
  });

  test.each(['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]'])(
    'does not connect to %s, even if private addresses are allowed',
    async host => {
      const answer = await makeClient({ allowsPrivate: true }).send(new Secret(`http://${host}/`), message);
      expect(answer).toEqual({
        problem:
          'the URL points to a link-local or cloud metadata address; set allow_link_local on the server to allow it',
      });
    },
  );

  type Found = { address: string; family: number }[];
  const resolving = (found: () => Found) =>
    filteredLookup(PUBLIC_ONLY, ((_name: string, _options: object, callback: (error: null, found: Found) => void) =>
      callback(null, found())) as typeof dnsLookup);
  const lookedUp = (found: Found, all: boolean) =>
    new Promise(resolve => {
      resolving(() => found)('hooks.example', { all }, (...answer) => resolve(answer));
    });

  const own = { address: '10.0.0.1', family: 4 };
  const open = { address: '8.8.8.8', family: 4 };

  test.each([
    ['its public addresses only', [own, open], true, [null, [open]]],
    ['the first public address if one is requested', [own, open], false, [null, '8.8.8.8', 4]],
    ['an error if it has no public address', [own], true, [expect.objectContaining({ code: 'FORBIDDEN_ADDRESS' }), []]],
  ])('resolves a name to %s', async (_what, found, all, answer) => {
    expect(await lookedUp(found, all)).toEqual(answer);
  });

  test('resolves and checks the name for each connection, so DNS rebinding fails', async () => {
    const receiver = await startReceiver();
    const lookups: string[] = [];
    const lookup = resolving(() => {
      lookups.push('lookup');
      return [{ address: '127.0.0.1', family: 4 }];
    });
    const client = makeClient({ allowsPrivate: false, lookup });
    const url = new Secret(`http://hooks.example:${portOf(receiver)}/`);
    expect(await client.send(url, message)).toEqual(PRIVATE);
    expect(await client.send(url, message)).toEqual(PRIVATE);
    expect([lookups.length, receiver.received]).toEqual([2, []]);
  });
});
