import { memo, useMemo, useState } from 'react';
import { usePermissions } from '../../auth/session.tsx';
import { useSelection } from '../../hosts/host-selection.tsx';
import type { HostRow, HostTable } from '../../hosts/host-table.ts';
import { findHost } from '../../hosts/host-table.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatNumber } from '../../ui/format/text.ts';
import { EmptyState } from '../../ui/page.tsx';
import { VirtualTable } from '../../ui/tables/virtual-table.tsx';
import type { BulkAction } from './bulk-actions.tsx';
import { BULK_ACTIONS } from './bulk-actions.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import type { FilteredHosts } from './filter-hosts.ts';
import { useHostColumns } from './host-columns.tsx';
import styles from './hosts-table.module.css';
import type { SortOrder } from './search.ts';

interface BulkBarProps {
  readonly table: HostTable;
  readonly selected: readonly string[];
  /** Shown while no host is selected. */
  readonly text: string;
  readonly onClear: () => void;
}

function BulkBar({ table, selected, text, onClear }: BulkBarProps) {
  const { can } = usePermissions();
  // The hosts that were selected when the dialog opened.
  const [dialog, setDialog] = useState<{ readonly action: BulkAction; readonly addresses: readonly string[] }>();
  const hasSelection = selected.length > 0;
  return (
    <div className={`${styles.bar} ${hasSelection ? styles.hasSelection : ''}`}>
      <p className={styles.text} role="status">
        {hasSelection ? `${formatCount(selected.length, 'host')} selected` : text}
      </p>
      {hasSelection && (
        <>
          {BULK_ACTIONS.filter(({ requires }) => can(requires)).map(action => (
            <Button
              key={action.label}
              size="small"
              variant={action.isDestructive ? 'danger' : 'plain'}
              onClick={() => setDialog({ action, addresses: selected })}
            >
              {action.label}
            </Button>
          ))}
          <Button size="small" variant="quiet" onClick={onClear}>
            Clear selection
          </Button>
        </>
      )}
      {dialog && (
        <BulkDialog
          {...dialog}
          getCluster={address => findHost(table, address)?.cluster ?? ''}
          onClose={() => setDialog(undefined)}
        />
      )}
    </div>
  );
}

interface HostsTableProps {
  readonly table: HostTable;
  readonly filtered: FilteredHosts;
  readonly sort: SortOrder;
}

const rowKey = ({ address }: HostRow) => address;

export const HostsTable = memo(function HostsTable({ table, filtered: { rows }, sort }: HostsTableProps) {
  const { can } = usePermissions();
  const { selected, controls, select } = useSelection(rows);
  const columns = useHostColumns(sort, can('putHostMaintenance') ? controls : undefined);
  // Drops hosts that were removed in the meantime.
  const present = useMemo(
    () => [...selected].filter(address => table.indexByAddress.has(address)),
    [selected, table.indexByAddress],
  );
  const text =
    rows.length === table.rows.length
      ? formatCount(rows.length, 'host')
      : `${formatNumber(rows.length)} of ${formatCount(table.rows.length, 'host')}`;

  return (
    <div className={styles.panel}>
      <BulkBar table={table} selected={present} text={text} onClear={() => select([])} />
      {rows.length === 0 ? (
        <EmptyState title="No hosts match">
          <p>Change the search or clear the filters.</p>
        </EmptyState>
      ) : (
        <VirtualTable label="Hosts" columns={columns} rows={rows} rowKey={rowKey} />
      )}
    </div>
  );
});
