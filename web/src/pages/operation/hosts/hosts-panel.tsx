import { useNavigate } from '@tanstack/react-router';
import { memo, useDeferredValue, useMemo } from 'react';
import type { HostsInOrder } from '#client/hosts-in-order.ts';
import { Empty, Panel } from '../../../ui/page.tsx';
import type { OperationSearch, View } from '../search.ts';
import { VIEWS } from '../search.ts';
import { HostGantt } from './host-gantt.tsx';
import { HostGrid } from './host-grid.tsx';
import { HostList } from './host-list.tsx';
import { countPaints } from './host-paint.ts';
import styles from './hosts-panel.module.css';
import { Legend } from './legend.tsx';

const TITLES: Readonly<Record<View, string>> = { grid: 'Grid', list: 'List', timeline: 'Timeline' };

interface HostsPanelProps {
  readonly id: string;
  readonly hosts: HostsInOrder;
  readonly search: OperationSearch;
  readonly aheadMs: number;
}

/** All hosts of an operation, in one of three ways. */
export const HostsPanel = memo(function HostsPanel({ id, hosts: newest, search, aheadMs }: HostsPanelProps) {
  const navigate = useNavigate({ from: '/operations/$id' });
  // What is typed and pressed goes before what has changed.
  const hosts = useDeferredValue(newest);
  const counts = useMemo(() => countPaints(hosts.list), [hosts]);
  const { view = 'grid', show } = search;
  const go = (change: { [Name in keyof OperationSearch]?: OperationSearch[Name] | undefined }) =>
    navigate({
      replace: true,
      resetScroll: false,
      search: before => {
        const { host, view, show } = { ...before, ...change };
        return { ...(host && { host }), ...(view && { view }), ...(show && { show }) };
      },
    });
  return (
    <Panel
      title="Hosts"
      actions={
        <div role="group" aria-label="Show hosts as" className={styles.views}>
          {VIEWS.map(each => (
            <button
              key={each}
              type="button"
              aria-pressed={view === each}
              onClick={() => go({ view: each === 'grid' ? undefined : each })}
            >
              {TITLES[each]}
            </button>
          ))}
        </div>
      }
    >
      {hosts.size === 0 ? (
        <Empty title="No hosts">
          <p>No hosts in the cluster matched the policy when the operation started.</p>
        </Empty>
      ) : (
        <div className={styles.body}>
          <Legend counts={counts} show={show} onShow={next => go({ show: next })} />
          {view === 'grid' && (
            <HostGrid hosts={hosts} show={show} selected={search.host} onSelect={host => go({ host })} />
          )}
          {view === 'list' && <HostList id={id} hosts={hosts} show={show} aheadMs={aheadMs} />}
          {view === 'timeline' && <HostGantt id={id} hosts={hosts} aheadMs={aheadMs} />}
        </div>
      )}
    </Panel>
  );
});
