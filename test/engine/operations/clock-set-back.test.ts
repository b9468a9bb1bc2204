import { expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import { addresses, createSimulatedCluster } from './simulated-cluster.ts';

const HOUR_MS = 3_600_000;
const [A, B] = ['127.0.0.1', '127.0.0.2'] as [Address, Address];

// With a long interval, only the operation checks the other members.
const options = { ...EACH_TEST, settings: { checkIntervalMs: 300_000 } };

describeSimulation('an operation', options, simulation => {
  test.each(['127.0.0.3', '127.0.0.6'] as Address[])(
    'checks members again after the clock of the store was set back: %s is down, so no other host reboots',
    async victim => {
      const { fleet, clock } = simulation();
      await simulation().startServer();
      const cluster = await createSimulatedCluster(simulation(), addresses(6), { hasManager: false });
      await clock.advance(30_000);
      const id = await cluster.start('restart', { minHealthyS: 40 });
      await cluster.untilPhase(id, A, 'verifying');
      clock.setWallClockBack(HOUR_MS);
      await clock.advance(6000);
      fleet.host(victim).powerOff();
      await clock.advance(120_000);
      expect(fleet.host(B).boots).toHaveLength(1);
      expect((await cluster.operation(id))?.problem).toContain(victim);
    },
  );
});
