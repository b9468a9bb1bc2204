import { expect, test } from 'vitest';
import type { HostState, OperationVerb } from '#vocabulary';
import { OPERATION_VERBS } from '#vocabulary';
import { hostVerbs } from './host-verbs.ts';

test.each<[HostState, readonly OperationVerb[], readonly OperationVerb[]]>([
  ['failed', OPERATION_VERBS, ['retry', 'skip']],
  ['failed', ['retry', 'cancel'], ['retry']],
  ['failed', [], []],
  ['pending', OPERATION_VERBS, ['skip']],
  ['rebooting', OPERATION_VERBS, ['skip']],
  ['unreachable', OPERATION_VERBS, ['skip']],
  ['done', OPERATION_VERBS, []],
  ['skipped', OPERATION_VERBS, []],
])('of a host that is %s, where one can %j: %j', (state, can, verbs) => {
  expect(hostVerbs(state, can).toSorted()).toEqual(verbs);
});
