import { useState } from 'react';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading, Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { HostTable } from './host-table.tsx';
import { JoinHosts } from './join-hosts.tsx';
import { LeaveHosts } from './leave-hosts.tsx';
import { useMembers } from './use-members.ts';

/** Who is in the cluster, who joins, and who leaves. */
export function MembersPanel({ name }: { readonly name: string }) {
  const { may } = useMay();
  const { data, error } = useMembers(name);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const members = data?.value ?? [];
  // Who has left meanwhile is chosen no more.
  const leaving = members.map(({ address }) => address).filter(address => chosen.has(address));
  const all = new Set(members.map(({ address }) => address));
  const actions = may('addMember') && (
    <>
      {members.length > 0 && (
        <Button
          size="small"
          kind="quiet"
          onClick={() => setChosen(leaving.length === all.size ? new Set() : all)}
        >
          {leaving.length === all.size ? 'Choose none' : 'Choose all'}
        </Button>
      )}
      {leaving.length > 0 && (
        <LeaveHosts name={name} addresses={leaving} onDone={() => setChosen(new Set())} />
      )}
      <JoinHosts name={name} />
    </>
  );
  return (
    <Panel title={data ? `Members (${members.length})` : 'Members'} actions={actions} isFlush>
      <ProblemBox problem={error} />
      {data === undefined && !error && <Loading what="the members" />}
      {data !== undefined && members.length === 0 && (
        <Empty title="It has no hosts yet.">
          <p>
            Let hosts join that are enrolled already, or by <code>hostler cluster join {name} ADDRESS</code>
          </p>
        </Empty>
      )}
      {members.length > 0 && (
        <HostTable
          label={`Members of ${name}`}
          hosts={members}
          {...(may('removeMember') && { choice: { chosen, onChoose: setChosen } })}
        />
      )}
    </Panel>
  );
}
