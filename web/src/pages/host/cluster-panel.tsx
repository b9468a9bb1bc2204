import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ClusterSelect } from '../../clusters/cluster-select.tsx';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Panel } from '../../ui/page.tsx';
import type { OwnStatus } from './use-host.ts';

interface JoinDialogProps {
  readonly address: string;
  readonly onClose: () => void;
}

function JoinDialog({ address, onClose }: JoinDialogProps) {
  const join = (typed: FormData) => api.addMember({ name: String(typed.get('cluster')), address, body: {} });
  return (
    <FormDialog title={`Put ${address} into a cluster`} verb="Join the cluster" ask={join} onClose={onClose}>
      {() => <ClusterSelect label="Cluster" name="cluster" none="Select one" required />}
    </FormDialog>
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
