import { useMemo } from 'react';
import { useFleet } from '../../fleet/use-fleet.ts';
import { useSelection } from '../../fleet/use-selection.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Panel } from '../../ui/page.tsx';
import { Read } from '../../ui/read.tsx';
import { numberText } from '../../ui/words/counted.ts';
import { HostTable } from './host-table.tsx';
import { JoinHosts } from './join-hosts.tsx';
import { LeaveHosts } from './leave-hosts.tsx';

/** Who is in the cluster, who joins, and who leaves. */
export function MembersPanel({ name }: { readonly name: string }) {
  const { may } = useMay();
  const { fleet, problem } = useFleet(name);
  const members = useMemo(() => fleet?.rows ?? [], [fleet]);
  const { chosen, choosing, choose } = useSelection(members);
  // Who has left meanwhile is selected no more.
  const leaving = members.map(({ address }) => address).filter(address => chosen.has(address));
  const actions = may('addMember') && (
    <>
      {members.length > 0 && (
        <Button size="small" kind="quiet" onClick={() => choosing.pressAll(!choosing.areAll)}>
          {choosing.areAll ? 'Clear selection' : 'Select all'}
        </Button>
      )}
      {leaving.length > 0 && <LeaveHosts name={name} addresses={leaving} onDone={() => choose([])} />}
      <JoinHosts name={name} />
    </>
  );
  return (
    <Panel title={fleet ? `Members (${numberText(members.length)})` : 'Members'} actions={actions} isFlush>
      <Read of={{ data: fleet?.rows, error: problem }} what="members">
        {hosts =>
          hosts.length === 0 ? (
            <Empty title="No members yet">
              <p>
                Add enrolled hosts here, or run <code>hostler cluster join {name} ADDRESS</code>
              </p>
            </Empty>
          ) : (
            <HostTable
              label={`Members of ${name}`}
              hosts={hosts}
              choosing={may('removeMember') ? choosing : undefined}
            />
          )
        }
      </Read>
    </Panel>
  );
}
