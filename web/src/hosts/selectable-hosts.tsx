import type { ReactNode } from 'react';
import { memo, useEffect, useMemo, useState } from 'react';
import { usePermissions } from '../auth/session.tsx';
import { StartOperationDialog } from '../operations/start/start-operation.tsx';
import { Button } from '../ui/button.tsx';
import { formatCount, formatNumber } from '../ui/format/text.ts';
import { VirtualTable } from '../ui/tables/virtual-table.tsx';
import type { BulkAction } from './bulk-actions.tsx';
import { BULK_ACTIONS } from './bulk-actions.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import type { HostColumnName } from './host-columns.tsx';
import { useHostColumns } from './host-columns.tsx';
import { useSelection } from './host-selection.tsx';
import type { HostRow, HostTable } from './host-table.ts';
import { findHost } from './host-table.ts';
import styles from './selectable-hosts.module.css';
import type { SortOrder } from './sort-hosts.ts';

type RestartTarget = { readonly cluster: string } | { readonly disabledReason: string };

/** An operation changes hosts of one cluster. */
function findRestartTarget(table: HostTable, addresses: readonly string[]): RestartTarget {
  const clusters = new Set(addresses.map(address => findHost(table, address)?.cluster ?? ''));
  const [cluster = ''] = clusters;
  if (clusters.size > 1) return { disabledReason: 'Select hosts of one cluster.' };
  return cluster === '' ? { disabledReason: 'Add the hosts to a cluster first.' } : { cluster };
}

interface RestartButtonProps {
  readonly target: RestartTarget;
  readonly onRestart: (cluster: string) => void;
}

const RestartButton = ({ target, onRestart }: RestartButtonProps) => (
  <Button
    size="small"
    disabledReason={'cluster' in target ? undefined : target.disabledReason}
    onClick={() => 'cluster' in target && onRestart(target.cluster)}
  >
    Restart
  </Button>
);

interface BulkBarProps {
  readonly table: HostTable;
  readonly selected: readonly string[];
  /** Shown while no host is selected. */
  readonly text: string;
  readonly onClear: () => void;
}

function BulkBar({ table, selected, text, onClear }: BulkBarProps) {
  const { can } = usePermissions();
  // With the hosts that were selected when the dialog opened.
  const [dialog, setDialog] = useState<{ readonly action: BulkAction; readonly addresses: readonly string[] }>();
  const [restart, setRestart] = useState<{ readonly cluster: string; readonly addresses: readonly string[] }>();
  const hasSelection = selected.length > 0;
  const isInOneCluster = table.cluster !== undefined;
  return (
    <div className={`${styles.bar} ${hasSelection ? styles.hasSelection : ''}`}>
      <div className={styles.text}>
        <p role="status">{hasSelection ? `${formatCount(selected.length, 'host')} selected` : text}</p>
        {hasSelection && (
          <Button size="small" variant="quiet" aria-label="Clear selection" title="Clear selection" onClick={onClear}>
            ✕
          </Button>
        )}
      </div>
      {hasSelection && (
        <>
          {can('putRestart') && (
            <RestartButton
              target={findRestartTarget(table, selected)}
              onRestart={cluster => setRestart({ cluster, addresses: selected })}
            />
          )}
          {BULK_ACTIONS.filter(
            ({ requires, isForOtherHosts }) => can(requires) && !(isInOneCluster && isForOtherHosts),
          ).map(action => (
            <Button
              key={action.label}
              size="small"
              variant={action.isDestructive ? 'danger' : 'plain'}
              onClick={() => setDialog({ action, addresses: selected })}
            >
              {action.label}
            </Button>
          ))}
        </>
      )}
      {dialog && (
        <BulkDialog {...dialog} getHost={address => findHost(table, address)} onClose={() => setDialog(undefined)} />
      )}
      {restart && (
        <StartOperationDialog
          cluster={restart.cluster}
          hosts={restart.addresses}
          onClose={() => setRestart(undefined)}
        />
      )}
    </div>
  );
}

interface SelectableHostsProps {
  readonly label: string;
  readonly table: HostTable;
  /** The visible rows, in order. */
  readonly rows: readonly HostRow[];
  readonly sort: SortOrder;
  readonly onSort: (order: SortOrder) => void;
  readonly hidden?: HostColumnName;
  /** Shown instead of the table if no row is visible. */
  readonly children: ReactNode;
}

export const hostRowKey = ({ address }: HostRow) => address;

/** A table of hosts with the actions for selected hosts. */
export const SelectableHosts = memo(function SelectableHosts({
  label,
  table,
  rows,
  sort,
  onSort,
  hidden,
  children,
}: SelectableHostsProps) {
  const { can } = usePermissions();
  const { selected, controls, select } = useSelection(rows);
  const columns = useHostColumns({ sort, onSort, hidden, selection: can('putHostMaintenance') ? controls : undefined });
  const visible = useMemo(
    () => rows.map(({ address }) => address).filter(address => selected.has(address)),
    [selected, rows],
  );
  // A hidden or removed host must not be selected when it appears again.
  useEffect(() => {
    if (visible.length < selected.size) select(visible);
  });
  const text =
    rows.length === table.rows.length
      ? formatCount(rows.length, 'host')
      : `${formatNumber(rows.length)} of ${formatCount(table.rows.length, 'host')}`;

  return (
    <>
      <BulkBar table={table} selected={visible} text={text} onClear={() => select([])} />
      {rows.length === 0 ? children : <VirtualTable label={label} columns={columns} rows={rows} rowKey={hostRowKey} />}
    </>
  );
});
