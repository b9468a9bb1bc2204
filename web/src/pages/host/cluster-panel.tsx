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
    <FormDialog title={`Add ${address} to a cluster`} verb="Add to cluster" ask={join} onClose={onClose}>
      {() => <ClusterSelect label="Cluster" name="cluster" none="Select a cluster" required />}
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
            Add to cluster
          </Button>
        )
      : may('removeMember') && (
          <Button size="small" onClick={() => setAsked('leave')}>
            Remove from cluster
          </Button>
        );
  return (
    <Panel title="Cluster" actions={action}>
      {cluster === undefined ? (
        <p className="soft">Not in a cluster.</p>
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
          title={`Remove ${address} from ${cluster}`}
          isOpen={asked === 'leave'}
          onClose={close}
          verb="Remove from cluster"
          isDangerous
          ask={() => api.removeMember({ name: cluster, address })}
        >
          <p>
            Hostler removes the network and container manager setup from the host. The host stays enrolled,
            and health checks continue.
          </p>
        </Confirm>
      )}
    </Panel>
  );
}
