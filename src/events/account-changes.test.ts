import { expect, test } from 'vitest';
import { logged } from '../../test/harness/events/happened.ts';
import { accountChanges } from './account-changes.ts';

test('accounts to which something has happened are told, and nothing else', () => {
  const told: string[] = [];
  accountChanges(name => told.push(name))([
    logged(1, { type: 'account.password_changed', subject: 'a' }),
    logged(2, { type: 'network.created', subject: 'b' }),
    logged(3, { type: 'account.removed', subject: 'c' }),
    logged(4, { type: 'account.changed', subject: '' }),
    logged(5, { type: 'account.login_failed', subject: 'a' }),
    logged(6, { type: 'account.changed', subject: 'd' }),
  ]);
  expect(told).toEqual(['a', 'c', 'd']);
});
