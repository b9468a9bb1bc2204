import { describe, expect, test } from 'vitest';
import type { MemberState } from './outage.ts';
import { isDown, isIneligible, isUnresponsive } from './snapshot.ts';

const RESPONSIVE = { respondedAtMs: 1, failingSinceMs: null, failedAtMs: 0, contactFailures: 0 };
const UNRESPONSIVE = { ...RESPONSIVE, failingSinceMs: 2 };

describe('cluster member', () => {
  test.each<[MemberState['status'], string, string]>([
    ['investigating', 'down untouchable', 'down untouchable'],
    ['bootstrapping', 'down untouchable', 'down untouchable'],
    ['active', '', ''],
    ['disassociated', '', 'untouchable'],
    ['failed', 'down', 'down untouchable'],
    ['unreachable', 'down', 'down untouchable'],
  ])('a member that is %s is "%s", and "%s" while its bootstrap is pending', (status, bare, awaiting) => {
    const words = (state: Omit<MemberState, 'status' | 'contact'>) => {
      const member = { status, contact: RESPONSIVE, ...state };
      return [...(isDown(member) ? ['down'] : []), ...(isIneligible(member) ? ['untouchable'] : [])].join(' ');
    };
    expect(words({ isInMaintenance: false, awaitsBootstrap: false })).toBe(bare);
    expect(words({ isInMaintenance: false, awaitsBootstrap: true })).toBe(awaiting);
    for (const awaitsBootstrap of [true, false])
      expect(words({ isInMaintenance: true, awaitsBootstrap })).toBe('down untouchable');
  });

  test.each(['active', 'disassociated'] as const)(
    'a member that is %s is unresponsive after its last contact failed',
    status => {
      const member = { status, isInMaintenance: false, awaitsBootstrap: false };
      expect(isUnresponsive({ ...member, contact: UNRESPONSIVE })).toBe(true);
      expect(isUnresponsive({ ...member, contact: RESPONSIVE })).toBe(false);
    },
  );
});
