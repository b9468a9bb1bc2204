// The store can commit a claim long after the connection of the server broke. No run of the server releases such a
// claim, and the lease of its owner does not expire.

import { expect, test } from 'vitest';
import { toRecordName } from '../../src/domain/record-name.ts';
import { describeSimulation } from '../harness/simulation/simulate.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';

const HOSTS = ['127.7.0.1', '127.7.0.2'];
const HOUR = 60 * MINUTE;

describeSimulation(
  'a claim that its server does not know',
  {
    per: 'test',
    prepare: async simulation => {
      await simulation.makeCluster('web');
      await simulation.startServer();
      await simulation.enrolHosts(HOSTS, {}, { cluster: toRecordName('web') });
      for (const address of HOSTS) await simulation.waitForStatus(address, 'active');
    },
  },
  (simulation, stored) => {
    const lastChecks = () =>
      Promise.all(HOSTS.map(async address => (await simulation().host(address))?.lastCheck ?? ''));

    /** Claims all hosts, as if a claim of the owner was committed now. */
    async function claimAll(owner: string): Promise<void> {
      const claimed = await simulation().store.transaction(async records => {
        const later = (await records.nowMs()) + HOUR;
        return records.claims.claimDue('check', { owner, now: later }, HOSTS.length);
      });
      expect(claimed.map(({ host }) => host).sort()).toEqual(HOSTS);
    }

    async function expectChecks(): Promise<void> {
      const before = await lastChecks();
      const areChecked = async () => (await lastChecks()).every((time, index) => time !== before[index]);
      await simulation().clock.advanceUntil(areChecked, 5 * MINUTE);
    }

    test('is released if the server is alive', async () => {
      const [, incarnation = ''] = /"incarnation": ?"([^"]+)"/.exec(await stored()) ?? [];
      await simulation().store.transaction(async records => {
        const now = await records.nowMs();
        expect(await records.servers.renew(incarnation, now, now + 2 * HOUR)).toBe(true);
      });
      await claimAll(incarnation);
      await expectChecks();
    });

    test('is released if the server no longer exists', async () => {
      await simulation().store.transaction(async records =>
        records.servers.register('gone', (await records.nowMs()) + 2 * HOUR, ''),
      );
      await claimAll('gone');
      await simulation().store.transaction(({ servers }) => servers.unregister('gone'));
      await expectChecks();
    });
  },
);
