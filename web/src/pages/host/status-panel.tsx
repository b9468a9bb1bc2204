import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { AcceptKeyDialog } from './accept-key-dialog.tsx';
import styles from './host.module.css';
import { explainStatus } from './reason-words.ts';
import type { OwnStatus } from './use-host.ts';

interface StatusPanelProps {
  readonly address: string;
  readonly own: OwnStatus;
}

/** How it is, why, and what to do about it. */
export function StatusPanel({ address, own }: StatusPanelProps) {
  const { may } = useMay();
  const [isAccepting, setAccepting] = useState(false);
  const retry = useAsk(() => api.bootstrapHost({ address, body: {} }));
  const { status, reason = '', maintenance, pending_host_key: offered } = own;
  const { means, advice } = explainStatus(status, reason);
  return (
    <Panel title="Status">
      <div className={styles.status}>
        <p className={styles.lead}>{reason === '' ? means : reason}</p>
        {advice !== '' && <p>{advice}</p>}
        {maintenance.on && (
          <p className={styles.problem}>
            In maintenance{maintenance.reason === '' ? '.' : `: ${maintenance.reason}`}
          </p>
        )}
        {offered && (
          <div className={styles.row}>
            <p>
              Pending host key: {offered.type} <code className={styles.key}>{offered.fingerprint}</code>
            </p>
            {may('acceptHostKey') && <Button onClick={() => setAccepting(true)}>Review host key</Button>}
          </div>
        )}
        {status === 'failed' && !offered && may('bootstrapHost') && (
          <div className={styles.row}>
            <Button kind="primary" isBusy={retry.isBusy} onClick={() => retry.run()}>
              Retry bootstrap
            </Button>
          </div>
        )}
        <ProblemBox problem={retry.problem} />
      </div>
      {offered && (
        <AcceptKeyDialog
          address={address}
          offered={offered}
          isOpen={isAccepting}
          onClose={() => setAccepting(false)}
        />
      )}
    </Panel>
  );
}
