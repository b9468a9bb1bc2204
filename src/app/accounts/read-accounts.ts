import type { Account } from '../../domain/accounts/account.ts';
import { AppError } from '../../domain/errors.ts';
import type { PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { listRecords } from '../list-records.ts';
import type { Ports } from '../ports.ts';

export const unknownAccount = (name: RecordName) =>
  new AppError('not_found', `the account ${name} does not exist`);

export const listAccounts = ({ store }: Ports, page: PageRequest<RecordName>) =>
  listRecords(
    store,
    page,
    (reads, part) => reads.accounts.list(part),
    account => account.name,
  );

export async function getAccount({ store }: Ports, name: RecordName): Promise<Account | AppError> {
  return (await store.reads.accounts.get(name)) ?? unknownAccount(name);
}
