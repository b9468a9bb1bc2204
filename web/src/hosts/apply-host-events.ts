import { HOST_STATUSES } from '#vocabulary';
import { getEnum, getText, getTextList } from '../live/event-fields.ts';
import type { LoggedEvent } from '../live/recent-events.ts';
import type { HostRow, HostTable } from './host-table.ts';
import { createRow, findHost, updateRows } from './host-table.ts';
import { parseLabels } from './labels.ts';

const newHostRow = (address: string, cluster: string): HostRow =>
  createRow({
    address,
    cluster,
    status: 'investigating',
    reason: '',
    labels: {},
    isInMaintenance: false,
    hostname: '',
    os: '',
    cpus: 0,
    memory: 0,
  });

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

  /** Ignores unknown hosts. */
  update(address: string, changes: Partial<HostRow>): void {
    const row = this.get(address);
    if (row === undefined) return;
    const next = createRow({ ...row, ...changes });
    if (this.includesCluster(next.cluster)) this.changed.set(address, next);
    else this.remove(address);
  }

  remove(address: string): void {
    if (this.get(address) !== undefined) this.changed.set(address, undefined);
    this.missingDetails.delete(address);
  }

  join(address: string, cluster: string): void {
    if (this.get(address) !== undefined) this.update(address, { cluster });
    else if (this.table.cluster === cluster) this.missingDetails.add(address);
    else this.missingDetails.delete(address);
  }

  leave(address: string, cluster: string): void {
    const row = this.get(address);
    if (row?.cluster === cluster) this.update(address, { cluster: '' });
    else if (row === undefined && this.table.cluster === cluster) this.missingDetails.delete(address);
    else if (row === undefined && this.table.cluster === '') this.missingDetails.add(address);
  }
}

type EventHandler = (draft: TableDraft, event: LoggedEvent, address: string) => void;

const HANDLERS: Readonly<Partial<Record<LoggedEvent['type'], EventHandler>>> = {
  'host.created': (draft, event, address) => {
    const cluster = event.cluster ?? '';
    if (!draft.includesCluster(cluster)) return;
    // A row that was fetched after this event has more details.
    if (draft.get(address) === undefined) draft.changed.set(address, newHostRow(address, cluster));
    draft.missingDetails.add(address);
  },
  'host.removed': (draft, _event, address) => draft.remove(address),
  'host.status': (draft, event, address) => {
    const status = getEnum(event, 'to', HOST_STATUSES);
    if (status === undefined || draft.get(address) === undefined) return;
    draft.update(address, { status, reason: getText(event, 'reason') });
    // The host was inspected, so its details have changed.
    if (event.data['from'] === 'investigating') draft.missingDetails.add(address);
  },
  'host.labels_changed': (draft, { data }, address) => draft.update(address, { labels: parseLabels(data['labels']) }),
  'host.maintenance_changed': (draft, { data }, address) =>
    draft.update(address, { isInMaintenance: data['on'] === true }),
  'cluster.members': (draft, event) => {
    const { cluster } = event;
    if (cluster === null) return;
    for (const address of getTextList(event, 'left')) draft.leave(address, cluster);
    for (const address of getTextList(event, 'joined')) draft.join(address, cluster);
  },
};

export function applyHostEvents(table: HostTable, events: readonly LoggedEvent[]): HostTable {
  const draft = new TableDraft(table);
  for (const event of events) HANDLERS[event.type]?.(draft, event, event.host ?? '');
  const hasSameMissing = draft.missingDetails.symmetricDifference(table.missingDetails).size === 0;
  if (draft.changed.size === 0 && hasSameMissing) return table;
  return updateRows(table, draft.changed, hasSameMissing ? table.missingDetails : draft.missingDetails);
}
