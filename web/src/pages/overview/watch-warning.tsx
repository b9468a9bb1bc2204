import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Status } from '../../ui/status.tsx';
import styles from './overview.module.css';

/** Says when the service does not see its hosts as it should: then what else is on the page may be old. */
export function WatchWarning() {
  const { data } = useQuery({
    queryKey: keys.watch,
    queryFn: () => answerOf(api.getHealthChecks()),
    // No event tells of it, so it is read whenever somebody comes to look.
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  if (data === undefined || (data.state !== 'lagging' && data.state !== 'partitioned')) return null;
  return (
    <div className={styles.warning} role="alert">
      <Status of={data.state} />
      <p>{data.detail}</p>
    </div>
  );
}
