import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { counted, numberText } from '../../ui/counted.ts';
import styles from './fleet-loading.module.css';

/** How far the reading of all hosts is. */
export function FleetLoading({ read }: { readonly read: number }) {
  const overview = useQuery({ queryKey: keys.overview, queryFn: () => answerOf(api.getOverview()) });
  const total = overview.data?.hosts.total;
  return (
    <div className={styles.loading} role="status">
      <p>
        {total === undefined
          ? `Reading hosts … ${read > 0 ? numberText(read) : ''}`
          : `Reading ${counted(total, 'host')} … ${numberText(read)}`}
      </p>
      <progress
        className={styles.progress}
        aria-label="Hosts that have been read"
        max={total ?? 1}
        {...(total !== undefined && { value: read })}
      />
    </div>
  );
}
