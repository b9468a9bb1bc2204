import { expect, test } from 'vitest';
import type { HostState, OperationAction } from '#vocabulary';
import { OPERATION_ACTIONS } from '#vocabulary';
import { hostVerbs } from './host-verbs.ts';

test.each<[HostState, readonly OperationAction[], readonly OperationAction[]]>([
  ['failed', OPERATION_ACTIONS, ['retry', 'skip']],
  ['failed', ['retry', 'cancel'], ['retry']],
  ['failed', [], []],
  ['pending', OPERATION_ACTIONS, ['skip']],
  ['rebooting', OPERATION_ACTIONS, ['skip']],
  ['unreachable', OPERATION_ACTIONS, ['skip']],
  ['done', OPERATION_ACTIONS, []],
  ['skipped', OPERATION_ACTIONS, []],
])('of a host that is %s, where one can %j: %j', (state, can, verbs) => {
  expect(hostVerbs(state, can).toSorted()).toEqual(verbs);
});
