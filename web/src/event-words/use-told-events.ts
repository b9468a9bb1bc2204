import { useMemo } from 'react';
import { api, reading } from '../api/client.ts';
import { keys } from '../api/keys.ts';
import type { Folded } from '../live/use-folded.ts';
import { useFolded } from '../live/use-folded.ts';
import type { Concerned, Told } from './told-events.ts';
import { withEvents } from './told-events.ts';

const BEFORE = 200;

/** What happens, after what the audit log has of the time before: no gap, nothing twice. */
export function useToldEvents({ cluster, host }: Concerned) {
  const folded = useMemo<Folded<readonly Told[]>>(() => {
    const concerned = { ...(cluster !== undefined && { cluster }), ...(host !== undefined && { host }) };
    return {
      queryKey: keys.events(concerned),
      read: signal => reading(api.listAudit({ query: { ...concerned, limit: BEFORE }, signal })),
      fold: (told, events) => withEvents(concerned, told, events),
    };
  }, [cluster, host]);
  return useFolded(folded);
}
