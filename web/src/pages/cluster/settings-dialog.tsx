import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { ClusterRecord } from '../../clusters/health.ts';
import { SettingsFields } from '../../clusters/settings-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { notice } from '../../ui/notices.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { useAsk } from '../../ui/use-ask.ts';
import styles from './cluster.module.css';

/** A cluster as it was when somebody began to change it. */
export interface EditedCluster {
  readonly cluster: ClusterRecord;
  readonly etag: string;
}

function Form({ edited, onClose }: { readonly edited: EditedCluster; readonly onClose: () => void }) {
  const { name, network, container_manager } = edited.cluster;
  const [settings, setSettings] = useState({ network, container_manager });
  const { run, isBusy, problem } = useAsk(
    () => api.putCluster({ name, body: settings, headers: { 'if-match': edited.etag } }),
    () => {
      notice(`The settings of ${name} were changed.`);
      onClose();
    },
  );
  return (
    <form
      className={styles.choosing}
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (!isBusy) run();
      }}
    >
      <SettingsFields settings={settings} onChange={setSettings} />
      <p>The members stay; each is set up anew where the settings differ.</p>
      <ProblemBox problem={problem} />
      <DialogActions>
        <Button onClick={onClose}>Leave it</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Change settings
        </Button>
      </DialogActions>
    </form>
  );
}

interface SettingsDialogProps {
  /** `undefined`: it is closed. */
  readonly edited: EditedCluster | undefined;
  readonly onClose: () => void;
}

/** Network and container manager of a cluster. If somebody else has changed them meanwhile, that is told and nothing is done. */
export const SettingsDialog = ({ edited, onClose }: SettingsDialogProps) => (
  <Dialog title="Settings" isOpen={edited !== undefined} onClose={onClose}>
    {edited && <Form edited={edited} onClose={onClose} />}
  </Dialog>
);
