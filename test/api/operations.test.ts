// Operations over HTTP on a service that reaches no hosts: what is started stays as it was planned.

import { beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { asFailed, withPhase } from '../../src/domain/rollout/operation-host.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';
import { operationsOn } from './operations-on.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
const KINDS = [
  ['restart', 'restarted', {}],
  ['upgrade', 'upgraded', {}],
  ['deploy', 'deployed', { version: '44.1' }],
] as const;

onEachStore('operations', service => {
  const { path, idOf, makeCluster } = operationsOn(service);
  /** On a cluster of its own. */
  const start = async (cluster: string, kind = 'restart', body?: object) => {
    await makeCluster(cluster);
    const { headers } = await service().put(path(cluster, kind), body);
    return headers.get('location') ?? '';
  };

  beforeAll(async () => {
    await makeCluster('web');
    await service().makeHosts('active', 'web', '127.1.0.1', '127.1.0.2', '127.1.0.3');
  });

  test.each(KINDS)(
    'the record of %s has exactly the fields of the specification',
    async (kind, done, body) => {
      await makeCluster(`exact-${kind}`);
      await service().makeHosts('active', `exact-${kind}`, `127.1.1.${kind.charCodeAt(0)}`);
      const started = await service().put(path(`exact-${kind}`, kind), body);
      const record = {
        status: 'in_process',
        ...body,
        [done]: [],
        in_process: [],
        started_at: TIME,
        finished_at: null,
      };
      expect([started.status, started.body]).toEqual([201, record]);
      const read = await service().get(path(`exact-${kind}`, kind));
      expect([read.status, read.body]).toEqual([200, started.body]);
      expect(read.headers.get('location')).toBe(`/api/v0/operation/${idOf(started)}`);
      const { body: told } = await service().get(`/api/v0/audit?subject=${idOf(started)}`);
      expect(told).toMatchObject([{ type: 'operation.started', data: { kind, hosts: 1, ...body } }]);
    },
  );

  test('the hosts of a record say how far they are', async () => {
    await makeCluster('listed');
    await service().makeHosts('active', 'listed', ...[1, 2, 3, 4].map(last => `127.1.2.${last}`));
    const id = idOf(await service().put(path('listed', 'restart')));
    const at = '2026-11-15T12:00:00.000000';
    await service().store.transaction(async ({ operationHosts }) => {
      const [one, two, three] = (await operationHosts.list(id)).items;
      if (!one || !two || !three) throw new Error('there should be four');
      await operationHosts.update(id, withPhase(withPhase(one, 'verifying', at), 'done', at));
      await operationHosts.update(id, { ...withPhase(two, 'rebooting', at), isUnreachable: true });
      const failure = { problem: 'reboot_failed: no', holdsSlot: true };
      await operationHosts.update(id, asFailed(withPhase(three, 'armed', at), at, failure));
    });
    const times = { started_at: at, finished_at: at };
    expect((await service().get(path('listed', 'restart'))).body).toMatchObject({
      restarted: [{ address: '127.1.2.1', state: 'done', ...times, error: null }],
      in_process: [
        { address: '127.1.2.2', state: 'unreachable', started_at: at, finished_at: null, error: null },
        { address: '127.1.2.3', state: 'failed', ...times, error: 'reboot_failed: no' },
      ],
    });
    const { body } = await service().get(`/api/v0/operation/${id}`);
    expect(body).toMatchObject({
      counts: { total: 4, pending: 1, preparing: 0, in_flight: 1, done: 1, failed: 1, skipped: 0 },
      hosts: [
        { phase: 'done', phases: [{ phase: 'verifying' }, { phase: 'done', attempt: 1, at }] },
        { state: 'unreachable', phase: 'rebooting' },
        { state: 'failed', error: 'reboot_failed: no', detail: '' },
        { state: 'pending', started_at: null },
      ],
    });
  });

  test('the same again finds the running one, also when it spells out what holds anyway', async () => {
    const first = await service().put(path('web', 'restart'));
    for (const body of [undefined, {}, { policy: {} }, { name: 'web', policy: { max_unavailable: 1 } }]) {
      const again = await service().put(path('web', 'restart'), body);
      expect([again.status, idOf(again), again.body]).toEqual([200, idOf(first), first.body]);
    }
  });

  test('another one is refused by the name of the running one, and leaves no trace', async () => {
    const id = idOf(await service().put(path('web', 'restart')));
    const others: [string, object][] = [
      ['restart', { policy: { max_unavailable: 2 } }],
      ['upgrade', {}],
      ['deploy', { version: '1' }],
    ];
    for (const [kind, body] of others) {
      const { status, body: problem } = await service().put(path('web', kind), body);
      expect([status, problem]).toMatchObject([409, { code: 'operation_running' }]);
      expect(JSON.stringify(problem)).toContain(`restart ${id}`);
    }
    expect((await service().get('/api/v0/operations?cluster=web')).body).toMatchObject([{ id }]);
  });

  test('callers who start the same at once start one', async () => {
    await makeCluster('raced');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => service().put(path('raced', 'upgrade'))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(idOf)).size).toBe(1);
  });

  test('a cluster is not removed while one runs on it, and gets no other settings', async () => {
    const created = await makeCluster('busy');
    await service().put(path('busy', 'restart'));
    expect(await service().refusal(service().delete('/api/v0/cluster/busy'))).toBe('409 operation_running');
    await service().put('/api/v0/containermanager/nodes', { type: 'trivial', options: {} });
    const headers = { 'if-match': created.headers.get('etag') ?? '' };
    const body = { network: 'default', container_manager: 'nodes' };
    const changed = service().put('/api/v0/cluster/busy', body, { headers });
    expect(await service().refusal(changed)).toBe('409 operation_running');
  });

  test('a host that leaves before its turn is skipped, and may leave', async () => {
    await makeCluster('shrinking');
    await service().makeHosts('active', 'shrinking', '127.1.3.1', '127.1.3.2');
    const id = idOf(await service().put(path('shrinking', 'restart')));
    expect((await service().delete('/api/v0/cluster/shrinking/hosts/127.1.3.1')).status).toBe(200);
    expect((await service().delete('/api/v0/host/127.1.3.2')).status).toBe(200);
    expect((await service().get(`/api/v0/operation/${id}`)).body).toMatchObject({
      counts: { total: 2, skipped: 2 },
      hosts: [{ skip_reason: 'left_cluster' }, { skip_reason: 'left_cluster' }],
    });
  });

  test.each(KINDS)('there is no %s before the first, nor of a cluster that is not there', async kind => {
    await makeCluster('fresh');
    for (const cluster of ['fresh', 'nowhere'])
      expect(await service().refusal(service().get(path(cluster, kind)))).toBe('404 not_found');
    expect(await service().refusal(service().put(path('nowhere', kind), { version: '1' }))).toBe(
      '404 not_found',
    );
  });

  test.each([
    {},
    ...[{ version: '' }, { version: 7 }, { version: null }, { version: 'x'.repeat(513) }],
    ...[{ version: 'two\nlines' }, { version: 'a\0' }, { version: '\ud800' }, { version: '1', policy: 7 }],
  ])('a deployment of %j is refused', async body => {
    await makeCluster('refused');
    expect(await service().refusal(service().put(path('refused', 'deploy'), body))).toBe('400 invalid_body');
    expect((await service().get(path('refused', 'deploy'))).status).toBe(404);
  });

  test('a name in the body must be the one in the path', async () => {
    const other = service().put(path('web', 'restart'), { name: 'other' });
    expect(await service().refusal(other)).toBe('400 path_mismatch');
  });

  test('a key finds what was started under it, and stands for nothing else', async () => {
    await makeCluster('keyed');
    const put = (key: string, body?: object) =>
      service().put(path('keyed', 'restart'), body, { headers: { 'idempotency-key': key } });
    const first = await put('one');
    expect(first.status).toBe(201);
    await service().put(`/api/v0/operation/${idOf(first)}/cancel`);
    await service().store.transaction(async ({ operations }) => {
      const operation = await operations.get(idOf(first));
      if (operation === undefined) throw new Error('it should be there');
      const ended = { ...operation, state: 'cancelled' as const, finishedAt: operation.startedAt };
      await operations.updateStatus(ended, null);
    });
    const again = await put('one');
    expect([again.status, idOf(again)]).toEqual([200, idOf(first)]);
    expect(again.body).toMatchObject({ status: 'cancelled', finished_at: TIME });
    const otherwise = put('one', { policy: { canary: 1 } });
    expect(await service().refusal(otherwise)).toBe('409 idempotency_key_reused');
    expect((await put('two')).status).toBe(201);
  });

  test.each(['', 'two words', 'x'.repeat(129)])('the key %j is refused', async key => {
    const headers = { 'idempotency-key': key };
    const put = service().put(path('fresh', 'restart'), {}, { headers });
    expect(await service().refusal(put)).toBe('400 invalid_header');
  });

  test('an operation is told with its policy and every host', async () => {
    await makeCluster('told');
    await service().makeHosts('active', 'told', '127.1.4.1');
    const started = await service().put(path('told', 'upgrade'), { policy: { canary: 1 } });
    const { body } = await service().get(`/api/v0/operation/${idOf(started)}`);
    const none = { preparing: 0, in_flight: 0, done: 0, failed: 0, skipped: 0 };
    expect(body).toEqual({
      id: idOf(started),
      kind: 'upgrade',
      cluster: 'told',
      status: 'in_process',
      state: 'planned',
      paused_by: null,
      problem: '',
      counts: { total: 1, pending: 1, ...none },
      started_by: 'admin',
      started_at: TIME,
      finished_at: null,
      can: ['cancel', 'skip'],
      policy: expect.objectContaining({ canary: 1, max_unavailable: 1, reboot: 'if_needed', dry_run: false }),
      budget: { max_unavailable: 1, unavailable: 0, max_failures: 0, failed: 0 },
      unavailable_hosts: [],
      hosts: [
        {
          ...{ address: '127.1.4.1', state: 'pending', phase: 'pending', attempt: 1, position: 0 },
          ...{ control_plane: false, phases: [], started_at: null, finished_at: null, error: null },
          ...{ detail: '', already_there: false, skip_reason: null, cordoned: false, output: [] },
        },
      ],
    });
  });

  test('what a step has said is told in short, and in full of one host', async () => {
    await makeCluster('loud');
    await service().makeHosts('active', 'loud', '127.1.5.1');
    const id = idOf(await service().put(path('loud', 'upgrade')));
    const at = '2026-11-15T12:00:00.000000';
    await service().store.transaction(({ operationOutput }) =>
      operationOutput.save(
        { operation: id, host: '127.1.5.1' as Address, attempt: 1, step: 'stage' },
        { output: 'first\nlast', lastLines: 'last', at },
      ),
    );
    const said = { step: 'stage', attempt: 1, at };
    const { body } = await service().get<{ hosts: { output: unknown }[] }>(`/api/v0/operation/${id}`);
    expect(body.hosts[0]?.output).toEqual([{ ...said, last_lines: 'last' }]);
    const one = await service().get(`/api/v0/operation/${id}/hosts/127.1.5.1`);
    expect(one.body).toMatchObject({ address: '127.1.5.1', output: [{ ...said, output: 'first\nlast' }] });
    const stranger = service().get(`/api/v0/operation/${id}/hosts/127.1.5.2`);
    expect(await service().refusal(stranger)).toBe('404 not_found');
  });

  test.each(['nobody', 'not.an.id', 'x'.repeat(65)])('an operation %s is not there', async id => {
    expect(await service().refusal(service().get(`/api/v0/operation/${id}`))).toBe('404 not_found');
    expect(await service().refusal(service().get(`/api/v0/operation/${id}/hosts/127.0.0.1`))).toBe(
      '404 not_found',
    );
    for (const verb of ['pause', 'resume', 'cancel', 'retry', 'skip'])
      expect(await service().refusal(service().put(`/api/v0/operation/${id}/${verb}`))).toBe('404 not_found');
  });

  test('what cannot be asked of an operation now is refused, and what is so already changes nothing', async () => {
    const location = await start('steered');
    for (const verb of ['pause', 'resume', 'retry'])
      expect(await service().refusal(service().put(`${location}/${verb}`))).toBe('409 invalid_state');
    const cancelled = await service().put(`${location}/cancel`);
    expect([cancelled.status, cancelled.body]).toMatchObject([
      200,
      { status: 'in_process', state: 'cancelling', can: ['skip'] },
    ]);
    expect((await service().put(`${location}/pause`)).body).toMatchObject({
      detail: expect.stringMatching(
        /^cannot pause operation \S+: it is being cancelled; allowed actions: skip$/,
      ),
    });
    const again = await service().put(`${location}/cancel`);
    expect([again.status, again.body]).toEqual([200, cancelled.body]);
    const { body } = await service().get<{ type: string }[]>(
      `/api/v0/audit?subject=${location.split('/').at(-1)}`,
    );
    expect(body.filter(({ type }) => type !== 'request.denied')).toMatchObject([
      { type: 'operation.state', data: { kind: 'restart', state: 'cancelling' }, actor: 'admin' },
      { type: 'operation.started' },
    ]);
  });

  test('hosts are skipped by name, and those that are in neither plan nor cluster are not', async () => {
    await makeCluster('skipping');
    await service().makeHosts('active', 'skipping', '127.1.7.1', '127.1.7.2');
    const { headers } = await service().put(path('skipping', 'restart'));
    const skip = (body: object) => service().put(`${headers.get('location')}/skip`, body);
    expect((await skip({ hosts: ['127.1.7.2'] })).body).toMatchObject({ counts: { pending: 1, skipped: 1 } });
    expect(await service().refusal(skip({ hosts: ['127.1.7.9'] }))).toBe('404 not_found');
    for (const hosts of [[], ['x'], '127.1.7.1', [7], null])
      expect(await service().refusal(skip({ hosts }))).toBe('400 invalid_body');
  });

  test('all operations are held and released at once', async () => {
    const read = async () => (await service().get('/api/v0/pause')).body;
    expect(await read()).toEqual({ paused: false });
    for (const _ of [1, 2]) expect((await service().put('/api/v0/pause')).body).toEqual({ paused: true });
    expect(await read()).toEqual({ paused: true });
    expect((await service().put('/api/v0/resume')).body).toEqual({ paused: false });
    expect(await read()).toEqual({ paused: false });
    const { body: held } = await service().get('/api/v0/audit?type=operations.paused');
    const { body: released } = await service().get('/api/v0/audit?type=operations.resumed');
    expect([held, released]).toMatchObject([[{ actor: 'admin' }], [{ actor: 'admin' }]]);
    expect([held, released]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  test('an operation of the global pause is shown with paused_by manual', async () => {
    const location = await start('held');
    await service().store.transaction(async ({ operations }) => {
      const operation = await operations.get(location.split('/').at(-1) ?? '');
      if (operation === undefined) throw new Error('it should be there');
      await operations.updateStatus({ ...operation, state: 'paused', pause: 'global_pause' }, null);
    });
    expect((await service().get(location)).body).toMatchObject({ state: 'paused', paused_by: 'manual' });
  });
});
