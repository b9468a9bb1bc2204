import { describe, expect, test } from 'vitest';
import type { Address } from '../addresses/address.ts';
import type { NetworkRange } from '../addresses/network-range.ts';
import { Refusal } from '../errors.ts';
import { recordNameOf } from '../record-name.ts';
import { Secret } from '../secret.ts';
import type { EnrolmentAttempt, EnrolmentToken } from './enrolment-token.ts';
import { judgeEnrolment, tokenDigest, tokenSecretText, tokenState } from './enrolment-token.ts';

const [web, other] = [recordNameOf('web'), recordNameOf('other')];
const BEFORE = '2030-01-01T11:59:59.999000';
const END = '2030-01-01T12:00:00.000000';

const TOKEN: EnrolmentToken = {
  ...{ name: recordNameOf('racks'), id: 'id', secretDigest: 'd', cluster: web },
  network: '10.0.0.0/8' as NetworkRange,
  ...{ uses: 2, used: 1, createdAt: '2030-01-01T11:00:00.000000', expiresAt: END },
};
const usedUp = { token: { ...TOKEN, used: 2 } };
const anywhere = { token: { ...TOKEN, network: null } };
const noCluster = { token: { ...TOKEN, cluster: null } };
const late = { now: END };
const abroad = { address: '192.0.2.1' as Address };
const gone = { hasCluster: false };
const mine = { known: { isByToken: true, hasHostKeys: true } };
const mineWithOtherKeys = { known: { isByToken: true, hasHostKeys: false } };
const others = { known: { isByToken: false, hasHostKeys: true } };

const judge = (given: Partial<EnrolmentAttempt>) => {
  const verdict = judgeEnrolment({
    ...{ token: TOKEN, now: BEFORE, address: '10.1.2.3' as Address, cluster: undefined },
    ...{ hasCluster: true, known: undefined },
    ...given,
  });
  return verdict instanceof Refusal ? verdict.code : verdict;
};

describe('who comes with an enrolment token', () => {
  test.each<[string, Partial<EnrolmentAttempt>, ReturnType<typeof judge>]>([
    ['in time, with a use left, from the network', {}, 'new'],
    ['naming the cluster of the token', { cluster: web }, 'new'],
    ['naming another cluster', { cluster: other }, 'token_cluster_mismatch'],
    ['naming a cluster, with a token for none', { ...noCluster, cluster: web }, 'token_cluster_mismatch'],
    ['with a token for no cluster', noCluster, 'new'],
    ['from another network', abroad, 'token_network_mismatch'],
    ['over IPv6, with a token for IPv4', { address: '::1' as Address }, 'token_network_mismatch'],
    ['from anywhere, with a token for any network', { ...anywhere, ...abroad }, 'new'],
    ['when it has expired', late, 'token_expired'],
    ['when it is used up', usedUp, 'token_exhausted'],
    ['when its cluster is gone', gone, 'token_cluster_removed'],
    ['when nothing is right', { ...usedUp, ...late, ...abroad, ...gone }, 'token_network_mismatch'],
    ['when it has expired and is used up', { ...usedUp, ...late, ...gone }, 'token_expired'],
    ['once more', mine, 'repeat'],
    ['once more, when it has expired', { ...mine, ...late }, 'repeat'],
    ['once more, when it is used up', { ...mine, ...usedUp }, 'repeat'],
    ['once more, when its cluster is gone', { ...mine, ...gone }, 'repeat'],
    ['once more, naming another cluster', { ...mine, cluster: other }, 'token_cluster_mismatch'],
    ['once more, with other host keys', mineWithOtherKeys, 'host_conflict'],
    ['once more, with other host keys and too late', { ...mineWithOtherKeys, ...late }, 'host_conflict'],
    ['known by other means', others, 'host_conflict'],
    ['known by other means, when it is used up', { ...others, ...usedUp }, 'token_exhausted'],
  ])('%s: %s', (_what, given, verdict) => {
    expect(judge(given)).toBe(verdict);
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
  const text = tokenSecretText(Buffer.alloc(32, 0xfb));

  test('is found by its digest, which does not tell it', () => {
    const digest = tokenDigest(new Secret(text));
    expect([text.length, digest]).toEqual([47, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(tokenDigest(new Secret(tokenSecretText(Buffer.alloc(32, 1))))).not.toBe(digest);
  });

  test.each([text.slice(0, -1), `${text}x`, text.slice(4), `${text}\n`, 'password'])(
    'is nothing else, such as %j',
    other => {
      expect(tokenDigest(new Secret(other))).toBeUndefined();
    },
  );
});
