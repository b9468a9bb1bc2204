import type { HostStatus } from '#vocabulary';
import { HOST_STATUSES } from '#vocabulary';
import type { LoggedEvent } from '../../live/live.ts';
import type { Member } from './read-hosts.ts';

const isStatus = (word: unknown): word is HostStatus => HOST_STATUSES.some(status => status === word);
const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];

/** What an event tells of a member; `undefined`: nothing that is shown. */
function changeOf({ type, data }: LoggedEvent): Partial<Member> | undefined {
  switch (type) {
    case 'host.status':
      return isStatus(data['to'])
        ? { status: data['to'], reason: typeof data['reason'] === 'string' ? data['reason'] : '' }
        : undefined;
    case 'host.maintenance':
      return { maintenance: data['on'] === true };
    case 'host.labels':
      return { labels: labelsIn(data['labels']) };
    default:
      return undefined;
  }
}

function labelsIn(value: unknown): Record<string, string> {
  const pairs = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(pairs.filter(([, text]) => typeof text === 'string'));
}

/** Those who are members no more. */
const goneBy = ({ type, cluster, host, data }: LoggedEvent, name: string): readonly string[] => {
  if (type === 'host.removed' && host !== null) return [host];
  return type === 'cluster.members' && cluster === name ? textsIn(data['left']) : [];
};

/** The members of a cluster after events. Who has joined is not among them: their facts are to be read. */
export const foldMembers =
  (name: string) =>
  (members: readonly Member[], events: readonly LoggedEvent[]): readonly Member[] => {
    const changes = new Map<string, Partial<Member> | 'gone'>();
    for (const event of events) {
      for (const address of goneBy(event, name)) changes.set(address, 'gone');
      const change = event.host === null ? undefined : changeOf(event);
      if (event.host === null || change === undefined) continue;
      const before = changes.get(event.host);
      changes.set(event.host, before === 'gone' ? before : { ...before, ...change });
    }
    if (!members.some(({ address }) => changes.has(address))) return members;
    return members.flatMap(member => {
      const change = changes.get(member.address);
      return change === 'gone' ? [] : [change === undefined ? member : { ...member, ...change }];
    });
  };

/** Whether there is something to know of the members that no event tells: who has joined, and what a bootstrap has found out. */
export function wantsReading({ type, cluster, data }: LoggedEvent, name: string): boolean {
  if (cluster !== name) return false;
  if (type === 'cluster.members') return textsIn(data['joined']).length > 0;
  return type === 'host.created' || (type === 'host.status' && data['from'] === 'bootstrapping');
}
