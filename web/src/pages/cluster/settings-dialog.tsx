import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { ClusterRecord } from '../../clusters/health.ts';
import { SettingsFields } from '../../clusters/settings-fields.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { notice } from '../../ui/notices.tsx';

/** A cluster as it was when somebody began to change it. */
export interface EditedCluster {
  readonly cluster: ClusterRecord;
  readonly etag: string;
}

interface SettingsDialogProps {
  readonly edited: EditedCluster;
  readonly onClose: () => void;
}

/** Network and container manager of a cluster. If somebody else has changed them meanwhile, that is told and nothing is done. */
export function SettingsDialog({ edited, onClose }: SettingsDialogProps) {
  const { name, network, container_manager } = edited.cluster;
  const [settings, setSettings] = useState({ network, container_manager });
  const change = async () => {
    await api.putCluster({ name, body: settings, headers: { 'if-match': edited.etag } });
    notice(`Settings of ${name} saved`);
  };
  return (
    <FormDialog title={`Edit ${name}`} verb="Save settings" ask={change} onClose={onClose}>
      {() => (
        <>
          <SettingsFields settings={settings} onChange={setSettings} />
          <p>Saving keeps all hosts in the cluster and sets them up again.</p>
        </>
      )}
    </FormDialog>
  );
}
