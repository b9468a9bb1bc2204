// Parts of the sentences of events: what is read out of their data, and what leads to a page.

import { textOf } from '../live/event-data.ts';
import { statusWords } from '../ui/words/status-words.ts';
import type { EventWords, PageLink } from './event-sentence.ts';
import { page } from './event-sentence.ts';

/** What events and entries of the audit have in common. */
export interface Happened {
  readonly type: string;
  readonly cluster: string | null;
  readonly host: string | null;
  readonly operation: string | null;
  /** Entries of the audit have it; events have the name in their data. */
  readonly subject?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type Words = (happened: Happened) => EventWords;

/** A word of the API as people read it. */
export const wordOf = (happened: Happened, field: string) => statusWords(textOf(happened, field));
export const nameOf = (happened: Happened) => textOf(happened, 'name') || (happened.subject ?? '');

/** With what leads to it, if there is something. */
export const after = (lead: string, text: string) => (text === '' ? '' : `${lead}${text}`);
/** A reason in parentheses: reasons contain colons. */
export const inParentheses = (text: string) => (text === '' ? '' : ` (${text})`);
export const problemOf = (happened: Happened) => inParentheses(textOf(happened, 'problem'));

export const timesOf = (happened: Happened) => {
  const times = textOf(happened, 'count');
  return times === '' || times === '1' ? '' : ` (${times} times)`;
};

export const clusterOf = ({ cluster, subject }: Happened): PageLink => {
  const name = cluster ?? subject ?? '';
  return page(name, '/clusters/$name', { params: { name } });
};
export const hostPage = (address: string) => page(address, '/hosts/$address', { params: { address } });
export const hostOf = ({ host, subject }: Happened): PageLink => hostPage(host ?? subject ?? '');
export const operationOf = ({ operation, host, subject }: Happened, text: string): PageLink =>
  page(text, '/operations/$id', {
    params: { id: operation ?? subject ?? '' },
    ...(host !== null && { search: { host } }),
  });
export const listed = (to: string) => (happened: Happened) => page(nameOf(happened), to);

export const [accountOf, networkOf, managerOf, tokenOf, webhookOf] = [
  listed('/accounts'),
  listed('/networks'),
  listed('/container-managers'),
  listed('/tokens'),
  listed('/webhooks'),
];

export const settingsOf = (happened: Happened) =>
  `network ${textOf(happened, 'network')}${after(', container manager ', textOf(happened, 'container_manager'))}`;
