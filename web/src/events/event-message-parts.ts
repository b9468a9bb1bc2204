import type { Event, EventField } from '#contract/event-payloads.ts';
import type { Hostnames } from '#sdk/hostnames.ts';
import { getText } from '../live/event-fields.ts';
import { statusText } from '../ui/format/text.ts';

/** Part of a message that links to a page. */
export interface TextLink {
  readonly text: string;
  /** Offset in the message. */
  readonly start: number;
  /** Route path of the router. `$name` is replaced by `params.name`, which the router encodes. */
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string>>;
  /** The address of a host whose name is the text. */
  readonly title?: string;
}

export interface LinkedText {
  readonly text: string;
  /** Sorted by their position in the text. */
  readonly links: readonly TextLink[];
}

export type LinkTarget = Omit<TextLink, 'start'>;

export const linkTo = (text: string, to: string, options: Pick<LinkTarget, 'params' | 'search'> = {}): LinkTarget => ({
  ...{ text, to },
  ...options,
});

/** Template tag that joins text and links into one message. An undefined value adds nothing. */
export function linkedText(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | LinkTarget | LinkedText | undefined)[]
): LinkedText {
  let text = strings[0] ?? '';
  const links: TextLink[] = [];
  for (const [index, value] of values.entries()) {
    if (typeof value === 'object' && 'links' in value) {
      for (const link of value.links) links.push({ ...link, start: link.start + text.length });
      text += value.text;
    } else if (typeof value === 'object') {
      links.push({ ...value, start: text.length });
      text += value.text;
    } else text += value ?? '';
    text += strings[index + 1] ?? '';
  }
  return { text, links };
}

export function splitLinks({ text, links }: LinkedText): readonly (string | TextLink)[] {
  const parts: (string | TextLink)[] = [];
  let from = 0;
  for (const link of links) {
    if (link.start > from) parts.push(text.slice(from, link.start));
    parts.push(link);
    from = link.start + link.text.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

const HOST_PATH = '/hosts/$address';

/** Replaces the addresses of links to hosts by hostnames. */
export function withHostnames(message: LinkedText, hostnames: Hostnames): LinkedText {
  let text = '';
  const links: TextLink[] = [];
  for (const part of splitLinks(message)) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const hostname = part.to === HOST_PATH ? hostnames.get(part.text) : undefined;
    const named = hostname === undefined ? {} : { text: hostname, title: part.text };
    links.push({ ...part, ...named, start: text.length });
    text += hostname ?? part.text;
  }
  return { text, links };
}

/** Common fields of events and audit log entries. */
export interface EventLike extends Pick<Event, 'cluster' | 'host' | 'operation' | 'data'> {
  readonly type: string;
  /** Only audit log entries have a subject. Events have the name in their data. */
  readonly subject?: string;
}

export type EventFormatter = (event: EventLike) => LinkedText;

export const getStatusText = (event: EventLike, field: EventField) => statusText(getText(event, field));
export const getName = (event: EventLike) => getText(event, 'name') || (event.subject ?? '');

/** Returns an empty string for an empty text. */
export const withPrefix = (prefix: string, text: string) => (text === '' ? '' : `${prefix}${text}`);
/** Uses parentheses because reasons contain colons. */
export const inParentheses = (text: string) => (text === '' ? '' : ` (${text})`);
export const formatProblem = (event: EventLike) => inParentheses(getText(event, 'problem'));

export const formatTimes = (event: EventLike) => {
  const times = getText(event, 'count');
  return times === '' || times === '1' ? '' : ` (${times} times)`;
};

export const clusterLink = ({ cluster, subject }: EventLike): LinkTarget => {
  const name = cluster ?? subject ?? '';
  return linkTo(name, '/clusters/$name', { params: { name } });
};
export const hostLinkTo = (address: string) => linkTo(address, HOST_PATH, { params: { address } });
export const hostLink = ({ host, subject }: EventLike): LinkTarget => hostLinkTo(host ?? subject ?? '');
export const operationLink = ({ operation, host, subject }: EventLike, text: string): LinkTarget =>
  linkTo(text, '/operations/$id', {
    params: { id: operation ?? subject ?? '' },
    ...(host !== null && { search: { host } }),
  });
const createListLink = (to: string) => (event: EventLike) => linkTo(getName(event), to);

export const [accountLink, networkLink, containerManagerLink, tokenLink, webhookLink] = [
  createListLink('/accounts'),
  createListLink('/networks'),
  createListLink('/container-managers'),
  createListLink('/tokens'),
  createListLink('/webhooks'),
];

export const formatSettings = (event: EventLike) =>
  `network ${getText(event, 'network')}${withPrefix(', container manager ', getText(event, 'container_manager'))}`;
