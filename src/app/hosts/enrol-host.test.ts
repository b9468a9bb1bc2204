import { expect, test } from 'vitest';
import { HOST_KEY } from '../../../test/harness/credentials.ts';
import { describeSimulation } from '../../../test/harness/simulation/simulate.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { createToken, removeToken } from '../accounts/enrolment-tokens.ts';
import { enrolHost } from './enrol-host.ts';

describeSimulation('enrolment with a token', { per: 'suite', kinds: ['sqlite'] }, simulation => {
  const ports = () => simulation().ports;
  const makeToken = async (name: RecordName) => {
    const created = await createToken(ports(), LOCAL_ACTOR, {
      ...{ name, cluster: null, cidr: '', uses: 2, expiresInS: 60 },
    });
    if (created instanceof AppError) throw new Error(created.detail);
    return created.record.token;
  };
  const enrol = async (token: { readonly id: string; readonly name: RecordName }, address: string) => {
    const actor = { account: 'token', role: 'enrol', address, requestId: 'r', token } as const;
    const absent = { transport: undefined, cluster: undefined, source: undefined };
    const result = await enrolHost(ports(), actor, {
      ...{ address: address as Address, hostKeys: [HOST_KEY], ...absent },
      ...{ sshPrivKey: undefined, remoteUser: undefined, sshPort: undefined },
    });
    return result instanceof AppError ? result.code : result.record.status;
  };

  test('rejects a token that was removed and created again after authentication', async () => {
    const name = toRecordName('recreated');
    const oldToken = await makeToken(name);
    await removeToken(ports(), LOCAL_ACTOR, name);
    expect(await enrol(oldToken, '127.0.0.1')).toBe('unauthorized');
    await makeToken(name);
    expect(await enrol(oldToken, '127.0.0.1')).toBe('unauthorized');
    expect(await ports().store.reads.enrolmentTokens.get(name)).toMatchObject({ used: 0 });
  });

  test('accepts a token until it expires by the clock of the store', async () => {
    const token = await makeToken(toRecordName('expiring'));
    await simulation().clock.advance(59_999);
    expect(await enrol(token, '127.0.0.2')).toBe('investigating');
    await simulation().clock.advance(1);
    expect(await enrol(token, '127.0.0.3')).toBe('token_expired');
    expect(await enrol(token, '127.0.0.2')).toBe('investigating');
  });
});
