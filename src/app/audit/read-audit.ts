import type { Page } from '../../domain/page.ts';
import type { OutboxFilter } from '../../store/repositories/outbox.ts';
import type { Ports } from '../ports.ts';

/** What happened, newest first. */
export const listAudit = ({ store }: Ports, filter: OutboxFilter, page: Page<number>) =>
  store.reads.outbox.list(filter, page);
