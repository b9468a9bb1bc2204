import { expect, test } from 'vitest';
import type { Role } from '../vocabulary.ts';
import { eventResource } from '../vocabulary.ts';
import { hiddenEventTypes } from './account.ts';

test.each<[Role, readonly string[]]>([
  ['admin', []],
  ['operator', ['account', 'request', 'token', 'webhook']],
  ['viewer', ['account', 'request', 'token', 'webhook']],
  ['enrol', ['account', 'request', 'token', 'webhook']],
])('hiddenEventTypes hides from the role %s the events of %j', (role, resources) => {
  expect([...new Set(hiddenEventTypes(role).map(eventResource))]).toEqual(resources);
});
