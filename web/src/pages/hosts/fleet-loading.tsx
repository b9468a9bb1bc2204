import { useOverview } from '../../clusters/use-overview.ts';
import { counted, numberText } from '../../ui/words/counted.ts';
import styles from './fleet-loading.module.css';

/** How far the reading of all hosts is. */
export function FleetLoading({ read }: { readonly read: number }) {
  const total = useOverview().data?.hosts.total;
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
