import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, fetchBody } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { usePermissions } from '../../auth/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/forms/form-dialog.tsx';
import styles from './pause-all.module.css';

const useIsPaused = () =>
  useQuery({
    queryKey: queryKeys.globalPause,
    queryFn: ({ signal }) => fetchBody(api.getGlobalPause({ signal })),
  }).data?.paused;

export function PausedBanner() {
  const { can, deniedReason } = usePermissions();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  if (useIsPaused() !== true) return null;
  return (
    <section className={styles.banner} aria-label="All operations are paused">
      <p>
        <strong>All operations are paused.</strong> No new hosts start. Hosts in flight finish.
      </p>
      <Button
        disabledReason={can('resumeAllOperations') ? undefined : deniedReason('resumeAllOperations')}
        onClick={() => setOpen(true)}
      >
        Resume all operations
      </Button>
      <ConfirmDialog
        title="Resume all operations"
        confirmLabel="Resume all operations"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={async () => {
          await api.resumeAllOperations({ body: {} });
          await queryClient.invalidateQueries({ queryKey: queryKeys.globalPause });
        }}
      >
        <p>Operations continue. Operations that were paused individually stay paused.</p>
      </ConfirmDialog>
    </section>
  );
}

export function PauseAllButton() {
  const { can, deniedReason } = usePermissions();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  if (useIsPaused() !== false) return null;
  return (
    <>
      <Button
        variant="danger"
        disabledReason={can('pauseAllOperations') ? undefined : deniedReason('pauseAllOperations')}
        onClick={() => setOpen(true)}
      >
        Pause all operations
      </Button>
      <ConfirmDialog
        title="Pause all operations"
        confirmLabel="Pause all operations"
        isDestructive
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={async () => {
          await api.pauseAllOperations({ body: {} });
          await queryClient.invalidateQueries({ queryKey: queryKeys.globalPause });
        }}
      >
        <p>No operation on any cluster starts further hosts until you resume all operations.</p>
        <p>Hosts in flight finish. New operations wait.</p>
      </ConfirmDialog>
    </>
  );
}
