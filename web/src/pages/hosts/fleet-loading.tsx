import { useOverview } from '../../clusters/use-overview.ts';
import { numberText } from '../../ui/words/counted.ts';
import styles from './fleet-loading.module.css';

/** How far the reading of all hosts is. */
export function FleetLoading({ read }: { readonly read: number }) {
  const total = useOverview().data?.hosts.total;
  return (
    <div className={styles.loading} role="status">
      <p>
        {total === undefined
          ? `Loading hosts… ${read > 0 ? numberText(read) : ''}`
          : `Loading hosts… ${numberText(read)} of ${numberText(total)}`}
      </p>
      <progress
        className={styles.progress}
        aria-label="Hosts loaded"
        max={total ?? 1}
        {...(total !== undefined && { value: read })}
      />
    </div>
  );
}
