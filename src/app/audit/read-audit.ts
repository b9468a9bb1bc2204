import type { Actor } from '../../domain/actor.ts';
import type { Page } from '../../domain/page.ts';
import { maySeeAccounts } from '../../domain/roles.ts';
import type { OutboxFilter } from '../../store/repositories/outbox.ts';
import type { Ports } from '../ports.ts';

/** What happened, newest first; what happened to accounts only for those who may manage them. */
export const listAudit = ({ store }: Ports, actor: Actor, filter: OutboxFilter, page: Page<number>) =>
  store.reads.outbox.list(
    { ...filter, withoutNoun: maySeeAccounts(actor.role) ? undefined : 'account' },
    page,
  );
