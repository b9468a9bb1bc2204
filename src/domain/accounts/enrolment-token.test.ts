import { describe, expect, test } from 'vitest';
import type { Address } from '../addresses/address.ts';
import type { Cidr } from '../addresses/cidr.ts';
import { AppError } from '../errors.ts';
import { toRecordName } from '../record-name.ts';
import { Secret } from '../secret.ts';
import type { EnrolmentToken, TokenEnrolmentInput } from './enrolment-token.ts';
import { checkTokenEnrolment, formatTokenSecret, tokenDigest, tokenState } from './enrolment-token.ts';

const [web, other] = [toRecordName('web'), toRecordName('other')];
const BEFORE = '2030-01-01T11:59:59.999000';
const END = '2030-01-01T12:00:00.000000';

const TOKEN: EnrolmentToken = {
  ...{ name: toRecordName('racks'), id: 'id', secretDigest: 'd', cluster: web },
  network: '10.0.0.0/8' as Cidr,
  ...{ uses: 2, used: 1, createdAt: '2030-01-01T11:00:00.000000', expiresAt: END },
};
const exhausted = { token: { ...TOKEN, used: 2 } };
const anywhere = { token: { ...TOKEN, network: null } };
const noCluster = { token: { ...TOKEN, cluster: null } };
const expired = { now: END };
const otherNetwork = { address: '192.0.2.1' as Address };
const clusterDeleted = { clusterExists: false };
const sameHost = { existingHost: { isEnrolledByToken: true, hasSameHostKeys: true } };
const sameHostOtherKeys = { existingHost: { isEnrolledByToken: true, hasSameHostKeys: false } };
const otherHost = { existingHost: { isEnrolledByToken: false, hasSameHostKeys: true } };

const check = (given: Partial<TokenEnrolmentInput>) => {
  const result = checkTokenEnrolment({
    ...{ token: TOKEN, now: BEFORE, address: '10.1.2.3' as Address, cluster: undefined },
    ...{ clusterExists: true, existingHost: undefined },
    ...given,
  });
  return result instanceof AppError ? result.code : result;
};

describe('who comes with an enrolment token', () => {
  test.each<[string, Partial<TokenEnrolmentInput>, ReturnType<typeof check>]>([
    ['in time, with a use left, from the network', {}, 'new'],
    ['naming the cluster of the token', { cluster: web }, 'new'],
    ['naming another cluster', { cluster: other }, 'token_cluster_mismatch'],
    ['naming a cluster, with a token for none', { ...noCluster, cluster: web }, 'token_cluster_mismatch'],
    ['with a token for no cluster', noCluster, 'new'],
    ['from another network', otherNetwork, 'token_network_mismatch'],
    ['over IPv6, with a token for IPv4', { address: '::1' as Address }, 'token_network_mismatch'],
    ['from anywhere, with a token for any network', { ...anywhere, ...otherNetwork }, 'new'],
    ['when it has expired', expired, 'token_expired'],
    ['when it is used up', exhausted, 'token_exhausted'],
    ['when its cluster is gone', clusterDeleted, 'token_cluster_removed'],
    [
      'when nothing is right',
      { ...exhausted, ...expired, ...otherNetwork, ...clusterDeleted },
      'token_network_mismatch',
    ],
    ['when it has expired and is used up', { ...exhausted, ...expired, ...clusterDeleted }, 'token_expired'],
    ['once more', sameHost, 'repeat'],
    ['once more, when it has expired', { ...sameHost, ...expired }, 'repeat'],
    ['once more, when it is used up', { ...sameHost, ...exhausted }, 'repeat'],
    ['once more, when its cluster is gone', { ...sameHost, ...clusterDeleted }, 'repeat'],
    ['once more, naming another cluster', { ...sameHost, cluster: other }, 'token_cluster_mismatch'],
    ['once more, with other host keys', sameHostOtherKeys, 'host_conflict'],
    ['once more, with other host keys and too late', { ...sameHostOtherKeys, ...expired }, 'host_conflict'],
    ['known by other means', otherHost, 'host_conflict'],
    ['known by other means, when it is used up', { ...otherHost, ...exhausted }, 'token_exhausted'],
  ])('%s: %s', (_what, given, result) => {
    expect(check(given)).toBe(result);
  });
});

test.each([
  [BEFORE, 1, 'active'],
  [BEFORE, 2, 'exhausted'],
  [END, 1, 'expired'],
  [END, 2, 'expired'],
])('at %s with %d of 2 uses it is %s', (now, used, state) => {
  expect(tokenState({ ...TOKEN, used }, now)).toBe(state);
});

describe('the secret of a token', () => {
  const text = formatTokenSecret(Buffer.alloc(32, 0xfb));

  test('is found by its digest, which does not tell it', () => {
    const digest = tokenDigest(new Secret(text));
    expect([text.length, digest]).toEqual([47, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(tokenDigest(new Secret(formatTokenSecret(Buffer.alloc(32, 1))))).not.toBe(digest);
  });

  test.each([text.slice(0, -1), `${text}x`, text.slice(4), `${text}\n`, 'password'])(
    'is nothing else, such as %j',
    other => {
      expect(tokenDigest(new Secret(other))).toBeUndefined();
    },
  );
});
