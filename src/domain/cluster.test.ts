import { describe, expect, test } from 'vitest';
import type { MemberCounts } from './cluster.ts';
import { clusterHealth } from './cluster.ts';
import { HOST_STATUSES } from './vocabulary.ts';

/** Expected cluster status when all members have the same host status. */
const ALONE = {
  investigating: 'degraded',
  bootstrapping: 'degraded',
  active: 'ok',
  disassociated: 'failed',
  failed: 'failed',
  unreachable: 'failed',
} as const;

describe('clusterHealth', () => {
  test('is ok without members', () => {
    expect(clusterHealth({})).toEqual({ status: 'ok', total: 0, available: 0, unavailable: 0 });
  });

  test('is ok when all counts are zero', () => {
    expect(clusterHealth({ active: 0, failed: 0 }).status).toBe('ok');
  });

  test.each(HOST_STATUSES.map(status => [status, ALONE[status]] as const))(
    'a cluster with only %s members is %s',
    (status, expected) => {
      expect(clusterHealth({ [status]: 2 }).status).toBe(expected);
    },
  );

  const others = HOST_STATUSES.filter(status => status !== 'active');
  test.each(others)('is degraded with one active and one %s member', status => {
    expect(clusterHealth({ active: 1, [status]: 1 }).status).toBe('degraded');
  });

  test.each<[string, MemberCounts]>([
    ['investigating', { investigating: 1, failed: 3 }],
    ['bootstrapping', { bootstrapping: 1, unreachable: 1, disassociated: 1 }],
  ])('is degraded, not failed, while one member is %s', (_status, members) => {
    expect(clusterHealth(members).status).toBe('degraded');
  });

  test('is failed when every member is unavailable for a different reason', () => {
    expect(clusterHealth({ failed: 1, unreachable: 1, disassociated: 1 }).status).toBe('failed');
  });

  test('counts members in maintenance as unavailable', () => {
    expect(clusterHealth({ active: 2, in_maintenance: 1 })).toEqual({
      status: 'degraded',
      total: 3,
      available: 2,
      unavailable: 1,
    });
    expect(clusterHealth({ in_maintenance: 1 }).status).toBe('failed');
    expect(clusterHealth({ in_maintenance: 1, bootstrapping: 1 }).status).toBe('degraded');
  });

  test('counts only active members as available', () => {
    const members = { active: 3, disassociated: 1, bootstrapping: 2, unreachable: 4 };
    expect(clusterHealth(members)).toEqual({ status: 'degraded', total: 10, available: 3, unavailable: 7 });
  });
});
