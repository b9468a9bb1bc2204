// Runs a server that connects to no hosts: operations stay as planned.

import { beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { asFailed, withPhase } from '../../src/domain/rollout/operation-host.ts';
import { getOperationId } from '../../src/sdk/response-headers.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
const KINDS = [
  ['restart', 'restarted', {}],
  ['upgrade', 'upgraded', {}],
  ['deploy', 'deployed', { version: '44.1' }],
] as const;

describeServer('operations', service => {
  /** Creates a new cluster for the operation. */
  const start = async (cluster: string, kind = 'restart', body?: object) => {
    await service().makeCluster(cluster);
    const { headers } = await service().put(`/api/v0/cluster/${cluster}/${kind}`, body);
    return headers.get('location') ?? '';
  };

  beforeAll(async () => {
    await service().makeCluster('web');
    await service().makeHosts('active', 'web', '127.1.0.1', '127.1.0.2', '127.1.0.3');
  });

  test.each(KINDS)('the %s record has exactly the fields of the specification', async (kind, done, body) => {
    await service().makeCluster(`exact-${kind}`);
    await service().makeHosts('active', `exact-${kind}`, `127.1.1.${kind.charCodeAt(0)}`);
    const started = await service().put(`/api/v0/cluster/exact-${kind}/${kind}`, body);
    const record = {
      status: 'in_process',
      ...body,
      [done]: [],
      in_process: [],
      started_at: TIME,
      finished_at: null,
    };
    expect([started.status, started.body]).toEqual([201, record]);
    const read = await service().get(`/api/v0/cluster/exact-${kind}/${kind}`);
    expect([read.status, read.body]).toEqual([200, started.body]);
    expect(read.headers.get('location')).toBe(`/api/v0/operation/${getOperationId(started)}`);
    const { body: auditEntries } = await service().get(`/api/v0/audit?subject=${getOperationId(started)}`);
    expect(auditEntries).toMatchObject([{ type: 'operation.started', data: { kind, hosts: 1, ...body } }]);
  });

  test('the record contains the state of each host', async () => {
    await service().makeCluster('listed');
    await service().makeHosts('active', 'listed', ...[1, 2, 3, 4].map(last => `127.1.2.${last}`));
    const id = getOperationId(await service().put('/api/v0/cluster/listed/restart'));
    const at = '2026-11-15T12:00:00.000000';
    await service().store.transaction(async ({ operationHosts }) => {
      const [first, second, third] = (await operationHosts.list(id)).items;
      if (!first || !second || !third) throw new Error('expected four hosts');
      await operationHosts.update(id, withPhase(withPhase(first, 'verifying', at), 'done', at));
      await operationHosts.update(id, { ...withPhase(second, 'rebooting', at), isUnreachable: true });
      const failure = { problem: 'reboot_failed: no', holdsSlot: true };
      await operationHosts.update(id, asFailed(withPhase(third, 'armed', at), at, failure));
    });
    const times = { started_at: at, finished_at: at };
    expect((await service().get('/api/v0/cluster/listed/restart')).body).toMatchObject({
      restarted: [{ address: '127.1.2.1', state: 'done', ...times, error: null }],
      in_process: [
        { address: '127.1.2.2', state: 'unreachable', started_at: at, finished_at: null, error: null },
        { address: '127.1.2.3', state: 'failed', ...times, error: 'reboot_failed: no' },
      ],
    });
    const { body } = await service().get(`/api/v0/operation/${id}`);
    expect(body).toMatchObject({
      counts: { total: 4, pending: 1, preparing: 0, queued: 0, in_flight: 1, done: 1, failed: 1, skipped: 0 },
      hosts: [
        { phase: 'done', phases: [{ phase: 'verifying' }, { phase: 'done', attempt: 1, at }] },
        { state: 'unreachable', phase: 'rebooting' },
        { state: 'failed', error: 'reboot_failed: no', detail: '' },
        { state: 'pending', started_at: null },
      ],
    });
  });

  test('the same request finds the running operation, also with explicit default values', async () => {
    const first = await service().put('/api/v0/cluster/web/restart');
    for (const body of [undefined, {}, { policy: {} }, { name: 'web', policy: { max_unavailable: 1 } }]) {
      const repeated = await service().put('/api/v0/cluster/web/restart', body);
      expect([repeated.status, getOperationId(repeated), repeated.body]).toEqual([
        200,
        getOperationId(first),
        first.body,
      ]);
    }
  });

  test('a different operation returns 409 with the running one and changes nothing', async () => {
    const id = getOperationId(await service().put('/api/v0/cluster/web/restart'));
    const others: [string, object][] = [
      ['restart', { policy: { max_unavailable: 2 } }],
      ['upgrade', {}],
      ['deploy', { version: '1' }],
    ];
    for (const [kind, body] of others) {
      const { status, body: problem } = await service().put(`/api/v0/cluster/web/${kind}`, body);
      expect([status, problem]).toMatchObject([409, { code: 'operation_running' }]);
      expect(JSON.stringify(problem)).toContain(`restart ${id}`);
    }
    expect((await service().get('/api/v0/operations?cluster=web')).body).toMatchObject([{ id }]);
  });

  test('concurrent identical requests start one operation', async () => {
    await service().makeCluster('raced');
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => service().put('/api/v0/cluster/raced/upgrade')),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(responses.map(getOperationId)).size).toBe(1);
  });

  test('a cluster with a running operation cannot be removed or changed', async () => {
    const created = await service().makeCluster('busy');
    await service().put('/api/v0/cluster/busy/restart');
    expect(await service().errorCode(service().delete('/api/v0/cluster/busy'))).toBe('409 operation_running');
    await service().put('/api/v0/containermanager/nodes', { type: 'trivial', options: {} });
    const headers = { 'if-match': created.headers.get('etag') ?? '' };
    const body = { network: 'default', container_manager: 'nodes' };
    const changed = service().put('/api/v0/cluster/busy', body, { headers });
    expect(await service().errorCode(changed)).toBe('409 operation_running');
  });

  test('a pending host that leaves the cluster is skipped', async () => {
    await service().makeCluster('shrinking');
    await service().makeHosts('active', 'shrinking', '127.1.3.1', '127.1.3.2');
    const id = getOperationId(await service().put('/api/v0/cluster/shrinking/restart'));
    expect((await service().delete('/api/v0/cluster/shrinking/hosts/127.1.3.1')).status).toBe(200);
    expect((await service().delete('/api/v0/host/127.1.3.2')).status).toBe(200);
    expect((await service().get(`/api/v0/operation/${id}`)).body).toMatchObject({
      counts: { total: 2, skipped: 2 },
      hosts: [{ skip_reason: 'left_cluster' }, { skip_reason: 'left_cluster' }],
    });
  });

  test.each(KINDS)('%s returns 404 before the first operation and for an unknown cluster', async kind => {
    await service().makeCluster('fresh');
    for (const cluster of ['fresh', 'nowhere'])
      expect(await service().errorCode(service().get(`/api/v0/cluster/${cluster}/${kind}`))).toBe('404 not_found');
    expect(await service().errorCode(service().put(`/api/v0/cluster/nowhere/${kind}`, { version: '1' }))).toBe(
      '404 not_found',
    );
  });

  test.each([
    {},
    ...[{ version: '' }, { version: 7 }, { version: null }, { version: 'x'.repeat(513) }],
    ...[{ version: 'two\nlines' }, { version: 'a\0' }, { version: '\ud800' }, { version: '1', policy: 7 }],
  ])('rejects a deploy with %j', async body => {
    await service().makeCluster('refused');
    expect(await service().errorCode(service().put('/api/v0/cluster/refused/deploy', body))).toBe('400 invalid_body');
    expect((await service().get('/api/v0/cluster/refused/deploy')).status).toBe(404);
  });

  test('rejects a name that differs from the path', async () => {
    const other = service().put('/api/v0/cluster/web/restart', { name: 'other' });
    expect(await service().errorCode(other)).toBe('400 path_mismatch');
  });

  test('an Idempotency-Key finds its operation and cannot be used for another request', async () => {
    await service().makeCluster('keyed');
    const put = (key: string, body?: object) =>
      service().put('/api/v0/cluster/keyed/restart', body, { headers: { 'idempotency-key': key } });
    const first = await put('one');
    expect(first.status).toBe(201);
    await service().put(`/api/v0/operation/${getOperationId(first)}/cancel`);
    await service().store.transaction(async ({ operations }) => {
      const operation = await operations.get(getOperationId(first));
      if (operation === undefined) throw new Error('operation not found');
      const cancelled = { ...operation, state: 'cancelled' as const, finishedAt: operation.startedAt };
      await operations.updateStatus(cancelled, null);
    });
    const repeated = await put('one');
    expect([repeated.status, getOperationId(repeated)]).toEqual([200, getOperationId(first)]);
    expect(repeated.body).toMatchObject({ status: 'cancelled', finished_at: TIME });
    const different = put('one', { policy: { canary: 1 } });
    expect(await service().errorCode(different)).toBe('409 idempotency_key_reused');
    expect((await put('two')).status).toBe(201);
  });

  test.each(['', 'two words', 'x'.repeat(129)])('rejects the Idempotency-Key %j', async key => {
    const headers = { 'idempotency-key': key };
    const put = service().put('/api/v0/cluster/fresh/restart', {}, { headers });
    expect(await service().errorCode(put)).toBe('400 invalid_header');
  });

  test('GET returns an operation with its policy and hosts', async () => {
    await service().makeCluster('detailed');
    await service().makeHosts('active', 'detailed', '127.1.4.1');
    const started = await service().put('/api/v0/cluster/detailed/upgrade', { policy: { canary: 1 } });
    const { body } = await service().get(`/api/v0/operation/${getOperationId(started)}`);
    const zeros = { preparing: 0, queued: 0, in_flight: 0, done: 0, failed: 0, skipped: 0 };
    expect(body).toEqual({
      id: getOperationId(started),
      kind: 'upgrade',
      cluster: 'detailed',
      status: 'in_process',
      state: 'planned',
      paused_by: null,
      problem: '',
      counts: { total: 1, pending: 1, ...zeros },
      started_by: 'admin',
      started_at: TIME,
      finished_at: null,
      can: ['cancel', 'skip'],
      policy: expect.objectContaining({ canary: 1, max_unavailable: 1, reboot: 'if_needed', dry_run: false }),
      budget: { max_unavailable: 1, unavailable: 0, max_failures: 0, failed: 0 },
      unavailable_hosts: [],
      hosts: [
        {
          ...{ address: '127.1.4.1', hostname: '', state: 'pending', phase: 'pending', attempt: 1, position: 0 },
          ...{ control_plane: false, phases: [], started_at: null, finished_at: null, error: null },
          ...{ detail: '', already_there: false, skip_reason: null, cordoned: false, output: [] },
        },
      ],
    });
  });

  test('an operation and its dry run contain the hostnames, until the host is removed', async () => {
    await service().makeCluster('named');
    await service().makeHosts('active', 'named', '127.1.6.1', '127.1.6.2');
    await service().store.transaction(async ({ hosts }) => {
      const host = await hosts.lock('127.1.6.1' as Address);
      if (host) await hosts.update({ ...host, hostname: 'web-1' });
    });
    type Named = { readonly hosts: readonly { readonly hostname: string }[] };
    const names = ({ hosts }: Named) => hosts.map(({ hostname }) => hostname);
    const plan = await service().put<Named>('/api/v0/cluster/named/restart', { policy: { dry_run: true } });
    expect(names(plan.body)).toEqual(['web-1', '']);
    const id = getOperationId(await service().put('/api/v0/cluster/named/restart'));
    const read = async () => names((await service().get<Named>(`/api/v0/operation/${id}`)).body);
    expect(await read()).toEqual(['web-1', '']);
    const one = await service().get(`/api/v0/operation/${id}/hosts/127.1.6.1`);
    expect(one.body).toMatchObject({ address: '127.1.6.1', hostname: 'web-1' });
    const page = await service().get<Named>(`/api/v0/operation/${id}?limit=1&after=127.1.6.1`);
    expect(names(page.body)).toEqual(['']);
    await service().put(`/api/v0/operation/${id}/cancel`);
    await service().delete('/api/v0/host/127.1.6.1');
    expect(await read()).toEqual(['', '']);
  });

  test('GET returns the last lines of each step, and the full output for one host', async () => {
    await service().makeCluster('verbose');
    await service().makeHosts('active', 'verbose', '127.1.5.1');
    const id = getOperationId(await service().put('/api/v0/cluster/verbose/upgrade'));
    const at = '2026-11-15T12:00:00.000000';
    await service().store.transaction(({ operationOutput }) =>
      operationOutput.save(
        { operation: id, host: '127.1.5.1' as Address, attempt: 1, step: 'stage' },
        { output: 'first\nlast', lastLines: 'last', at },
      ),
    );
    const entry = { step: 'stage', attempt: 1, at };
    const { body } = await service().get<{ hosts: { output: unknown }[] }>(`/api/v0/operation/${id}`);
    expect(body.hosts[0]?.output).toEqual([{ ...entry, last_lines: 'last' }]);
    const first = await service().get(`/api/v0/operation/${id}/hosts/127.1.5.1`);
    expect(first.body).toMatchObject({ address: '127.1.5.1', output: [{ ...entry, output: 'first\nlast' }] });
    const unknownHost = service().get(`/api/v0/operation/${id}/hosts/127.1.5.2`);
    expect(await service().errorCode(unknownHost)).toBe('404 not_found');
  });

  test.each(['unknown', 'not.an.id', 'x'.repeat(65)])('the operation %s returns 404', async id => {
    expect(await service().errorCode(service().get(`/api/v0/operation/${id}`))).toBe('404 not_found');
    expect(await service().errorCode(service().get(`/api/v0/operation/${id}/hosts/127.0.0.1`))).toBe('404 not_found');
    for (const action of ['pause', 'resume', 'cancel', 'retry', 'skip'])
      expect(await service().errorCode(service().put(`/api/v0/operation/${id}/${action}`))).toBe('404 not_found');
  });

  test('rejects actions that the state does not allow, and ignores repeated actions', async () => {
    const location = await start('steered');
    for (const action of ['pause', 'resume', 'retry'])
      expect(await service().errorCode(service().put(`${location}/${action}`))).toBe('409 invalid_state');
    const cancelled = await service().put(`${location}/cancel`);
    expect([cancelled.status, cancelled.body]).toMatchObject([
      200,
      { status: 'in_process', state: 'cancelling', can: ['skip'] },
    ]);
    expect((await service().put(`${location}/pause`)).body).toMatchObject({
      detail: expect.stringMatching(/^cannot pause operation \S+: it is being cancelled; allowed actions: skip$/),
    });
    const repeated = await service().put(`${location}/cancel`);
    expect([repeated.status, repeated.body]).toEqual([200, cancelled.body]);
    const { body } = await service().get<{ type: string }[]>(`/api/v0/audit?subject=${location.split('/').at(-1)}`);
    expect(body.filter(({ type }) => type !== 'request.denied')).toMatchObject([
      { type: 'operation.state', data: { kind: 'restart', state: 'cancelling' }, actor: 'admin' },
      { type: 'operation.started' },
    ]);
  });

  test('skips hosts by address and rejects unknown hosts', async () => {
    await service().makeCluster('skipping');
    await service().makeHosts('active', 'skipping', '127.1.7.1', '127.1.7.2');
    const { headers } = await service().put('/api/v0/cluster/skipping/restart');
    const skip = (body: object) => service().put(`${headers.get('location')}/skip`, body);
    expect((await skip({ hosts: ['127.1.7.2'] })).body).toMatchObject({ counts: { pending: 1, skipped: 1 } });
    expect(await service().errorCode(skip({ hosts: ['127.1.7.9'] }))).toBe('404 not_found');
    for (const hosts of [[], ['x'], '127.1.7.1', [7], null])
      expect(await service().errorCode(skip({ hosts }))).toBe('400 invalid_body');
  });

  test('pauses and resumes all operations', async () => {
    const read = async () => (await service().get('/api/v0/pause')).body;
    expect(await read()).toEqual({ paused: false });
    for (const _ of [1, 2]) expect((await service().put('/api/v0/pause')).body).toEqual({ paused: true });
    expect(await read()).toEqual({ paused: true });
    expect((await service().put('/api/v0/resume')).body).toEqual({ paused: false });
    expect(await read()).toEqual({ paused: false });
    const { body: paused } = await service().get('/api/v0/audit?type=operations.paused');
    const { body: resumed } = await service().get('/api/v0/audit?type=operations.resumed');
    expect([paused, resumed]).toMatchObject([[{ actor: 'admin' }], [{ actor: 'admin' }]]);
    expect([paused, resumed]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  test('shows the global pause as paused_by manual', async () => {
    const location = await start('held');
    await service().store.transaction(async ({ operations }) => {
      const operation = await operations.get(location.split('/').at(-1) ?? '');
      if (operation === undefined) throw new Error('operation not found');
      await operations.updateStatus({ ...operation, state: 'paused', pause: 'global_pause' }, null);
    });
    expect((await service().get(location)).body).toMatchObject({ state: 'paused', paused_by: 'manual' });
  });
});
