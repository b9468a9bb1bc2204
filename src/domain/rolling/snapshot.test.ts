import { describe, expect, test } from 'vitest';
import type { MemberState } from './snapshot.ts';
import { isDown, isUntouchable } from './snapshot.ts';

describe('a member of a cluster', () => {
  test.each<[MemberState['status'], string, string]>([
    ['investigating', 'down untouchable', 'down untouchable'],
    ['bootstrapping', 'down untouchable', 'down untouchable'],
    ['active', '', ''],
    ['disassociated', '', 'untouchable'],
    ['failed', 'down', 'down untouchable'],
    ['unreachable', 'down', 'down untouchable'],
  ])('that is %s is "%s", and "%s" while it is still to be bootstrapped', (status, bare, awaiting) => {
    const words = (state: Omit<MemberState, 'status'>) =>
      [
        ...(isDown({ status, ...state }) ? ['down'] : []),
        ...(isUntouchable({ status, ...state }) ? ['untouchable'] : []),
      ].join(' ');
    expect(words({ isInMaintenance: false, awaitsBootstrap: false })).toBe(bare);
    expect(words({ isInMaintenance: false, awaitsBootstrap: true })).toBe(awaiting);
    for (const awaitsBootstrap of [true, false])
      expect(words({ isInMaintenance: true, awaitsBootstrap })).toBe('down untouchable');
  });
});
