import { useCallback, useEffect, useRef, useState } from 'react';
import { ErrorBox } from '../ui/callout.tsx';
import { errorMessage } from '../ui/format/error-message.ts';
import { formatCount, formatNumber } from '../ui/format/text.ts';
import styles from './bulk-progress.module.css';
import type { BulkOptions, BulkProgress } from './run-bulk.ts';

const MAX_LISTED = 200;

function formatProgress({ total, done, rejected, notAttempted, isFinished }: BulkProgress): string {
  return [
    `${formatNumber(done)} of ${formatCount(total, 'host')} done`,
    ...(rejected.length > 0 ? [`${formatNumber(rejected.length)} rejected`] : []),
    ...(isFinished && notAttempted.length > 0 ? [`${formatNumber(notAttempted.length)} not attempted`] : []),
  ].join(', ');
}

interface BulkProgressViewProps {
  readonly progress: BulkProgress;
  /** The name of a host. Default: its address. */
  readonly toName?: (address: string) => string;
}

export function BulkProgressView({ progress, toName = address => address }: BulkProgressViewProps) {
  const { total, done, rejected, error } = progress;
  return (
    <div className={styles.view}>
      <p role="status">{formatProgress(progress)}</p>
      <progress className={styles.progress} max={total} value={done + rejected.length} aria-label="Progress" />
      <ErrorBox error={error} />
      {rejected.length > 0 && (
        <ul className={styles.results} aria-label="Rejected hosts" tabIndex={0}>
          {rejected.slice(0, MAX_LISTED).map(rejection => (
            <li key={rejection.address}>
              <strong title={rejection.address}>{toName(rejection.address)}</strong>{' '}
              {errorMessage(rejection.error).text}
            </li>
          ))}
          {rejected.length > MAX_LISTED && <li>and {formatNumber(rejected.length - MAX_LISTED)} more</li>}
        </ul>
      )}
    </div>
  );
}

/** Stops the run when the component unmounts. */
export function useBulkRun() {
  const [progress, setProgress] = useState<BulkProgress>();
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const start = (): BulkOptions => {
    abort.current = new AbortController();
    return { signal: abort.current.signal, onProgress: setProgress };
  };
  const stop = useCallback(() => abort.current.abort(), []);
  const reset = useCallback(() => setProgress(undefined), []);
  return { progress, isRunning: progress !== undefined && !progress.isFinished, start, stop, reset };
}
