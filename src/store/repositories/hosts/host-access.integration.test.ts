import { beforeEach, expect, test } from 'vitest';
import { describeStore } from '../../../../test/harness/stores/stores.ts';
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

describeStore('the access data of a host', { per: 'test' }, ({ store }) => {
  beforeEach(async () => {
    await store().transaction(async records => {
      await records.hosts.insertOrLock(newHost(A, { enrolment: 'first' }));
      await records.hostAccess.insert(A, ACCESS);
    });
  });

  test.each([
    ['is returned for the current enrolment', A, 'first', ACCESS],
    ['is not returned for another enrolment at the address', A, 'second', undefined],
    ['is not returned for a missing host', B, 'first', undefined],
  ])('%s', async (_case, address, enrolment, access) => {
    expect(await store().reads.hostAccess.getForEnrolment({ address, enrolment })).toEqual(access);
  });

  test('can use the key of the service for a host that was enrolled with a token', async () => {
    const byToken: HostAccess = { ...ACCESS, sshPrivKey: null, enrolledByToken: 'a token' };
    await store().transaction(async records => {
      await records.hosts.insertOrLock(newHost(B, { enrolment: 'b' }));
      await records.hostAccess.insert(B, byToken);
    });
    expect(await store().reads.hostAccess.get(B)).toEqual(byToken);
  });
});
