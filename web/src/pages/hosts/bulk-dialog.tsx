import { useState } from 'react';
import { ProgressOfEach } from '../../fleet/progress-of-each.tsx';
import { runEach, undone } from '../../fleet/run-each.ts';
import { useProgress } from '../../fleet/use-progress.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { counted } from '../../ui/words/counted.ts';
import type { BulkKind, BulkWish } from './bulk-actions.ts';
import { askFor } from './bulk-actions.ts';
import { BulkForm } from './bulk-form.tsx';

interface BulkDialogProps {
  readonly kind: BulkKind;
  readonly addresses: readonly string[];
  readonly clusterOf: (address: string) => string;
  readonly onClose: () => void;
}

const TITLES: Readonly<Record<BulkKind, (hosts: string) => string>> = {
  maintenance: hosts => `Set maintenance for ${hosts}`,
  labels: hosts => `Edit labels of ${hosts}`,
  join: hosts => `Add ${hosts} to a cluster`,
  leave: hosts => `Remove ${hosts} from their cluster`,
  bootstrap: hosts => `Retry bootstrap of ${hosts}`,
  remove: hosts => `Remove ${hosts}`,
};

/** Asks what is to be done with hosts, does it, and tells what came of it for each. */
export function BulkDialog({ kind, addresses, clusterOf, onClose }: BulkDialogProps) {
  const { progress, isRunning, begin, stop } = useProgress();
  const [wish, setWish] = useState<BulkWish>();

  const run = (wished: BulkWish, some: readonly string[]) => {
    setWish(wished);
    runEach(some, askFor(wished, clusterOf), begin());
  };
  const left = progress?.isOver ? undone(progress) : [];

  return (
    <Dialog
      title={TITLES[kind](counted(addresses.length, 'host'))}
      isOpen
      onClose={isRunning ? stop : onClose}
    >
      {progress === undefined ? (
        <BulkForm
          kind={kind}
          addresses={addresses}
          onWish={wished => run(wished, addresses)}
          onClose={onClose}
        />
      ) : (
        <>
          <ProgressOfEach progress={progress} />
          <DialogActions>
            {isRunning && <Button onClick={stop}>Stop</Button>}
            {wish !== undefined && left.length > 0 && (
              <Button onClick={() => run(wish, left)}>Retry {counted(left.length, 'host')}</Button>
            )}
            {!isRunning && (
              <Button kind="primary" onClick={onClose}>
                Close
              </Button>
            )}
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
