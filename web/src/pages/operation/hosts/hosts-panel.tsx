import { useNavigate } from '@tanstack/react-router';
import { memo, useDeferredValue, useMemo } from 'react';
import type { OrderedHosts } from '#sdk/host-progress.ts';
import { EmptyState, Panel } from '../../../ui/page.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import type { HostView, OperationSearch } from '../search.ts';
import { parseOperationSearch } from '../search.ts';
import { HostGrid } from './host-grid.tsx';
import { HostList } from './host-list.tsx';
import { HostTimeline } from './host-timeline.tsx';
import styles from './hosts-panel.module.css';
import { Legend } from './legend.tsx';
import { countByGroup } from './phase-groups.ts';

const VIEWS: readonly (readonly [HostView, label: string])[] = [
  ['grid', 'Grid'],
  ['list', 'List'],
  ['timeline', 'Timeline'],
];

interface HostsPanelProps {
  readonly id: string;
  readonly hosts: OrderedHosts;
  /** The operation starts no more hosts. */
  readonly hasEnded: boolean;
  readonly search: OperationSearch;
  readonly clockOffsetMs: number;
}

export const HostsPanel = memo(function HostsPanel(props: HostsPanelProps) {
  const { id, hosts: latest, hasEnded, search, clockOffsetMs } = props;
  const navigate = useNavigate({ from: '/operations/$id' });
  // User input has priority over updates from events.
  const hosts = useDeferredValue(latest);
  const counts = useMemo(() => countByGroup(hosts.list), [hosts]);
  const { view = 'grid', show } = search;
  const updateSearch = (changes: { readonly [Name in keyof OperationSearch]: OperationSearch[Name] | undefined }) =>
    navigate({
      replace: true,
      resetScroll: false,
      search: previous => parseOperationSearch({ ...previous, ...changes }),
    });
  return (
    <Panel
      title="Hosts"
      actions={
        <SegmentedControl
          label="Show hosts as"
          options={VIEWS}
          selected={view}
          onSelect={option => updateSearch({ view: option === 'grid' ? undefined : option })}
        />
      }
    >
      {hosts.size === 0 ? (
        <EmptyState title="No hosts">
          <p>No hosts in the cluster matched the policy when the operation started.</p>
        </EmptyState>
      ) : (
        <div className={styles.body}>
          <Legend counts={counts} hasEnded={hasEnded} selected={show} onSelect={next => updateSearch({ show: next })} />
          {view === 'grid' && (
            <HostGrid
              hosts={hosts}
              hasEnded={hasEnded}
              group={show}
              selected={search.host}
              onSelect={host => updateSearch({ host })}
            />
          )}
          {view === 'list' && (
            <HostList id={id} hosts={hosts} hasEnded={hasEnded} group={show} clockOffsetMs={clockOffsetMs} />
          )}
          {view === 'timeline' && <HostTimeline id={id} hosts={hosts} clockOffsetMs={clockOffsetMs} />}
        </div>
      )}
    </Panel>
  );
});
