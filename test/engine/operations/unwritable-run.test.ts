// Hosts whose /run is read-only: nothing can be started on them, and the operation reports it at once.

import { expect, test } from 'vitest';
import { cancelOperation } from '../../../src/app/operations/control-operation.ts';
import { retryHosts, skipHosts } from '../../../src/app/operations/retry-and-skip-hosts.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { EACH_TEST, simulateOnEachStore } from '../../harness/simulation/on-each-store.ts';
import { MINUTE } from '../../harness/simulation/world-options.ts';
import { operatedCluster } from './operated-cluster.ts';

const [A, B] = ['127.0.0.1', '127.0.0.2'] as [Address, Address];
const READ_ONLY = { kind: 'run_unwritable' } as const;
const ERROR = expect.stringMatching(
  /^run_not_writable: cannot write to \/run\/hostler .*: Read-only file system/,
);
/** The command that reboots. */
const REBOOT = /check_deadline/;
const WITHIN_MS = 5000;

simulateOnEachStore('an operation on a host with a read-only /run', EACH_TEST, simulation => {
  /** How long it takes until the host has failed. */
  async function failsAfter(cluster: Awaited<ReturnType<typeof operatedCluster>>, id: string, host: Address) {
    const { clock } = simulation();
    const beganMs = clock.monotonicMs();
    await cluster.inPhase(id, host, 'failed');
    return clock.monotonicMs() - beganMs;
  }

  test.each(['restart', 'upgrade'] as const)('%s: the host fails before it is disturbed', async kind => {
    const { fleet, manager } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A]);
    fleet.host(A).addFault(READ_ONLY);
    const id = await cluster.start(kind);
    expect(await failsAfter(cluster, id, A)).toBeLessThan(WITHIN_MS);
    const planned = await cluster.planned(id, A);
    expect(planned).toMatchObject({ problem: ERROR, isCordoned: false });
    expect(planned?.phases.map(({ phase }) => phase)).toEqual(['preflight', 'failed']);
    expect(fleet.host(A).boots).toHaveLength(1);
    expect(manager.node(A).cordonedBy).toBeUndefined();
  });

  /** /run becomes read-only after the checks of the host, and before its turn. */
  async function readOnlyOnceStaged(kind: 'restart' | 'upgrade') {
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A, B], { hasManager: false });
    const id = await cluster.start(kind, { reboot: 'always' });
    await cluster.inPhase(id, A, 'verifying');
    expect(await cluster.planned(id, B)).toMatchObject({ phase: 'staging' });
    const host = simulation().fleet.host(B);
    host.addFault(READ_ONLY);
    return { cluster, id, host };
  }

  test.each([
    ['restart', 'armed'],
    ['upgrade', 'applying'],
  ] as const)(
    '%s: the host fails in the phase %s at once, and is done by a retry after the repair',
    async (kind, phase) => {
      const { cluster, id, host } = await readOnlyOnceStaged(kind);
      await cluster.inPhase(id, B, phase);
      expect(await failsAfter(cluster, id, B)).toBeLessThan(WITHIN_MS);
      expect(await cluster.planned(id, B)).toMatchObject({ problem: ERROR });
      expect(host.boots).toHaveLength(1);
      await cluster.ended(id);
      host.clearFaults();
      await retryHosts(simulation().ports, LOCAL_ACTOR, { id, hosts: [B] });
      await cluster.ended(id);
      expect(await cluster.phases(id)).toBe('done done');
      expect(host.boots).toHaveLength(2);
    },
  );

  /** The first reboot command hangs on its way to the host, and /run becomes read-only. */
  async function rebootUnderWay() {
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A], { hasManager: false });
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
    'does not reboot a host that %s, also when /run is writable before a late command comes',
    async (what, phase) => {
      const { ports, clock } = simulation();
      const { cluster, id, host } = await rebootUnderWay();
      if (what === 'was cancelled') await cancelOperation(ports, LOCAL_ACTOR, id);
      if (what === 'was skipped') await skipHosts(ports, LOCAL_ACTOR, { id, hosts: [A] });
      await cluster.inPhase(id, A, phase);
      // The deadline is not over yet: only the spare marker stops the command that hung.
      host.clearFaults();
      await clock.advance(10 * MINUTE);
      expect(host.boots).toHaveLength(1);
      expect((await cluster.planned(id, A))?.problem).toEqual(phase === 'failed' ? ERROR : '');
    },
  );
});
