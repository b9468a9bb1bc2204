import { Link } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import { BulkProgressView, useBulkRun } from '../../hosts/bulk-progress.tsx';
import { useHostColumns } from '../../hosts/host-columns.tsx';
import { useSelection } from '../../hosts/host-selection.tsx';
import { matchesSearch } from '../../hosts/host-table.ts';
import { runBulk, unfinishedAddresses } from '../../hosts/run-bulk.ts';
import { hostRowKey } from '../../hosts/selectable-hosts.tsx';
import { createSorter, DEFAULT_SORT_ORDER } from '../../hosts/sort-hosts.ts';
import { useHosts } from '../../hosts/use-hosts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { formatCount, formatNumber } from '../../ui/format/text.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { DialogButton } from '../../ui/forms/form-dialog.tsx';
import { QueryView } from '../../ui/page.tsx';
import { VirtualTable } from '../../ui/tables/virtual-table.tsx';
import { showToast } from '../../ui/toasts.tsx';
import styles from './add-members-dialog.module.css';

function AddMembersForm({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const [search, setSearch] = useState('');
  const query = useDeferredValue(search);
  // Hosts in no cluster.
  const { table, error } = useHosts('');
  const [sort, setSort] = useState(DEFAULT_SORT_ORDER);
  const [sortHosts] = useState(createSorter);
  const matches = useMemo(
    () => (table ? sortHosts(table, sort).filter(matchesSearch(query)) : []),
    [table, query, sort, sortHosts],
  );
  const { selected, controls, select } = useSelection(matches);
  const columns = useHostColumns({ sort, onSort: setSort, selection: controls, hidden: 'cluster' });
  const { progress, isRunning, start, stop } = useBulkRun();
  // Drops hosts that joined another cluster in the meantime.
  const addresses = [...selected].filter(address => table?.indexByAddress.has(address));
  const addMembers = async () => {
    const result = await runBulk(addresses, address => api.addMember({ name, address, body: {} }), start());
    if (unfinishedAddresses(result).length > 0) return select(unfinishedAddresses(result));
    showToast(`${formatCount(result.done, 'host')} added to ${name}`);
    onClose();
  };
  return (
    <div className={styles.form}>
      <QueryView query={{ data: table?.rows, error }} label="hosts without a cluster">
        {hosts =>
          hosts.length === 0 ? (
            progress === undefined && (
              <p>
                All hosts are already in a cluster. <Link to="/hosts">Enrol more hosts</Link> first.
              </p>
            )
          ) : (
            <>
              <TextField
                label="Search hosts without a cluster"
                hint="Matches hostname, address, OS or label."
                type="search"
                value={search}
                onChange={event => setSearch(event.target.value)}
              />
              <div className={styles.results}>
                <span>
                  {formatCount(matches.length, 'result')}, {formatNumber(addresses.length)} selected
                </span>
                <Button size="small" onClick={() => controls.onToggleAll(true)}>
                  Select all results
                </Button>
                {addresses.length > 0 && (
                  <Button size="small" variant="quiet" onClick={() => select([])}>
                    Clear selection
                  </Button>
                )}
              </div>
              <div className={styles.list}>
                <VirtualTable label="Hosts without a cluster" columns={columns} rows={matches} rowKey={hostRowKey} />
              </div>
            </>
          )
        }
      </QueryView>
      {progress && <BulkProgressView progress={progress} />}
      <DialogActions>
        <Button onClick={isRunning ? stop : onClose}>{isRunning ? 'Stop' : progress ? 'Close' : 'Cancel'}</Button>
        <Button
          variant="primary"
          isLoading={isRunning}
          disabledReason={addresses.length === 0 && !isRunning ? 'Select hosts first.' : undefined}
          onClick={addMembers}
        >
          {addresses.length === 0 ? 'Add hosts' : `Add ${formatCount(addresses.length, 'host')}`}
        </Button>
      </DialogActions>
    </div>
  );
}

export const AddMembersButton = ({ name }: { readonly name: string }) => (
  <DialogButton
    size="small"
    dialog={close => (
      <Dialog title={`Add members to ${name}`} onClose={close} size="wide">
        <AddMembersForm name={name} onClose={close} />
      </Dialog>
    )}
  >
    Add members
  </DialogButton>
);
