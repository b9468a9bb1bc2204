import { HOST_STATUSES } from '#vocabulary';
import { getEnum, getText, getTextList } from '../live/event-fields.ts';
import type { LoggedEvent } from '../live/recent-events.ts';
import type { HostRow, HostTable } from './host-table.ts';
import { createRow, findHost, updateRows } from './host-table.ts';
import { parseLabels } from './labels.ts';

/** As it is when it was enrolled a moment ago. */
const newHostRow = (address: string, cluster: string): HostRow =>
  createRow({
    ...{ address, cluster, status: 'investigating', reason: '', labels: {}, isInMaintenance: false },
    ...{ hostname: '', os: '', cpus: 0, memory: 0 },
  });

/** What is about to change. */
class TableDraft {
  readonly table: HostTable;
  readonly changed = new Map<string, HostRow | undefined>();
  readonly missingDetails: Set<string>;

  constructor(table: HostTable) {
    this.table = table;
    this.missingDetails = new Set(table.missingDetails);
  }

  get(address: string): HostRow | undefined {
    return this.changed.has(address) ? this.changed.get(address) : findHost(this.table, address);
  }

  includesCluster(cluster: string): boolean {
    return this.table.cluster === undefined || this.table.cluster === cluster;
  }

  /** Of a host that is there. */
  change(address: string, change: Partial<HostRow>): void {
    const row = this.get(address);
    if (row === undefined) return;
    const next = createRow({ ...row, ...change });
    if (this.includesCluster(next.cluster)) this.changed.set(address, next);
    else this.remove(address);
  }

  remove(address: string): void {
    if (this.get(address) !== undefined) this.changed.set(address, undefined);
    this.missingDetails.delete(address);
  }

  join(address: string, cluster: string): void {
    if (this.get(address) !== undefined) this.change(address, { cluster });
    else if (this.table.cluster === cluster) this.missingDetails.add(address);
    else this.missingDetails.delete(address);
  }

  leave(address: string, cluster: string): void {
    const row = this.get(address);
    if (row?.cluster === cluster) this.change(address, { cluster: '' });
    else if (row === undefined && this.table.cluster === cluster) this.missingDetails.delete(address);
    else if (row === undefined && this.table.cluster === '') this.missingDetails.add(address);
  }
}

type EventHandler = (draft: TableDraft, event: LoggedEvent, address: string) => void;

const HANDLERS: Readonly<Partial<Record<LoggedEvent['type'], EventHandler>>> = {
  'host.created': (draft, event, address) => {
    const cluster = event.cluster ?? '';
    if (!draft.includesCluster(cluster)) return;
    // One that was read later than this event has more than it tells.
    if (draft.get(address) === undefined) draft.changed.set(address, newHostRow(address, cluster));
    draft.missingDetails.add(address);
  },
  'host.removed': (draft, _event, address) => draft.remove(address),
  'host.status': (draft, event, address) => {
    const status = getEnum(event, 'to', HOST_STATUSES);
    if (status === undefined || draft.get(address) === undefined) return;
    draft.change(address, { status, reason: getText(event, 'reason') });
    // It was looked at for the first time, or anew.
    if (event.data['from'] === 'investigating') draft.missingDetails.add(address);
  },
  'host.labels_changed': (draft, { data }, address) =>
    draft.change(address, { labels: parseLabels(data['labels']) }),
  'host.maintenance_changed': (draft, { data }, address) =>
    draft.change(address, { isInMaintenance: data['on'] === true }),
  'cluster.members': (draft, event) => {
    const { cluster } = event;
    if (cluster === null) return;
    for (const address of getTextList(event, 'left')) draft.leave(address, cluster);
    for (const address of getTextList(event, 'joined')) draft.join(address, cluster);
  },
};

/** What becomes of a list of hosts by events. */
export function applyHostEvents(table: HostTable, events: readonly LoggedEvent[]): HostTable {
  const draft = new TableDraft(table);
  for (const event of events) HANDLERS[event.type]?.(draft, event, event.host ?? '');
  const hasSameMissing = draft.missingDetails.symmetricDifference(table.missingDetails).size === 0;
  if (draft.changed.size === 0 && hasSameMissing) return table;
  return updateRows(table, draft.changed, hasSameMissing ? table.missingDetails : draft.missingDetails);
}
