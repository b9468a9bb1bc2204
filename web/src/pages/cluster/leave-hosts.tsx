import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { notice } from '../../ui/notices.tsx';
import { EachHostReport } from './each-host-report.tsx';
import { useEachHost } from './use-each-host.ts';

interface LeaveHostsProps {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly onDone: () => void;
}

/** Takes hosts out of the cluster, after asking once more. */
export function LeaveHosts({ name, addresses, onDone }: LeaveHostsProps) {
  /** Those that it was opened for: while they leave, the list of members gets shorter. */
  const [asked, setAsked] = useState<readonly string[]>();
  const { state, run, stop, forget } = useEachHost(address => api.removeMember({ name, address }));
  const isBusy = state !== undefined && !state.isOver;
  const close = () => {
    stop();
    forget();
    setAsked(undefined);
  };
  const leave = async () => {
    const over = await run(asked ?? []);
    if (over.refused.length > 0) return;
    notice(`${over.done} ${over.done === 1 ? 'host has' : 'hosts have'} left ${name}.`);
    close();
    onDone();
  };
  const words = (count: number) => `${count} ${count === 1 ? 'host' : 'hosts'}`;
  return (
    <>
      <Button size="small" kind="danger" onClick={() => setAsked(addresses)}>
        Take {words(addresses.length)} out
      </Button>
      <Dialog
        title={`Take ${words(asked?.length ?? 0)} out of ${name}?`}
        isOpen={asked !== undefined}
        onClose={close}
      >
        <p>They stay as hosts. What their network and container manager have set up on them is taken away.</p>
        {state && <EachHostReport of={state} verb="have left" />}
        <DialogActions>
          <Button onClick={close}>{state === undefined ? 'Leave it' : isBusy ? 'Stop' : 'Close'}</Button>
          {!state?.isOver && (
            <Button kind="danger" isBusy={isBusy} onClick={leave}>
              Take out
            </Button>
          )}
        </DialogActions>
      </Dialog>
    </>
  );
}
