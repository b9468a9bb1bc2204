import { useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useAsk } from '../../ui/forms/use-ask.ts';
import type { Listed } from './listed-entries.ts';
import { withNewest, withOlder } from './listed-entries.ts';
import type { AuditSearch } from './search.ts';

const LIMIT = 100;

/** Entries of the log. Events have the newest read anew, and what was read before stays below. */
export function useAudit(search: AuditSearch) {
  const queryClient = useQueryClient();
  const queryKey = keys.audit(search);
  const { data, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const newest = await answerOf(api.listAudit({ query: { ...search, limit: LIMIT }, signal }));
      return withNewest(queryClient.getQueryData<Listed>(queryKey), newest, LIMIT);
    },
  });
  const older = useAsk(async () => {
    const after = data?.entries.at(-1)?.id;
    if (after === undefined) return;
    const read = await answerOf(api.listAudit({ query: { ...search, after, limit: LIMIT } }));
    queryClient.setQueryData<Listed>(queryKey, known => known && withOlder(known, read, LIMIT));
  });
  return { listed: data, problem: error ?? older.problem, readOlder: older.run, isReading: older.isBusy };
}
