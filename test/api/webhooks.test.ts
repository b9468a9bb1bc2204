import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toRecordName } from '../../src/domain/record-name.ts';
import { isGenuine, WebhookReceiver } from '../harness/events/webhook-receiver.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';
import { until } from '../harness/until.ts';

interface Shown {
  readonly state: string;
  readonly position: number;
  readonly pending: number;
  readonly problem: string;
  readonly delivered_id: number | null;
}

const secret = 'a secret of ours';
const nowS = () => Date.now() / 1000;

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
beforeEach(() => {
  receiver.got.length = 0;
});
afterAll(() => receiver.stop());

onEachStore(
  'webhooks',
  service => {
    const hook = (name: string) => `/api/v0/webhook/${name}`;
    const body = (path: string, more: object = {}) => ({ url: `${receiver.url}${path}`, secret, ...more });
    const shown = async (name: string) => (await service().get<Shown>(hook(name))).body;
    const makeNetwork = (name: string) =>
      service().put(`/api/v0/network/${name}`, { type: 'none', options: {} });
    const gotAt = (path: string) => receiver.got.filter(each => each.path === path);

    test('are made, found, refused with other content, replaced and removed', async () => {
      const path = hook('life');
      const made = await service().put<Shown>(path, body('/life', { events: ['log.pruned'] }));
      expect(made).toMatchObject({
        status: 201,
        body: {
          name: 'life',
          url: `${receiver.url}/life`,
          events: ['log.pruned'],
          state: 'active',
          pending: 0,
        },
      });
      expect(made.text).not.toContain(secret);
      expect(await service().put(path, body('/life', { events: ['log.pruned'] }))).toMatchObject({
        status: 200,
        body: { position: made.body.position },
      });
      for (const other of [
        body('/life'),
        body('/else', { events: ['log.pruned'] }),
        { ...body('/life', { events: ['log.pruned'] }), secret: 'x' },
      ])
        expect(await service().refusal(service().put(path, other))).toBe('409 conflict');
      const { headers } = await service().get(path);
      const ifMatch = (etag: string) => ({ headers: { 'if-match': etag } });
      expect(await service().refusal(service().put(path, body('/else'), ifMatch('"old"')))).toBe(
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
      expect(await service().refusal(service().get(path))).toBe('404 not_found');
      const audit = await service().get<{ type: string; data: object }[]>('/api/v0/audit?subject=life');
      expect(audit.body.map(({ type }) => type).filter(type => type.startsWith('webhook.'))).toEqual([
        ...['webhook.removed', 'webhook.changed', 'webhook.created'],
      ]);
      expect(audit.text).not.toContain(secret);
      expect(audit.text).not.toContain('/else');
    });

    test('whoever still has one that was removed cannot move the next one of that name', async () => {
      const path = '/api/v0/webhook/again';
      const name = toRecordName('again');
      const kept = () => service().store.reads.webhooks.get(name);
      await service().put(path, body('/again', { events: ['log.pruned'] }));
      const former = await kept();
      await service().delete(path);
      await service().put(path, body('/else', { events: ['log.pruned'] }));
      const next = await kept();
      if (former === undefined || next === undefined) throw new Error('there is none');
      // Each was taken once.
      const held = { ...former, fence: former.fence + 1 };
      const isSaved = await service().store.transaction(async ({ webhooks }) => {
        expect(await webhooks.claim(name, next, 0)).toBeDefined();
        return webhooks.saveProgress(name, held, { ...former.progress, position: 0 });
      });
      expect(isSaved).toBe(false);
      await service().delete(path);
    });

    test('get what happens from then on, in order, and say how far they are', async () => {
      await makeNetwork('before');
      await service().put(hook('chat'), body('/chat?t=1', { events: ['network.*', 'webhook.created'] }));
      for (const name of ['n-1', 'n-2', 'n-3']) await makeNetwork(name);
      await until('three networks', () => gotAt('/chat?t=1').length >= 4);
      const got = gotAt('/chat?t=1');
      expect(got.map(({ event }) => event.type)).toEqual([
        'webhook.created',
        ...Array(3).fill('network.created'),
      ]);
      expect(got.every(each => isGenuine(each, secret, nowS()))).toBe(true);
      const last = got.at(-1)?.event.id;
      const done = await until('the last one', async () => {
        const now = await shown('chat');
        return now.delivered_id === last && now;
      });
      expect(done).toMatchObject({ state: 'active', position: last, pending: 0, problem: '' });
      await service().delete(hook('chat'));
    });

    test('that fail say so, and are tried at once when they are resumed', async () => {
      receiver.always = { status: 429, headers: { 'retry-after': '600' } };
      await service().put(hook('slow'), body('/slow'));
      await makeNetwork('n-4');
      const failing = await until('a failure', async () => {
        const now = await shown('slow');
        return now.state === 'failing' && now;
      });
      expect(failing).toMatchObject({
        problem: 'the receiver responded with status 429',
        attempts: 1,
        delivered_id: null,
      });
      receiver.always = 200;
      expect(await service().put(`${hook('slow')}/resume`, {})).toMatchObject({
        status: 200,
        body: { state: 'active', attempts: 0, problem: '' },
      });
      await until('the rest', async () => (await shown('slow')).pending === 0);
      await service().delete(hook('slow'));
      expect(await service().refusal(service().put(`${hook('slow')}/resume`, {}))).toBe('404 not_found');
    });

    test('can be tried out', async () => {
      await service().put(hook('try'), body('/try', { events: ['log.pruned'] }));
      expect(await service().put(`${hook('try')}/test`, {})).toMatchObject({
        status: 200,
        body: { name: 'try', ok: true, status: 200, problems: [] },
      });
      const [message] = gotAt('/try');
      expect(message).toMatchObject({
        event: { id: 0, type: 'webhook.test' },
        headers: { 'hostler-event': '0' },
      });
      expect(message && isGenuine(message, secret, nowS())).toBe(true);
      receiver.replies.push('cut');
      expect((await service().put(`${hook('try')}/test`, {})).body).toEqual({
        ...{ name: 'try', ok: false, status: null },
        problems: ['the receiver does not respond: the connection was closed'],
      });
      await service().delete(hook('try'));
      expect(await service().refusal(service().put(`${hook('try')}/test`, {}))).toBe('404 not_found');
    });
  },
  { HOSTLER_WEBHOOK_ALLOW_PRIVATE: 'true' },
);

describe('a webhook that cannot be', () => {
  onEachStore('as standard', service => {
    test.each([
      ['a private address', { url: 'http://127.0.0.1/token' }, ['/url']],
      ['a password', { url: 'https://me:token@hooks.example/' }, ['/url']],
      ['unknown types', { events: ['host.status', 'host.token', 'tokens.*'] }, ['/events/1', '/events/2']],
      ['no types', { events: [] }, ['/events']],
      ['no secret', { secret: '' }, ['/secret']],
      ['a secret that is too long', { secret: 'x'.repeat(257) }, ['/secret']],
    ])('%s: 400, and nothing of it is said again', async (_what, wrong, paths) => {
      const body = { url: 'https://hooks.example/', secret: 's', ...wrong };
      const refused = await service().put<{ errors: { path: string }[] }>('/api/v0/webhook/x', body);
      expect([refused.status, refused.body.errors.map(({ path }) => path)]).toEqual([400, paths]);
      expect(refused.text).not.toContain('token');
      expect((await service().get('/api/v0/webhooks')).body).toEqual([]);
    });

    test('is refused where a name leads to a private address, when it is connected to', async () => {
      const url = receiver.url.replace('127.0.0.1', 'localhost');
      expect((await service().put('/api/v0/webhook/x', { url, secret: 's' })).status).toBe(201);
      expect((await service().put('/api/v0/webhook/x/test', {})).body).toMatchObject({
        ok: false,
        problems: [
          'the URL points to a private address; set webhook_allow_private on the server to allow it',
        ],
      });
    });
  });
});
