import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ProgressOfEach } from '../../fleet/progress-of-each.tsx';
import { runEach, undone } from '../../fleet/run-each.ts';
import { useProgress } from '../../fleet/use-progress.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { notice } from '../../ui/notices.tsx';
import { counted } from '../../ui/words/counted.ts';

interface LeaveHostsProps {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly onDone: () => void;
}

/** Takes hosts out of the cluster, after asking once more. */
export function LeaveHosts({ name, addresses, onDone }: LeaveHostsProps) {
  /** Those that it was opened for: while they leave, the list of members gets shorter. */
  const [asked, setAsked] = useState<readonly string[]>();
  const { progress, isRunning, begin, stop, forget } = useProgress();
  const close = () => {
    if (isRunning) return stop();
    forget();
    setAsked(undefined);
  };
  const leave = async () => {
    const over = await runEach(asked ?? [], address => api.removeMember({ name, address }), begin());
    if (undone(over).length > 0) return;
    notice(`${counted(over.done, 'host')} removed from ${name}`);
    forget();
    setAsked(undefined);
    onDone();
  };
  return (
    <>
      <Button size="small" kind="danger" onClick={() => setAsked(addresses)}>
        Remove {counted(addresses.length, 'member')}
      </Button>
      <Dialog
        title={`Remove ${counted(asked?.length ?? 0, 'member')} from ${name}?`}
        isOpen={asked !== undefined}
        onClose={close}
      >
        <p>
          Hostler removes the network and container manager setup from the hosts. The hosts stay enrolled.
        </p>
        {progress && <ProgressOfEach progress={progress} />}
        <DialogActions>
          <Button onClick={close}>{isRunning ? 'Stop' : progress ? 'Close' : 'Cancel'}</Button>
          {!progress?.isOver && (
            <Button kind="danger" isBusy={isRunning} onClick={leave}>
              Remove from cluster
            </Button>
          )}
        </DialogActions>
      </Dialog>
    </>
  );
}
