import { useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import { usePermissions } from '../../auth/session.tsx';
import { BulkProgressView, useBulkRun } from '../../hosts/bulk-progress.tsx';
import { useSelection } from '../../hosts/host-selection.tsx';
import { runBulk, unfinishedAddresses } from '../../hosts/run-bulk.ts';
import { useHosts } from '../../hosts/use-hosts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { formatCount, formatNumber } from '../../ui/format/text.ts';
import { EmptyState, Panel, QueryView } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { AddMembersButton } from './add-members-dialog.tsx';
import { MemberTable } from './host-table.tsx';

interface RemoveMembersButtonProps {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly onDone: () => void;
}

function RemoveMembersButton({ name, addresses, onDone }: RemoveMembersButtonProps) {
  /** The members when the dialog opened. The member list shrinks during the removal. */
  const [selectedAddresses, setSelectedAddresses] = useState<readonly string[]>();
  const { progress, isRunning, start, stop, reset } = useBulkRun();
  const close = () => {
    if (isRunning) return stop();
    reset();
    setSelectedAddresses(undefined);
  };
  const removeMembers = async () => {
    const result = await runBulk(selectedAddresses ?? [], address => api.removeMember({ name, address }), start());
    if (unfinishedAddresses(result).length > 0) return;
    showToast(`${formatCount(result.done, 'host')} removed from ${name}`);
    reset();
    setSelectedAddresses(undefined);
    onDone();
  };
  return (
    <>
      <Button size="small" variant="danger" onClick={() => setSelectedAddresses(addresses)}>
        Remove {formatCount(addresses.length, 'member')}
      </Button>
      {selectedAddresses && (
        <Dialog title={`Remove ${formatCount(selectedAddresses.length, 'member')} from ${name}?`} onClose={close}>
          <p>Hostler removes the network and container manager setup from the hosts. The hosts stay enrolled.</p>
          {progress && <BulkProgressView progress={progress} />}
          <DialogActions>
            <Button onClick={close}>{isRunning ? 'Stop' : progress ? 'Close' : 'Cancel'}</Button>
            {!progress?.isFinished && (
              <Button variant="danger" isLoading={isRunning} onClick={removeMembers}>
                Remove from cluster
              </Button>
            )}
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}

export function MembersPanel({ name }: { readonly name: string }) {
  const { can } = usePermissions();
  const { table, error } = useHosts(name);
  const members = useMemo(() => table?.rows ?? [], [table]);
  const { selected, controls, select } = useSelection(members);
  // Drops hosts that left the cluster in the meantime.
  const selectedAddresses = members.map(({ address }) => address).filter(address => selected.has(address));
  const actions = can('addMember') && (
    <>
      {members.length > 0 && (
        <Button size="small" variant="quiet" onClick={() => controls.onToggleAll(!controls.isAllSelected)}>
          {controls.isAllSelected ? 'Clear selection' : 'Select all'}
        </Button>
      )}
      {selectedAddresses.length > 0 && (
        <RemoveMembersButton name={name} addresses={selectedAddresses} onDone={() => select([])} />
      )}
      <AddMembersButton name={name} />
    </>
  );
  return (
    <Panel title={table ? `Members (${formatNumber(members.length)})` : 'Members'} actions={actions} isFlush>
      <QueryView query={{ data: table?.rows, error }} label="members">
        {hosts =>
          hosts.length === 0 ? (
            <EmptyState title="No members yet">
              <p>
                Add enrolled hosts here, or run <code>hostler cluster join {name} ADDRESS</code>
              </p>
            </EmptyState>
          ) : (
            <MemberTable
              label={`Members of ${name}`}
              hosts={hosts}
              selection={can('removeMember') ? controls : undefined}
            />
          )
        }
      </QueryView>
    </Panel>
  );
}
