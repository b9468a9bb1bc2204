import type { Actor } from '../../domain/accounts/account.ts';
import { hiddenEventTypes } from '../../domain/accounts/account.ts';
import type { PageRequest } from '../../domain/page.ts';
import type { LogQuery } from '../../store/repositories/events/log.ts';
import type { Ports } from '../ports.ts';

/** What happened, newest first, up to this moment; what is about accounts only for those who may manage them. */
export async function listAudit(
  { store, settleLog }: Ports,
  actor: Actor,
  wanted: LogQuery,
  page: PageRequest<number>,
) {
  await settleLog();
  return store.reads.log.list({ ...wanted, without: hiddenEventTypes(actor.role) }, page);
}
