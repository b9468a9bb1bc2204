import { memo, useMemo } from 'react';
import type { Fleet, HostRow } from '../../fleet/fleet.ts';
import { useSelection } from '../../fleet/use-selection.ts';
import { useMay } from '../../session/session.tsx';
import { Empty } from '../../ui/page.tsx';
import { VirtualTable } from '../../ui/tables/virtual-table.tsx';
import { counted, numberText } from '../../ui/words/counted.ts';
import { BulkBar } from './bulk-bar.tsx';
import styles from './hosts-table.module.css';
import type { SortWord } from './search.ts';
import type { ShownHosts } from './shown-hosts.ts';
import { useHostColumns } from './use-host-columns.tsx';

interface HostsTableProps {
  readonly fleet: Fleet;
  readonly shown: ShownHosts;
  readonly sort: SortWord;
}

const keyOf = ({ address }: HostRow) => address;

/** The hosts that are shown, and what can be done with those that were chosen among them. */
export const HostsTable = memo(function HostsTable({ fleet, shown: { rows }, sort }: HostsTableProps) {
  const { may } = useMay();
  const { chosen, choosing, choose } = useSelection(rows);
  const columns = useHostColumns(sort, may('putHostMaintenance') ? choosing : undefined);
  // One that was removed meanwhile cannot be asked for.
  const there = useMemo(
    () => [...chosen].filter(address => fleet.places.has(address)),
    [chosen, fleet.places],
  );
  const text =
    rows.length === fleet.rows.length
      ? counted(rows.length, 'host')
      : `${numberText(rows.length)} of ${counted(fleet.rows.length, 'host')}`;

  return (
    <div className={styles.panel}>
      <BulkBar fleet={fleet} chosen={there} text={text} onNone={() => choose([])} />
      {rows.length === 0 ? (
        <Empty title="No hosts match">
          <p>Change the search or clear the filters.</p>
        </Empty>
      ) : (
        <VirtualTable label="Hosts" columns={columns} rows={rows} keyOf={keyOf} />
      )}
    </div>
  );
});
