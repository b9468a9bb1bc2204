// A key in the store that somebody has changed past the service: what the status of its host says.

import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { EACH_TEST, simulateOnEachStore } from '../harness/simulation/on-each-store.ts';

const [HOST, OTHER] = ['127.0.0.1', '127.0.0.2'] as [Address, Address];

simulateOnEachStore(
  'a host whose key was replaced in the store by the key of another host',
  EACH_TEST,
  simulation => {
    test('fails with the reason, and the other host is checked as before', async () => {
      await simulation().startServer();
      await simulation().enrolMachines([HOST, OTHER], { os: 'debian' }, {});
      for (const host of [HOST, OTHER]) await simulation().until(host, 'disassociated');
      const { store } = simulation();
      const access = await store.reads.hostAccess.get(OTHER);
      if (!access?.sshPrivKey) throw new Error('the host has no key of its own');
      const copied = { ...access, sshPrivKey: access.sshPrivKey };
      await store.transaction(records => records.hostAccess.setCredentials(HOST, copied));
      await simulation().until(HOST, 'unreachable (auth_rejected)');
      expect((await simulation().host(HOST))?.reason).toMatch(
        /^auth_rejected: the secret ssh_priv_key of 127\.0\.0\.1 in the table host_access cannot be decrypted: .*; set it again/,
      );
      expect(await simulation().statusOf(OTHER)).toBe('disassociated');
    });
  },
);
