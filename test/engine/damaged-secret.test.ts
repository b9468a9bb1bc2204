import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { describeSimulation, EACH_TEST } from '../harness/simulation/simulate.ts';

const [HOST, OTHER] = ['127.0.0.1', '127.0.0.2'] as [Address, Address];

describeSimulation(
  'a host whose key in the store was overwritten with the key of another host',
  EACH_TEST,
  simulation => {
    test('becomes unreachable with the reason, and the other host keeps its status', async () => {
      await simulation().startServer();
      await simulation().enrolHosts([HOST, OTHER], { os: 'debian' }, {});
      for (const host of [HOST, OTHER]) await simulation().waitForStatus(host, 'disassociated');
      const { store } = simulation();
      const access = await store.reads.hostAccess.get(OTHER);
      if (!access?.sshPrivKey) throw new Error('the host has no private key');
      const copied = { ...access, sshPrivKey: access.sshPrivKey };
      await store.transaction(records => records.hostAccess.setCredentials(HOST, copied));
      await simulation().waitForStatus(HOST, 'unreachable (auth_rejected)');
      expect((await simulation().host(HOST))?.reason).toMatch(
        /^auth_rejected: the secret ssh_priv_key of 127\.0\.0\.1 in the table host_access cannot be decrypted: .*; set it again/,
      );
      expect(await simulation().describeStatus(OTHER)).toBe('disassociated');
    });
  },
);
