import { expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import { SIMULATORS } from '../../../src/simulator/index.ts';
import { EACH_TEST, simulateOnEachStore } from '../../harness/simulation/on-each-store.ts';
import { addresses, operatedCluster } from './operated-cluster.ts';

const MINUTE = 60_000;
const FIRST = '127.0.0.1' as Address;

const apt = SIMULATORS.systems.find(({ templates }) => 'debian' in templates);
if (apt === undefined) throw new Error('no simulated system is called debian');
const { debian } = apt.templates;

/** A Debian whose downloads take 25 minutes, and print nothing meanwhile. */
const slowDebian: typeof apt = {
  ...apt,
  templates: { ...(debian && { slow_debian: debian }) },
  execute: (...args) => {
    const answer = apt.execute(...args);
    const [, argv] = args;
    return answer && argv.includes('--download-only') ? { ...answer, durationMs: 25 * MINUTE } : answer;
  },
};

simulateOnEachStore('an upgrade', { ...EACH_TEST, fakes: [slowDebian] }, simulation => {
  test('reboots a host within a minute while all others download for long', async () => {
    const { clock, fleet } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [FIRST], { hasManager: false });
    const others = addresses(9).slice(1);
    await simulation().enrolMachines(others, { os: 'slow_debian' }, { cluster: toRecordName('c') });
    for (const host of others) await simulation().until(host, 'active');
    // They start one after the other, so that they answer at different times.
    for (const [index, host] of others.entries())
      fleet
        .host(host)
        .addFault({ kind: 'slow', commandMs: (index * 5100) % 20_000, times: 1, on: /--download-only/ });
    const id = await cluster.start('upgrade', { reboot: 'always', timeouts: { stageS: 3600 } });
    await clock.advanceUntil(() => fleet.host(FIRST).boots.length > 1, 2 * MINUTE);
    await cluster.inPhase(id, FIRST, 'done');
    expect((await cluster.planned(id, others[7] as Address))?.phase).toBe('staging');
  });
});
