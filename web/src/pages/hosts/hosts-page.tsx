// All hosts: looked for, sorted, chosen and cared for. They are read once and followed event by event.

import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { useFleet } from '../../fleet/use-fleet.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { AddHostsDialog } from './add-hosts-dialog.tsx';
import { FleetLoading } from './fleet-loading.tsx';
import { HostFilters } from './host-filters.tsx';
import { newSorter } from './host-order.ts';
import { HostsTable } from './hosts-table.tsx';
import { NoHosts } from './no-hosts.tsx';
import { shownHosts } from './shown-hosts.ts';
import { StatusChips } from './status-chips.tsx';
import { useSearchText } from './use-search-text.ts';

const route = getRouteApi('/hosts');

export function HostsPage() {
  const search = route.useSearch();
  const { may, whyNot } = useMay();
  const [isAdding, setAdding] = useState(false);
  const [text, setText] = useSearchText(search.q ?? '');
  const { fleet, read, problem } = useFleet();

  const wish = useMemo(() => ({ fleet, search: { ...search, q: text } }), [fleet, search, text]);
  // A key that is pressed is seen at once; the rows follow when there is time.
  const deferred = useDeferredValue(wish);
  const [sortHosts] = useState(newSorter);
  const inOrder = useMemo(
    () => deferred.fleet && sortHosts(deferred.fleet, deferred.search.sort ?? 'address'),
    [sortHosts, deferred.fleet, deferred.search.sort],
  );
  const shown = useMemo(() => inOrder && shownHosts(inOrder, deferred.search), [inOrder, deferred.search]);

  const hasHosts = fleet !== undefined && fleet.rows.length > 0;
  const add = (
    <Button
      kind="primary"
      onClick={() => setAdding(true)}
      whyNot={may('putHost') ? undefined : whyNot('putHost')}
    >
      Enrol hosts
    </Button>
  );
  return (
    <Page title="Hosts" actions={add}>
      <ProblemBox problem={problem} />
      {fleet === undefined && problem === undefined && <FleetLoading read={read} />}
      {fleet !== undefined && !hasHosts && <NoHosts />}
      {hasHosts && deferred.fleet !== undefined && shown !== undefined && (
        <>
          <StatusChips shown={shown} search={search} />
          <HostFilters fleet={deferred.fleet} search={search} text={text} onText={setText} />
          <HostsTable fleet={deferred.fleet} shown={shown} sort={search.sort ?? 'address'} />
        </>
      )}
      <AddHostsDialog isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  );
}
