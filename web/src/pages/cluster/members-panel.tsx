import { useMemo, useState } from 'react';
import { usePermissions } from '../../auth/session.tsx';
import type { HostTable } from '../../hosts/host-table.ts';
import { SelectableHosts } from '../../hosts/selectable-hosts.tsx';
import { createSorter, DEFAULT_SORT_ORDER } from '../../hosts/sort-hosts.ts';
import { useHosts } from '../../hosts/use-hosts.ts';
import { formatNumber } from '../../ui/format/text.ts';
import { EmptyState, Panel, QueryView } from '../../ui/page.tsx';
import { AddMembersButton } from './add-members-dialog.tsx';

function MemberTable({ name, table }: { readonly name: string; readonly table: HostTable }) {
  const [sort, setSort] = useState(DEFAULT_SORT_ORDER);
  const [sortHosts] = useState(createSorter);
  const rows = useMemo(() => sortHosts(table, sort), [sortHosts, table, sort]);
  return (
    <SelectableHosts
      label={`Members of ${name}`}
      table={table}
      rows={rows}
      sort={sort}
      onSort={setSort}
      hidden="cluster"
    >
      <EmptyState title="No members yet">
        <p>
          Add enrolled hosts here, or run <code>hostler cluster join {name} HOST</code>
        </p>
      </EmptyState>
    </SelectableHosts>
  );
}

export function MembersPanel({ name }: { readonly name: string }) {
  const { can } = usePermissions();
  const { table, error } = useHosts(name);
  return (
    <Panel
      title={table ? `Members (${formatNumber(table.rows.length)})` : 'Members'}
      actions={can('addMember') && <AddMembersButton name={name} />}
      isFlush
    >
      <QueryView query={{ data: table, error }} label="members">
        {hosts => <MemberTable name={name} table={hosts} />}
      </QueryView>
    </Panel>
  );
}
