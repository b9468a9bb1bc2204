import { useState } from 'react';
import { displayName } from '#sdk/host-progress.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { formatCount, truncateList } from '../ui/format/text.ts';
import { Form } from '../ui/forms/form.tsx';
import type { BulkAction, HostRequest } from './bulk-actions.tsx';
import styles from './bulk-dialog.module.css';
import { BulkProgressView, useBulkRun } from './bulk-progress.tsx';
import type { HostRow } from './host-table.ts';
import { runBulk, unfinishedAddresses } from './run-bulk.ts';

const MAX_LISTED = 50;

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly addresses: readonly string[];
  /** Undefined if the host was removed in the meantime. */
  readonly getHost: (address: string) => HostRow | undefined;
  readonly onClose: () => void;
}

export function BulkDialog({ action, addresses, getHost, onClose }: BulkDialogProps) {
  const { title, submitLabel = title, fields, isDestructive, createRequest } = action;
  const { progress, isRunning, start, stop } = useBulkRun();
  const [request, setRequest] = useState<{ readonly send: HostRequest }>();
  const hosts = formatCount(addresses.length, 'host');

  const run = (send: HostRequest, targets: readonly string[]) => {
    setRequest({ send });
    runBulk(targets, address => send(address, getHost(address)?.cluster ?? ''), start());
  };
  const toName = (address: string) => displayName(getHost(address) ?? { address, hostname: '' });
  const unfinished = progress?.isFinished ? unfinishedAddresses(progress) : [];

  return (
    <Dialog title={title(hosts)} onClose={isRunning ? stop : onClose}>
      {progress === undefined ? (
        <Form
          onSubmit={form =>
            run(
              createRequest(name => String(form.get(name) ?? '')),
              addresses,
            )
          }
          isLoading={false}
          error={undefined}
          actions={
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button variant={isDestructive ? 'danger' : 'primary'} type="submit">
                {submitLabel(hosts)}
              </Button>
            </DialogActions>
          }
        >
          {fields}
          <p className={styles.names}>{truncateList(addresses.map(toName), MAX_LISTED)}</p>
        </Form>
      ) : (
        <>
          <BulkProgressView progress={progress} toName={toName} />
          <DialogActions>
            {isRunning && <Button onClick={stop}>Stop</Button>}
            {request && unfinished.length > 0 && (
              <Button onClick={() => run(request.send, unfinished)}>
                Retry {formatCount(unfinished.length, 'host')}
              </Button>
            )}
            {!isRunning && (
              <Button variant="primary" onClick={onClose}>
                Close
              </Button>
            )}
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
