import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DryRun } from '../../src/app/operations/dry-run.ts';
import { dryRun } from '../../src/app/operations/dry-run.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import type { AppError } from '../../src/domain/errors.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { drivers } from '../../src/drivers/index.ts';
import { apt } from '../../src/drivers/os/apt/apt.ts';
import { rpmOstree } from '../../src/drivers/os/rpm-ostree/rpm-ostree.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { getOperationId } from '../../src/sdk/response-headers.ts';
import { describeSimulation } from '../harness/simulation/simulate.ts';
import { SimulatedManager } from '../harness/simulation/simulated-manager.ts';
import type { StoredRows } from '../harness/stores/database-inspection.ts';
import { openStoredRows } from '../harness/stores/database-inspection.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

interface Plan {
  readonly detail: string;
  readonly hosts: readonly {
    readonly address: string;
    readonly position: number;
    readonly problem?: string;
    readonly commands: readonly { readonly step: string; readonly argv: string[] | null }[];
  }[];
}

const manager = new SimulatedManager({ clock: systemClock });
const withManager = { ...drivers, container_manager: [...drivers.container_manager, manager.driver] };

describeServer(
  'dry run',
  service => {
    let rows: StoredRows;
    const plan = (
      cluster: string,
      kind: string,
      { policy = {}, ...body }: { policy?: object; version?: string } = {},
    ) =>
      service().put<Plan>(`/api/v0/cluster/${cluster}/${kind}`, {
        ...body,
        policy: { ...policy, dry_run: true },
      });
    const createCluster = async (cluster: string, containerManager: string, ...addresses: string[]) => {
      await service().put(`/api/v0/cluster/${cluster}`, {
        network: 'default',
        container_manager: containerManager,
      });
      await service().makeHosts('active', cluster, ...addresses);
    };
    /** Removes the pending bootstrap tasks of the hosts. */
    const finishBootstrap = (...addresses: string[]) =>
      service().store.transaction(async ({ tasks }) => {
        for (const address of addresses) await tasks.removeByKind(address as Address, 'bootstrap');
      });
    /** Sets facts that normally come from the host itself. */
    const setOs = (address: string, osDriver: string, os: string) =>
      service().store.transaction(async ({ hosts }) => {
        const host = await hosts.lock(address as Address);
        if (host) await hosts.update({ ...host, osDriver, os });
      });

    beforeAll(async () => {
      rows = await openStoredRows(service().database);
      const put = (name: string, type: string, options = {}) =>
        service().put(`/api/v0/containermanager/${name}`, { type, options });
      await put('nodes', 'simulated');
      await createCluster('web', '', '127.3.0.1', '127.3.0.2', '127.3.0.3', '127.3.0.4');
      await setOs('127.3.0.1', 'apt', 'debian');
      await setOs('127.3.0.2', 'rpm-ostree', 'coreos');
      await setOs('127.3.0.3', 'apt', 'debian');
      await service().makeHosts('failed', undefined, '127.3.0.4');
      await finishBootstrap('127.3.0.4');
      await service().put('/api/v0/host/127.3.0.3/maintenance', { on: true });
    });
    afterAll(() => rows.close());

    test('returns 200 with the plan and changes nothing', async () => {
      const before = await rows.read();
      const { status, body, headers } = await plan('web', 'deploy', { version: '44.1' });
      expect(await rows.read()).toBe(before);
      expect([status, headers.get('location')]).toEqual([200, null]);
      expect(body).toMatchObject({
        ...{ dry_run: true, kind: 'deploy', cluster: 'web', version: '44.1', would_start: false },
        blocked_by: [
          { address: '127.3.0.4', reason: 'failed' },
          { address: '127.3.0.3', reason: 'maintenance', since: expect.stringMatching(/^\d{4}-/) },
        ],
        detail: '',
        policy: { reboot: 'always', dry_run: true },
      });
      expect((await service().get('/api/v0/cluster/web/deploy')).status).toBe(404);
      expect((await service().get('/api/v0/operations?cluster=web')).body).toEqual([]);
    });

    test('returns the hosts in order with their problems', async () => {
      const { body } = await plan('web', 'deploy', { version: '44.1', policy: { order: ['127.3.0.2'] } });
      const summary = body.hosts.map(({ address, position, problem = '' }) => [
        ...[address, position, problem.split(':')[0]],
      ]);
      expect(summary).toEqual([
        ['127.3.0.4', 0, 'not_ready'],
        ['127.3.0.2', 1, ''],
        ['127.3.0.1', 2, 'not_image_based'],
        ['127.3.0.3', 3, 'in_maintenance'],
      ]);
      expect(body.hosts[1]).toMatchObject({
        control_plane: false,
        state: { status: 'active', reason: '', os: 'coreos' },
      });
    });

    test('includes hosts with a pending bootstrap and skips them', async () => {
      await createCluster('pending', '', '127.3.4.1');
      await service().makeHosts('unreachable', 'pending', '127.3.4.2', '127.3.4.3');
      await service().makeHosts('disassociated', 'pending', '127.3.4.4');
      await finishBootstrap('127.3.4.3');
      const { body } = await plan('pending', 'restart');
      const summary = body.hosts.map(({ address, problem = '' }) => [address, problem.split(':')[0]]);
      expect(summary).toEqual([
        ['127.3.4.3', 'unsupported_os'],
        ['127.3.4.1', 'unsupported_os'],
        ['127.3.4.2', 'bootstrap_pending'],
        ['127.3.4.4', 'bootstrap_pending'],
      ]);
    });

    test('returns the exact commands of the drivers', async () => {
      const commandsFor = async (address: string, step: string, kind: string, version?: string) => {
        const { body } = await plan('web', kind, { ...(version && { version }) });
        const host = body.hosts.find(entry => entry.address === address);
        return host?.commands.filter(entry => entry.step === step).map(({ argv }) => argv);
      };
      expect(await commandsFor('127.3.0.1', 'stage', 'upgrade')).toEqual(apt.upgrade.stage);
      expect(await commandsFor('127.3.0.1', 'apply', 'upgrade')).toEqual(apt.upgrade.apply);
      expect(await commandsFor('127.3.0.2', 'stage', 'deploy', '44.1')).toEqual(rpmOstree.image?.stage('44.1'));
      expect(await commandsFor('127.3.0.1', 'stage', 'restart')).toEqual([]);
    });

    test('places control plane nodes last and only queries the container manager', async () => {
      await createCluster('managed', 'nodes', '127.3.1.1', '127.3.1.2');
      for (const address of ['127.3.1.1', '127.3.1.2']) await setOs(address, 'apt', 'debian');
      manager.controlPlane = ['127.3.1.1' as Address];
      const { body } = await plan('managed', 'restart');
      expect(body).toMatchObject({
        detail: '',
        hosts: [
          { address: '127.3.1.2', control_plane: false },
          { address: '127.3.1.1', control_plane: true },
        ],
      });
      expect(body.hosts[0]?.commands.map(({ step, argv }) => [step, argv === null])).toEqual([
        ['cordon', true],
        ['drain', true],
        ['reboot', false],
        ['uncordon', true],
      ]);
      expect(new Set(manager.calls.map(({ name }) => name))).toEqual(new Set(['controlPlane']));
    });

    test('returns a detail when the container manager does not respond', async () => {
      manager.inject('fail_manager');
      const { body } = await plan('managed', 'restart');
      manager.revert('fail_manager');
      expect(body.detail).toBe('the control plane nodes are unknown: container manager nodes: connection refused');
    });

    test('returns the reasons why the operation cannot start now', async () => {
      await createCluster('kept', '');
      const started = await service().put('/api/v0/cluster/kept/restart');
      const id = getOperationId(started);
      await service().put('/api/v0/pause');
      const { status, body } = await plan('kept', 'upgrade');
      await service().put('/api/v0/resume');
      expect([status, body.detail]).toEqual([
        200,
        `the restart ${id} is running on kept and must end first; all operations are paused; resume all operations to continue`,
      ]);
    });

    test.each([
      [{ max_unavailable: 4 }, true, '1 host would fail in preflight, and max_failures allows 0'],
      [{ max_unavailable: 4, max_failures: 1 }, false, ''],
      [{ max_unavailable: 4, unhealthy: 'exclude' }, false, ''],
    ])(
      'says whether the operation fails because of hosts that fail in preflight, for %j',
      async (policy, fails, detail) => {
        await service().put('/api/v0/cluster/broken', { network: 'default' });
        await service().makeHosts('active', 'broken', '127.3.5.1', '127.3.5.2', '127.3.5.3');
        for (const address of ['127.3.5.1', '127.3.5.2', '127.3.5.3']) await setOs(address, 'apt', 'debian');
        await service().makeHosts('failed', undefined, '127.3.5.3');
        await finishBootstrap('127.3.5.3');
        const { body } = await plan('broken', 'restart', { policy });
        expect(body).toMatchObject({ would_start: true, would_fail: fails, blocked_by: [], detail });
      },
    );

    test('returns the errors of the operation itself', async () => {
      const errorOf = async (cluster: string, body: object) => service().errorCode(plan(cluster, 'restart', body));
      expect(await errorOf('nowhere', {})).toBe('404 not_found');
      expect(await errorOf('web', { policy: { hosts: ['127.3.9.9'] } })).toBe('409 not_a_member');
      expect(await errorOf('web', { policy: { reboot: 'never' } })).toBe('400 invalid_body');
    });
  },
  {},
  { drivers: withManager },
);

describeSimulation('dry run with an unresponsive container manager', { per: 'test' }, simulation => {
  test('times out the query to the container manager', async () => {
    await simulation().makeCluster('web', 'nodes');
    const ports = { ...simulation().ports, openManager: () => new Promise<never>(() => {}) };
    const request = { cluster: toRecordName('web'), version: '', policyInput: {}, idempotencyKey: null };
    let plan: DryRun | AppError | undefined;
    void dryRun(ports, { ...request, kind: 'restart' }).then(result => {
      plan = result;
    });
    await simulation().clock.advanceUntil(async () => plan !== undefined, 10_000);
    expect(plan).toMatchObject({
      hosts: [],
      detail: 'the control plane nodes are unknown: container manager nodes: no response within 5 s',
    });
  });
});
