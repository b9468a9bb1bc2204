import type { Account } from '../../domain/account.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Page } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Ports } from '../ports.ts';

export const unknownAccount = (name: RecordName) => new Refusal('not_found', `there is no account ${name}`);

export const listAccounts = ({ store }: Ports, page: Page<RecordName>) => store.reads.accounts.list(page);

export async function getAccount({ store }: Ports, name: RecordName): Promise<Account | Refusal> {
  return (await store.reads.accounts.get(name)) ?? unknownAccount(name);
}
