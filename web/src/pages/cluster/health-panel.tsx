import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { timeOf } from '#client/times.ts';
import { answerOf, api, reading } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import type { ClusterRecord } from '../../clusters/health.ts';
import { healthParts, healthWords } from '../../clusters/health.ts';
import type { LoggedEvent } from '../../live/live.ts';
import { useFolded } from '../../live/use-folded.ts';
import { Facts, Panel } from '../../ui/page.tsx';
import { StatusStrip } from '../../ui/plots/status-strip.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { ProportionBar } from '../../ui/proportion-bar.tsx';
import { Status } from '../../ui/status.tsx';
import { useNowMs } from '../../ui/when.tsx';
import styles from './cluster.module.css';
import type { StatusChange } from './health-spans.ts';
import { addChanges, healthSpans } from './health-spans.ts';

const MOST_CHANGES = 500;
const DRAW_EVERY_MS = 10_000;

function useChanges(name: string) {
  const fold = useMemo(
    () => (known: readonly StatusChange[], events: readonly LoggedEvent[]) => addChanges(known, events, name),
    [name],
  );
  return useFolded<readonly StatusChange[]>({
    queryKey: keys.clusterHistory(name),
    read: signal =>
      reading(
        api.listAudit({ query: { cluster: name, type: 'cluster.status', limit: MOST_CHANGES }, signal }),
      ),
    fold,
  });
}

/** When the cluster was made; `undefined` while that is not known, or not kept any more. */
function useMadeMs(name: string): number | undefined {
  const { data } = useQuery({
    queryKey: keys.clusterMade(name),
    queryFn: () => answerOf(api.listAudit({ query: { cluster: name, type: 'cluster.created', limit: 1 } })),
  });
  const at = data?.[0]?.at;
  return at === undefined ? undefined : timeOf(at);
}

/** How the cluster is, and how it was. */
export function HealthPanel({ cluster }: { readonly cluster: ClusterRecord }) {
  const { data, error } = useChanges(cluster.name);
  const madeMs = useMadeMs(cluster.name);
  const nowMs = useNowMs(DRAW_EVERY_MS);
  const { fromMs, spans } = healthSpans(data?.value ?? [], { ms: nowMs, status: cluster.status }, madeMs);
  return (
    <Panel title="Health">
      <div className={styles.health}>
        <Facts
          of={[
            ['Status', <Status key="status" of={cluster.status} />],
            [
              'Hosts',
              <div key="hosts" className={styles.hosts}>
                {healthWords(cluster)}
                <ProportionBar label="Hosts" parts={healthParts(cluster)} total={cluster.hosts.total} />
              </div>,
            ],
          ]}
        />
        <ProblemBox problem={error} />
        {data && (
          <StatusStrip
            spans={spans}
            fromMs={fromMs}
            toMs={nowMs}
            label={`Status of ${cluster.name} over time`}
          />
        )}
      </div>
    </Panel>
  );
}
