import { beforeEach, expect, test } from 'vitest';
import { onEachStoreAlone } from '../../../../test/harness/stores/on-each-store-alone.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import type { HostAccess } from '../../../domain/hosts/host.ts';
import { newHost } from '../../../domain/hosts/host.ts';
import type { Sealed } from '../../../domain/secret.ts';

const [A, B] = ['127.0.0.1', '127.0.0.2'] as [Address, Address];
const ACCESS: HostAccess = {
  remoteUser: 'root',
  sshPort: 22,
  sshPrivKey: 'sealed' as Sealed,
  hostKeys: ['ssh-ed25519 AAAA'],
  transport: '',
  pendingHostKey: null,
  enrolledByToken: null,
};

onEachStoreAlone('how to get into a host', { per: 'test' }, ({ store }) => {
  beforeEach(async () => {
    await store().transaction(async records => {
      await records.hosts.insertOrLock(newHost(A, { enrolment: 'first' }));
      await records.hostAccess.insert(A, ACCESS);
    });
  });

  test.each([
    ['is told of the host that is meant', A, 'first', ACCESS],
    ['is not told of another that is at its address by now', A, 'second', undefined],
    ['is not told of one that is not there', B, 'first', undefined],
  ])('%s', async (_what, address, enrolment, access) => {
    expect(await store().reads.hostAccess.getForEnrolment({ address, enrolment })).toEqual(access);
  });

  test('may be by the key of the service, for a host that a token let in', async () => {
    const byToken: HostAccess = { ...ACCESS, sshPrivKey: null, enrolledByToken: 'a token' };
    await store().transaction(async records => {
      await records.hosts.insertOrLock(newHost(B, { enrolment: 'b' }));
      await records.hostAccess.insert(B, byToken);
    });
    expect(await store().reads.hostAccess.get(B)).toEqual(byToken);
  });
});
