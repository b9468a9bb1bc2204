import { expect, test } from 'vitest';
import type { Role } from '../vocabulary.ts';
import { nounOf } from '../vocabulary.ts';
import { hiddenEvents } from './roles.ts';

test.each<[Role, readonly string[]]>([
  ['admin', []],
  ['operator', ['account', 'request', 'token', 'webhook']],
  ['viewer', ['account', 'request', 'token', 'webhook']],
  ['enrol', ['account', 'request', 'token', 'webhook']],
])('%s is not told what happens to: %j', (role, nouns) => {
  expect([...new Set(hiddenEvents(role).map(nounOf))]).toEqual(nouns);
});
