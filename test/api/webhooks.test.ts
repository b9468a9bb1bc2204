import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toRecordName } from '../../src/domain/record-name.ts';
import { isSignatureValid, WebhookReceiver } from '../harness/events/webhook-receiver.ts';
import { describeServer } from '../harness/stores/describe-server.ts';
import { waitUntil } from '../harness/wait-until.ts';

interface WebhookRecord {
  readonly state: string;
  readonly position: number;
  readonly pending: number;
  readonly problem: string;
  readonly delivered_id: number | null;
}

const secret = 'a webhook secret';
const nowS = () => Date.now() / 1000;

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
beforeEach(() => {
  receiver.received.length = 0;
});
afterAll(() => receiver.stop());

describeServer(
  'webhooks',
  service => {
    const webhookPath = (name: string) => `/api/v0/webhook/${name}`;
    const body = (path: string, fields: object = {}) => ({
      url: `${receiver.url}${path}`,
      secret,
      ...fields,
    });
    const getWebhook = async (name: string) => (await service().get<WebhookRecord>(webhookPath(name))).body;
    const makeNetwork = (name: string) => service().put(`/api/v0/network/${name}`, { type: 'none', options: {} });
    const receivedAt = (path: string) => receiver.received.filter(message => message.path === path);

    test('are created, found, rejected with other content, replaced and removed', async () => {
      const path = webhookPath('life');
      const created = await service().put<WebhookRecord>(path, body('/life', { events: ['log.pruned'] }));
      expect(created).toMatchObject({
        status: 201,
        body: {
          name: 'life',
          url: `${receiver.url}/life`,
          events: ['log.pruned'],
          state: 'active',
          pending: 0,
        },
      });
      expect(created.text).not.toContain(secret);
      expect(await service().put(path, body('/life', { events: ['log.pruned'] }))).toMatchObject({
        status: 200,
        body: { position: created.body.position },
      });
      for (const other of [
        body('/life'),
        body('/else', { events: ['log.pruned'] }),
        { ...body('/life', { events: ['log.pruned'] }), secret: 'x' },
      ])
        expect(await service().errorCode(service().put(path, other))).toBe('409 conflict');
      const { headers } = await service().get(path);
      const ifMatch = (etag: string) => ({ headers: { 'if-match': etag } });
      expect(await service().errorCode(service().put(path, body('/else'), ifMatch('"old"')))).toBe(
        '412 precondition_failed',
      );
      const replaced = await service().put(
        path,
        body('/else', { events: ['log.*'] }),
        ifMatch(headers.get('etag') ?? ''),
      );
      expect(replaced).toMatchObject({
        status: 200,
        body: { url: `${receiver.url}/else`, events: ['log.*'] },
      });
      expect((await service().get('/api/v0/webhooks')).body).toEqual(['life']);
      expect(await service().delete(path)).toMatchObject({ status: 200, body: [] });
      expect(await service().delete(path)).toMatchObject({ status: 200, body: [] });
      expect(await service().errorCode(service().get(path))).toBe('404 not_found');
      const audit = await service().get<{ type: string; data: object }[]>('/api/v0/audit?subject=life');
      expect(audit.body.map(({ type }) => type).filter(type => type.startsWith('webhook.'))).toEqual([
        ...['webhook.removed', 'webhook.changed', 'webhook.created'],
      ]);
      expect(audit.text).not.toContain(secret);
      expect(audit.text).not.toContain('/else');
    });

    test('a worker with a removed webhook cannot update a new one of the same name', async () => {
      const path = '/api/v0/webhook/again';
      const name = toRecordName('again');
      const storedWebhook = () => service().store.reads.webhooks.get(name);
      await service().put(path, body('/again', { events: ['log.pruned'] }));
      const removed = await storedWebhook();
      await service().delete(path);
      await service().put(path, body('/else', { events: ['log.pruned'] }));
      const next = await storedWebhook();
      if (removed === undefined || next === undefined) throw new Error('webhook not found');
      // Both have been claimed once.
      const outdatedClaim = { ...removed, fence: removed.fence + 1 };
      const isSaved = await service().store.transaction(async ({ webhooks }) => {
        expect(await webhooks.claim(name, next, 0)).toBeDefined();
        return webhooks.saveProgress(name, outdatedClaim, { ...removed.progress, position: 0 });
      });
      expect(isSaved).toBe(false);
      await service().delete(path);
    });

    test('receive later events in order and report their progress', async () => {
      await makeNetwork('before');
      await service().put(webhookPath('chat'), body('/chat?t=1', { events: ['network.*', 'webhook.created'] }));
      for (const name of ['n-1', 'n-2', 'n-3']) await makeNetwork(name);
      await waitUntil('the events of three networks', () => receivedAt('/chat?t=1').length >= 4);
      const received = receivedAt('/chat?t=1');
      expect(received.map(({ event }) => event.type)).toEqual(['webhook.created', ...Array(3).fill('network.created')]);
      expect(received.every(message => isSignatureValid(message, secret, nowS()))).toBe(true);
      const last = received.at(-1)?.event.id;
      const delivered = await waitUntil('the last event is delivered', async () => {
        const current = await getWebhook('chat');
        return current.delivered_id === last && current;
      });
      expect(delivered).toMatchObject({ state: 'active', position: last, pending: 0, problem: '' });
      await service().delete(webhookPath('chat'));
    });

    test('report failures and retry immediately when resumed', async () => {
      receiver.defaultReply = { status: 429, headers: { 'retry-after': '600' } };
      await service().put(webhookPath('slow'), body('/slow'));
      await makeNetwork('n-4');
      const failing = await waitUntil('a failed delivery', async () => {
        const current = await getWebhook('slow');
        return current.state === 'failing' && current;
      });
      expect(failing).toMatchObject({
        problem: 'the receiver responded with status 429',
        attempts: 1,
        delivered_id: null,
      });
      receiver.defaultReply = 200;
      expect(await service().put(`${webhookPath('slow')}/resume`, {})).toMatchObject({
        status: 200,
        body: { state: 'active', attempts: 0, problem: '' },
      });
      await waitUntil('no pending events', async () => (await getWebhook('slow')).pending === 0);
      await service().delete(webhookPath('slow'));
      expect(await service().errorCode(service().put(`${webhookPath('slow')}/resume`, {}))).toBe('404 not_found');
    });

    test('PUT /test sends a signed event and reports a failed delivery', async () => {
      await service().put(webhookPath('try'), body('/try', { events: ['log.pruned'] }));
      expect(await service().put(`${webhookPath('try')}/test`, {})).toMatchObject({
        status: 200,
        body: { name: 'try', ok: true, status: 200, problems: [] },
      });
      const [message] = receivedAt('/try');
      expect(message).toMatchObject({
        event: { id: 0, type: 'webhook.test' },
        headers: { 'hostler-event': '0' },
      });
      expect(message && isSignatureValid(message, secret, nowS())).toBe(true);
      receiver.replies.push('cut_response');
      expect((await service().put(`${webhookPath('try')}/test`, {})).body).toEqual({
        ...{ name: 'try', ok: false, status: null },
        problems: ['the receiver does not respond: the connection was closed'],
      });
      await service().delete(webhookPath('try'));
      expect(await service().errorCode(service().put(`${webhookPath('try')}/test`, {}))).toBe('404 not_found');
    });
  },
  { HOSTLER_WEBHOOK_ALLOW_PRIVATE: 'true' },
);

describe('an invalid webhook', () => {
  describeServer('with default settings', service => {
    test.each([
      ['a private address', { url: 'http://127.0.0.1/token' }, ['/url']],
      ['a password in the URL', { url: 'https://me:token@hooks.example/' }, ['/url']],
      ['unknown event types', { events: ['host.status', 'host.token', 'tokens.*'] }, ['/events/1', '/events/2']],
      ['an empty list of event types', { events: [] }, ['/events']],
      ['an empty secret', { secret: '' }, ['/secret']],
      ['a secret that is too long', { secret: 'x'.repeat(257) }, ['/secret']],
    ])('%s returns 400 without repeating the value', async (_case, invalid, paths) => {
      const body = { url: 'https://hooks.example/', secret: 's', ...invalid };
      const response = await service().put<{ errors: { path: string }[] }>('/api/v0/webhook/x', body);
      expect([response.status, response.body.errors.map(({ path }) => path)]).toEqual([400, paths]);
      expect(response.text).not.toContain('token');
      expect((await service().get('/api/v0/webhooks')).body).toEqual([]);
    });

    test('fails at connect time if the hostname resolves to a private address', async () => {
      const url = receiver.url.replace('127.0.0.1', 'localhost');
      expect((await service().put('/api/v0/webhook/x', { url, secret: 's' })).status).toBe(201);
      expect((await service().put('/api/v0/webhook/x/test', {})).body).toMatchObject({
        ok: false,
        problems: ['the URL points to a private address; set webhook_allow_private on the server to allow it'],
      });
    });
  });
});
