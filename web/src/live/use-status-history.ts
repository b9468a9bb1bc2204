import { useMemo } from 'react';
import type { ClusterStatus, HostStatus } from '#vocabulary';
import { CLUSTER_STATUSES, HOST_STATUSES } from '#vocabulary';
import { api, reading } from '../api/client.ts';
import type { Key } from '../api/keys.ts';
import { keys } from '../api/keys.ts';
import type { StatusHistory, Whose } from './status-history.ts';
import { foldHistory, MOST_CHANGES, readHistory } from './status-history.ts';
import type { Folded } from './use-folded.ts';
import { useFolded } from './use-folded.ts';

const historyOf = <Word extends string>(queryKey: Key, whose: Whose<Word>): Folded<StatusHistory<Word>> => {
  const { kind, name, words } = whose;
  return {
    queryKey,
    read: async signal => {
      const query = { [kind]: name };
      const [changes, made] = await Promise.all([
        reading(api.listAudit({ query: { ...query, type: `${kind}.status`, limit: MOST_CHANGES }, signal })),
        reading(api.listAudit({ query: { ...query, type: `${kind}.created`, limit: 1 }, signal })),
      ]);
      return {
        value: readHistory(words, changes.value, made.value[0]),
        position: Math.min(changes.position, made.position),
      };
    },
    fold: (history, events) => foldHistory(whose, history, events),
  };
};

/** Which status a host had when, as the log tells it and events since. */
export function useHostHistory(name: string) {
  const folded = useMemo(
    () => historyOf<HostStatus>(keys.hostHistory(name), { kind: 'host', name, words: HOST_STATUSES }),
    [name],
  );
  return useFolded(folded);
}

/** The same of a cluster. */
export function useClusterHistory(name: string) {
  const folded = useMemo(
    () =>
      historyOf<ClusterStatus>(keys.clusterHistory(name), { kind: 'cluster', name, words: CLUSTER_STATUSES }),
    [name],
  );
  return useFolded(folded);
}
