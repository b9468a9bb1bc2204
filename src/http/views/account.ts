import type { Static } from 'typebox';
import type { Account } from '../../contract/routes/accounts.ts';
import type { Account as AccountRecord } from '../../domain/accounts/account.ts';

export const viewAccount = ({ name, role, createdAt, changedAt }: AccountRecord): Static<typeof Account> => ({
  name,
  role,
  created_at: createdAt,
  changed_at: changedAt,
});
