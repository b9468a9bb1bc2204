import { useCallback, useMemo, useRef, useState } from 'react';
import { useMay } from '../../session/session.tsx';
import { counted, numberText } from '../../ui/counted.ts';
import { Empty } from '../../ui/page.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { BulkBar } from './bulk-bar.tsx';
import type { Fleet, HostRow } from './fleet.ts';
import styles from './hosts.module.css';
import type { SortWord } from './search.ts';
import { allPressed, NOTHING_CHOSEN, pressed } from './selection.ts';
import type { ShownHosts } from './shown-hosts.ts';
import { useHostColumns } from './use-host-columns.tsx';

interface HostsTableProps {
  readonly fleet: Fleet;
  readonly shown: ShownHosts;
  readonly sort: SortWord;
}

const keyOf = ({ address }: HostRow) => address;

/** The hosts that are shown, and what can be done with those that were chosen among them. */
export function HostsTable({ fleet, shown: { rows }, sort }: HostsTableProps) {
  const { may } = useMay();
  const [selection, setSelection] = useState(NOTHING_CHOSEN);
  const latest = useRef(rows);
  latest.current = rows;

  const press = useCallback(
    (address: string, isRange: boolean) =>
      setSelection(before => pressed(before, address, latest.current, isRange)),
    [],
  );
  const pressAll = useCallback(
    (isOn: boolean) => setSelection(before => allPressed(before, latest.current, isOn)),
    [],
  );

  const { chosen } = selection;
  const mayCare = may('putHostMaintenance');
  const areAll = useMemo(
    () => chosen.size >= rows.length && rows.length > 0 && rows.every(row => chosen.has(row.address)),
    [chosen, rows],
  );
  const choosing = useMemo(
    () => (mayCare ? { chosen, areAll, press, pressAll } : undefined),
    [mayCare, chosen, areAll, press, pressAll],
  );
  const columns = useHostColumns(sort, choosing);
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
      <BulkBar fleet={fleet} chosen={there} text={text} onNone={() => setSelection(NOTHING_CHOSEN)} />
      {rows.length === 0 ? (
        <Empty title="No host is like that.">
          <p>Take something out of the search, or choose another status.</p>
        </Empty>
      ) : (
        <VirtualTable label="Hosts" columns={columns} rows={rows} keyOf={keyOf} />
      )}
    </div>
  );
}
