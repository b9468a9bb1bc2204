import { expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import { SIMULATORS } from '../../../src/simulator/index.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import { addresses, createSimulatedCluster } from './simulated-cluster.ts';

const MINUTE = 60_000;
const FIRST = '127.0.0.1' as Address;

const apt = SIMULATORS.systems.find(({ templates }) => 'debian' in templates);
if (apt === undefined) throw new Error('no simulated system is called debian');
const { debian } = apt.templates;

/** A Debian host whose downloads take 25 minutes without output. */
const slowDebian: typeof apt = {
  ...apt,
  templates: { ...(debian && { slow_debian: debian }) },
  execute: (...args) => {
    const result = apt.execute(...args);
    const [, argv] = args;
    return result && argv.includes('--download-only') ? { ...result, durationMs: 25 * MINUTE } : result;
  },
};

describeSimulation('an upgrade', { ...EACH_TEST, simulators: [slowDebian] }, simulation => {
  test('reboots a host within a minute while all others run long downloads', async () => {
    const { clock, fleet } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [FIRST], { hasManager: false });
    const others = addresses(9).slice(1);
    await simulation().enrolHosts(others, { os: 'slow_debian' }, { cluster: toRecordName('c') });
    for (const host of others) await simulation().waitForStatus(host, 'active');
    // The downloads start at different times, so the hosts respond at different times.
    for (const [index, host] of others.entries())
      fleet.host(host).addFault({ kind: 'slow', commandMs: (index * 5100) % 20_000, times: 1, on: /--download-only/ });
    const id = await cluster.start('upgrade', { reboot: 'always', timeouts: { stageS: 3600 } });
    await clock.advanceUntil(() => fleet.host(FIRST).boots.length > 1, 2 * MINUTE);
    await cluster.untilPhase(id, FIRST, 'done');
    expect((await cluster.planned(id, others[7] as Address))?.phase).toBe('staging');
  });
});
