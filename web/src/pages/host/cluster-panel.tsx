import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ClusterSelect } from '../../clusters/cluster-select.tsx';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import styles from './host.module.css';
import type { OwnStatus } from './use-host.ts';

interface JoinDialogProps {
  readonly address: string;
  readonly onClose: () => void;
}

function JoinDialog({ address, onClose }: JoinDialogProps) {
  const { run, isBusy, problem } = useAsk(
    (name: string) => api.addMember({ name, address, body: {} }),
    onClose,
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    run(String(new FormData(event.currentTarget).get('cluster')));
  };
  return (
    <Dialog title={`Put ${address} into a cluster`} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <ClusterSelect label="Cluster" name="cluster" none="Select one" required />
        <ProblemBox problem={problem} />
        <DialogActions>
          <Button onClick={onClose}>Leave it</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Join the cluster
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The cluster that it is in, and the way in and out. */
export function ClusterPanel({ address, own }: { readonly address: string; readonly own: OwnStatus }) {
  const { may } = useMay();
  const [asked, setAsked] = useState<'join' | 'leave'>();
  const { cluster } = own;
  const close = () => setAsked(undefined);
  const action =
    cluster === undefined
      ? may('addMember') && (
          <Button size="small" onClick={() => setAsked('join')}>
            Join a cluster
          </Button>
        )
      : may('removeMember') && (
          <Button size="small" onClick={() => setAsked('leave')}>
            Leave the cluster
          </Button>
        );
  return (
    <Panel title="Cluster" actions={action}>
      {cluster === undefined ? (
        <p className="soft">It is in no cluster.</p>
      ) : (
        <p>
          Member of{' '}
          <Link to="/clusters/$name" params={{ name: cluster }}>
            {cluster}
          </Link>
        </p>
      )}
      {asked === 'join' && <JoinDialog address={address} onClose={close} />}
      {cluster !== undefined && (
        <Confirm
          title={`Take ${address} out of ${cluster}`}
          isOpen={asked === 'leave'}
          onClose={close}
          verb="Leave the cluster"
          isDangerous
          ask={() => api.removeMember({ name: cluster, address })}
        >
          <p>It undoes what brought it in, stays as a host, and is watched.</p>
        </Confirm>
      )}
    </Panel>
  );
}
