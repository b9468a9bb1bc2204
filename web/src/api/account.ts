import type { Static } from 'typebox';
import type { Account as AccountShape } from '#contract/routes/accounts.ts';

/** An account, one's own or another's. */
export type Account = Static<typeof AccountShape>;
