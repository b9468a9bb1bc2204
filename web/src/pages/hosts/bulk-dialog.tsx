import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/counted.ts';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import type { BulkKind, BulkWish } from './bulk-actions.ts';
import { askFor } from './bulk-actions.ts';
import { BulkForm } from './bulk-form.tsx';
import styles from './hosts.module.css';
import { ProgressOfEach } from './progress-of-each.tsx';
import type { Progress } from './run-each.ts';
import { runEach } from './run-each.ts';

interface BulkDialogProps {
  readonly kind: BulkKind;
  readonly addresses: readonly string[];
  readonly clusterOf: (address: string) => string;
  readonly onClose: () => void;
}

const TITLES: Readonly<Record<BulkKind, (hosts: string) => string>> = {
  maintenance: hosts => `Maintenance of ${hosts}`,
  labels: hosts => `Labels of ${hosts}`,
  join: hosts => `Put ${hosts} into a cluster`,
  leave: hosts => `Take ${hosts} out of their cluster`,
  bootstrap: hosts => `Bootstrap ${hosts} again`,
  remove: hosts => `Remove ${hosts}`,
};

/** Asks what is to be done with hosts, does it, and tells what came of it for each. */
export function BulkDialog({ kind, addresses, clusterOf, onClose }: BulkDialogProps) {
  const [progress, setProgress] = useState<Progress>();
  const [wish, setWish] = useState<BulkWish>();
  const over = useRef(new AbortController());

  const run = (wished: BulkWish, some: readonly string[]) => {
    over.current = new AbortController();
    setWish(wished);
    runEach(some, askFor(wished, clusterOf), { signal: over.current.signal, onProgress: setProgress });
  };
  const isRunning = progress !== undefined && !progress.isOver;
  const left = progress?.isOver ? [...progress.refused.map(({ address }) => address), ...progress.left] : [];

  return (
    <Dialog
      title={TITLES[kind](counted(addresses.length, 'host'))}
      isOpen
      onClose={() => (isRunning ? over.current.abort() : onClose())}
    >
      {progress === undefined ? (
        <BulkForm
          kind={kind}
          addresses={addresses}
          onWish={wished => run(wished, addresses)}
          onClose={onClose}
        />
      ) : (
        <div className={styles.form}>
          <ProgressOfEach progress={progress} />
          <DialogActions>
            {isRunning && <Button onClick={() => over.current.abort()}>Stop</Button>}
            {wish !== undefined && left.length > 0 && (
              <Button onClick={() => run(wish, left)}>Try {counted(left.length, 'host')} again</Button>
            )}
            {!isRunning && (
              <Button kind="primary" onClick={onClose}>
                Close
              </Button>
            )}
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}
