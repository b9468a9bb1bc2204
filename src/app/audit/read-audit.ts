import type { Actor } from '../../domain/accounts/actor.ts';
import { hiddenEvents } from '../../domain/accounts/roles.ts';
import type { Page } from '../../domain/page.ts';
import type { LogQuery } from '../../store/repositories/events/log.ts';
import type { Ports } from '../ports.ts';

/** What happened, newest first, up to this moment; what is about accounts only for those who may manage them. */
export async function listAudit(
  { store, settleLog }: Ports,
  actor: Actor,
  wanted: LogQuery,
  page: Page<number>,
) {
  await settleLog();
  return store.reads.log.list({ ...wanted, without: hiddenEvents(actor.role) }, page);
}
