import { expect, test } from 'vitest';
import { cancelOperation } from '../../../src/app/operations/control-operation.ts';
import { retryHosts, skipHosts } from '../../../src/app/operations/retry-and-skip-hosts.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import { MINUTE } from '../../harness/simulation/simulation-options.ts';
import { createSimulatedCluster } from './simulated-cluster.ts';

const [A, B] = ['127.0.0.1', '127.0.0.2'] as [Address, Address];
const READ_ONLY = { kind: 'run_unwritable' } as const;
const ERROR = expect.stringMatching(/^run_not_writable: cannot write to \/run\/hostler .*: Read-only file system/);
/** Matches the reboot script. */
const REBOOT = /check_deadline/;
const MAX_FAILURE_MS = 5000;

describeSimulation('an operation on a host with a read-only /run', EACH_TEST, simulation => {
  /** Time until the host has failed. */
  async function timeUntilFailed(
    cluster: Awaited<ReturnType<typeof createSimulatedCluster>>,
    id: string,
    host: Address,
  ) {
    const { clock } = simulation();
    const startedMs = clock.monotonicMs();
    await cluster.untilPhase(id, host, 'failed');
    return clock.monotonicMs() - startedMs;
  }

  test.each(['restart', 'upgrade'] as const)('%s: the host fails in preflight', async kind => {
    const { fleet, manager } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A]);
    fleet.host(A).addFault(READ_ONLY);
    const id = await cluster.start(kind);
    expect(await timeUntilFailed(cluster, id, A)).toBeLessThan(MAX_FAILURE_MS);
    const planned = await cluster.planned(id, A);
    expect(planned).toMatchObject({ problem: ERROR, isCordoned: false });
    expect(planned?.phases.map(({ phase }) => phase)).toEqual(['preflight', 'failed']);
    expect(fleet.host(A).boots).toHaveLength(1);
    expect(manager.node(A).cordonedBy).toBeUndefined();
  });

  /** Makes /run read-only after the preflight of the host and before its rollout. */
  async function readOnlyOnceStaged(kind: 'restart' | 'upgrade') {
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B], { hasManager: false });
    const id = await cluster.start(kind, { reboot: 'always' });
    await cluster.untilPhase(id, A, 'verifying');
    expect(await cluster.planned(id, B)).toMatchObject({ phase: 'staging' });
    const host = simulation().fleet.host(B);
    host.addFault(READ_ONLY);
    return { cluster, id, host };
  }

  test.each([
    ['restart', 'armed'],
    ['upgrade', 'applying'],
  ] as const)(
    '%s: the host fails at once in phase %s, and a retry after the repair completes it',
    async (kind, phase) => {
      const { cluster, id, host } = await readOnlyOnceStaged(kind);
      await cluster.untilPhase(id, B, phase);
      expect(await timeUntilFailed(cluster, id, B)).toBeLessThan(MAX_FAILURE_MS);
      expect(await cluster.planned(id, B)).toMatchObject({ problem: ERROR });
      expect(host.boots).toHaveLength(1);
      await cluster.untilEnded(id);
      host.clearFaults();
      await retryHosts(simulation().ports, LOCAL_ACTOR, { id, hosts: [B] });
      await cluster.untilEnded(id);
      expect(await cluster.phases(id)).toBe('done done');
      expect(host.boots).toHaveLength(2);
    },
  );

  /** The first reboot command hangs on its way to the host, and then /run becomes read-only. */
  async function rebootUnderWay() {
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A], { hasManager: false });
    const host = simulation().fleet.host(A);
    host.addFault({ kind: 'frozen', on: REBOOT, times: 1 });
    const id = await cluster.start('restart');
    const isSent = async () => host.journal.some(({ argv }) => REBOOT.test(argv.join(' ')));
    await cluster.until(isSent);
    host.addFault(READ_ONLY);
    return { cluster, id, host };
  }

  test.each([
    ['failed', 'failed'],
    ['was cancelled', 'skipped'],
    ['was skipped', 'skipped'],
  ] as const)(
    'does not reboot a host that %s when /run becomes writable before a delayed command arrives',
    async (event, phase) => {
      const { ports, clock } = simulation();
      const { cluster, id, host } = await rebootUnderWay();
      if (event === 'was cancelled') await cancelOperation(ports, LOCAL_ACTOR, id);
      if (event === 'was skipped') await skipHosts(ports, LOCAL_ACTOR, { id, hosts: [A] });
      await cluster.untilPhase(id, A, phase);
      // The deadline has not passed yet. Only the spare marker stops the delayed command.
      host.clearFaults();
      await clock.advance(10 * MINUTE);
      expect(host.boots).toHaveLength(1);
      expect((await cluster.planned(id, A))?.problem).toEqual(phase === 'failed' ? ERROR : '');
    },
  );
});
