import type { HostStatus } from '#vocabulary';
import { HOST_STATUSES } from '#vocabulary';
import type { LoggedEvent } from '../../live/recent-events.ts';
import type { Fleet, HostRow, Labels } from './fleet.ts';
import { hostOf, rowOf, withRows } from './fleet.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const statusOf = (value: unknown): HostStatus | undefined => HOST_STATUSES.find(word => word === value);
const addressesOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];

function labelsOf(value: unknown): Labels {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, textOf(text)]));
}

/** As it is when it was enrolled a moment ago. */
const newHost = (address: string, cluster: string): HostRow =>
  rowOf({
    ...{ address, cluster, status: 'investigating', reason: '', labels: {}, isInMaintenance: false },
    ...{ hostname: '', os: '', cpus: 0, memory: 0 },
  });

/** What is about to change. */
class Draft {
  readonly fleet: Fleet;
  readonly changed = new Map<string, HostRow | undefined>();
  readonly unread: Set<string>;

  constructor(fleet: Fleet) {
    this.fleet = fleet;
    this.unread = new Set(fleet.unread);
  }

  get(address: string): HostRow | undefined {
    return this.changed.has(address) ? this.changed.get(address) : hostOf(this.fleet, address);
  }

  /** Of a host that is there. */
  change(address: string, change: Partial<HostRow>): void {
    const row = this.get(address);
    if (row !== undefined) this.changed.set(address, rowOf({ ...row, ...change }));
  }
}

type Take = (draft: Draft, event: LoggedEvent, address: string) => void;

const TAKES: Readonly<Partial<Record<LoggedEvent['type'], Take>>> = {
  'host.created': (draft, { cluster }, address) => {
    // One that was read later than this event has more than it tells.
    if (draft.get(address) === undefined) draft.changed.set(address, newHost(address, cluster ?? ''));
    draft.unread.add(address);
  },
  'host.removed': (draft, _event, address) => {
    draft.changed.set(address, undefined);
    draft.unread.delete(address);
  },
  'host.status': (draft, { data }, address) => {
    const status = statusOf(data['to']);
    if (status === undefined) return;
    draft.change(address, { status, reason: textOf(data['reason']) });
    // It was looked at for the first time, or anew.
    if (data['from'] === 'investigating') draft.unread.add(address);
  },
  'host.labels': (draft, { data }, address) => draft.change(address, { labels: labelsOf(data['labels']) }),
  'host.maintenance': (draft, { data }, address) =>
    draft.change(address, { isInMaintenance: data['on'] === true }),
  'cluster.members': (draft, { cluster, data }) => {
    for (const address of addressesOf(data['left']))
      if (draft.get(address)?.cluster === cluster) draft.change(address, { cluster: '' });
    for (const address of addressesOf(data['joined'])) draft.change(address, { cluster: cluster ?? '' });
  },
};

/** What becomes of the list of hosts by events. */
export function foldFleet(fleet: Fleet, events: readonly LoggedEvent[]): Fleet {
  const draft = new Draft(fleet);
  for (const event of events) TAKES[event.type]?.(draft, event, event.host ?? '');
  const isSameUnread = draft.unread.symmetricDifference(fleet.unread).size === 0;
  if (draft.changed.size === 0 && isSameUnread) return fleet;
  return withRows(fleet, draft.changed, isSameUnread ? fleet.unread : draft.unread);
}
