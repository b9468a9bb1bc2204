import { HOST_STATUSES } from '#vocabulary';
import { listOf, oneOf, textOf } from '../live/event-data.ts';
import type { LoggedEvent } from '../live/recent-events.ts';
import type { Fleet, HostRow } from './fleet.ts';
import { hostOf, rowOf, withRows } from './fleet.ts';
import { labelsIn } from './labels.ts';

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

  isOfIt(cluster: string): boolean {
    return this.fleet.cluster === undefined || this.fleet.cluster === cluster;
  }

  /** Of a host that is there. */
  change(address: string, change: Partial<HostRow>): void {
    const row = this.get(address);
    if (row === undefined) return;
    const next = rowOf({ ...row, ...change });
    if (this.isOfIt(next.cluster)) this.changed.set(address, next);
    else this.remove(address);
  }

  remove(address: string): void {
    if (this.get(address) !== undefined) this.changed.set(address, undefined);
    this.unread.delete(address);
  }

  join(address: string, cluster: string): void {
    if (this.get(address) !== undefined) this.change(address, { cluster });
    else if (this.fleet.cluster === cluster) this.unread.add(address);
    else this.unread.delete(address);
  }

  leave(address: string, cluster: string): void {
    const row = this.get(address);
    if (row?.cluster === cluster) this.change(address, { cluster: '' });
    else if (row === undefined && this.fleet.cluster === cluster) this.unread.delete(address);
    else if (row === undefined && this.fleet.cluster === '') this.unread.add(address);
  }
}

type Take = (draft: Draft, event: LoggedEvent, address: string) => void;

const TAKES: Readonly<Partial<Record<LoggedEvent['type'], Take>>> = {
  'host.created': (draft, event, address) => {
    const cluster = event.cluster ?? '';
    if (!draft.isOfIt(cluster)) return;
    // One that was read later than this event has more than it tells.
    if (draft.get(address) === undefined) draft.changed.set(address, newHost(address, cluster));
    draft.unread.add(address);
  },
  'host.removed': (draft, _event, address) => draft.remove(address),
  'host.status': (draft, event, address) => {
    const status = oneOf(event, 'to', HOST_STATUSES);
    if (status === undefined || draft.get(address) === undefined) return;
    draft.change(address, { status, reason: textOf(event, 'reason') });
    // It was looked at for the first time, or anew.
    if (event.data['from'] === 'investigating') draft.unread.add(address);
  },
  'host.labels_changed': (draft, { data }, address) =>
    draft.change(address, { labels: labelsIn(data['labels']) }),
  'host.maintenance_changed': (draft, { data }, address) =>
    draft.change(address, { isInMaintenance: data['on'] === true }),
  'cluster.members': (draft, event) => {
    const { cluster } = event;
    if (cluster === null) return;
    for (const address of listOf(event, 'left')) draft.leave(address, cluster);
    for (const address of listOf(event, 'joined')) draft.join(address, cluster);
  },
};

/** What becomes of a list of hosts by events. */
export function foldFleet(fleet: Fleet, events: readonly LoggedEvent[]): Fleet {
  const draft = new Draft(fleet);
  for (const event of events) TAKES[event.type]?.(draft, event, event.host ?? '');
  const isSameUnread = draft.unread.symmetricDifference(fleet.unread).size === 0;
  if (draft.changed.size === 0 && isSameUnread) return fleet;
  return withRows(fleet, draft.changed, isSameUnread ? fleet.unread : draft.unread);
}
