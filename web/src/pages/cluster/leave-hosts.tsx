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
    notice(`${counted(over.done, 'host')} ${over.done === 1 ? 'has' : 'have'} left ${name}.`);
    forget();
    setAsked(undefined);
    onDone();
  };
  return (
    <>
      <Button size="small" kind="danger" onClick={() => setAsked(addresses)}>
        Take {counted(addresses.length, 'host')} out
      </Button>
      <Dialog
        title={`Take ${counted(asked?.length ?? 0, 'host')} out of ${name}?`}
        isOpen={asked !== undefined}
        onClose={close}
      >
        <p>They stay as hosts. What their network and container manager have set up on them is taken away.</p>
        {progress && <ProgressOfEach progress={progress} />}
        <DialogActions>
          <Button onClick={close}>{isRunning ? 'Stop' : progress ? 'Close' : 'Leave it'}</Button>
          {!progress?.isOver && (
            <Button kind="danger" isBusy={isRunning} onClick={leave}>
              Take out
            </Button>
          )}
        </DialogActions>
      </Dialog>
    </>
  );
}
