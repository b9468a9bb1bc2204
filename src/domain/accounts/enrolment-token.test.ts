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

const check = (overrides: Partial<TokenEnrolmentInput>) => {
  const result = checkTokenEnrolment({
    ...{ token: TOKEN, now: BEFORE, address: '10.1.2.3' as Address, cluster: undefined },
    ...{ clusterExists: true, existingHost: undefined },
    ...overrides,
  });
  return result instanceof AppError ? result.code : result;
};

describe('checkTokenEnrolment', () => {
  test.each<[string, Partial<TokenEnrolmentInput>, ReturnType<typeof check>]>([
    ['valid token from its network', {}, 'new'],
    ['request names the cluster of the token', { cluster: web }, 'new'],
    ['request names another cluster', { cluster: other }, 'token_cluster_mismatch'],
    ['request names a cluster, token has none', { ...noCluster, cluster: web }, 'token_cluster_mismatch'],
    ['token without a cluster', noCluster, 'new'],
    ['host in another network', otherNetwork, 'token_network_mismatch'],
    ['IPv6 host with an IPv4 token', { address: '::1' as Address }, 'token_network_mismatch'],
    ['token for any network', { ...anywhere, ...otherNetwork }, 'new'],
    ['expired token', expired, 'token_expired'],
    ['exhausted token', exhausted, 'token_exhausted'],
    ['cluster was removed', clusterDeleted, 'token_cluster_removed'],
    ['everything wrong', { ...exhausted, ...expired, ...otherNetwork, ...clusterDeleted }, 'token_network_mismatch'],
    ['expired and exhausted token', { ...exhausted, ...expired, ...clusterDeleted }, 'token_expired'],
    ['repeated request', sameHost, 'repeat'],
    ['repeated request with an expired token', { ...sameHost, ...expired }, 'repeat'],
    ['repeated request with an exhausted token', { ...sameHost, ...exhausted }, 'repeat'],
    ['repeated request after the cluster was removed', { ...sameHost, ...clusterDeleted }, 'repeat'],
    ['repeated request names another cluster', { ...sameHost, cluster: other }, 'token_cluster_mismatch'],
    ['repeated request with other host keys', sameHostOtherKeys, 'host_conflict'],
    [
      'repeated request with other host keys and an expired token',
      { ...sameHostOtherKeys, ...expired },
      'host_conflict',
    ],
    ['host enrolled without the token', otherHost, 'host_conflict'],
    ['host enrolled without the token, exhausted token', { ...otherHost, ...exhausted }, 'token_exhausted'],
  ])('returns $2 (%s)', (_what, overrides, result) => {
    expect(check(overrides)).toBe(result);
  });
});

test.each([
  [BEFORE, 1, 'active'],
  [BEFORE, 2, 'exhausted'],
  [END, 1, 'expired'],
  [END, 2, 'expired'],
])('a token at %s with %d of 2 uses is %s', (now, used, state) => {
  expect(tokenState({ ...TOKEN, used }, now)).toBe(state);
});

describe('token secret', () => {
  const text = formatTokenSecret(Buffer.alloc(32, 0xfb));

  test('has a SHA-256 digest that identifies it', () => {
    const digest = tokenDigest(new Secret(text));
    expect([text.length, digest]).toEqual([47, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(tokenDigest(new Secret(formatTokenSecret(Buffer.alloc(32, 1))))).not.toBe(digest);
  });

  test.each([text.slice(0, -1), `${text}x`, text.slice(4), `${text}\n`, 'password'])(
    'has no digest if malformed, such as %j',
    other => {
      expect(tokenDigest(new Secret(other))).toBeUndefined();
    },
  );
});
