import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useApiQuery } from '../../api/use-api-query.ts';
import { usePermissions } from '../../auth/session.tsx';
import { ConfirmButton } from '../../ui/forms/form-dialog.tsx';
import styles from './pause-all.module.css';

const useIsPaused = () =>
  useApiQuery(queryKeys.globalPause, ({ signal }) => api.getGlobalPause({ signal })).data?.paused;

export function PausedBanner() {
  const { deniedReason } = usePermissions();
  const queryClient = useQueryClient();
  if (useIsPaused() !== true) return null;
  return (
    <section className={styles.banner} aria-label="All operations are paused">
      <p>
        <strong>All operations are paused.</strong> No new hosts start. Hosts in flight finish.
      </p>
      <ConfirmButton
        button={{ disabledReason: deniedReason('resumeAllOperations'), children: 'Resume all operations' }}
        title="Resume all operations"
        confirmLabel="Resume all operations"
        onConfirm={async () => {
          await api.resumeAllOperations({ body: {} });
          await queryClient.invalidateQueries({ queryKey: queryKeys.globalPause });
        }}
      >
        <p>Operations continue. Operations that were paused individually stay paused.</p>
      </ConfirmButton>
    </section>
  );
}

export function PauseAllButton() {
  const { deniedReason } = usePermissions();
  const queryClient = useQueryClient();
  if (useIsPaused() !== false) return null;
  return (
    <ConfirmButton
      button={{
        variant: 'danger',
        disabledReason: deniedReason('pauseAllOperations'),
        children: 'Pause all operations',
      }}
      title="Pause all operations"
      confirmLabel="Pause all operations"
      isDestructive
      onConfirm={async () => {
        await api.pauseAllOperations({ body: {} });
        await queryClient.invalidateQueries({ queryKey: queryKeys.globalPause });
      }}
    >
      <p>No operation on any cluster starts further hosts until you resume all operations.</p>
      <p>Hosts in flight finish. New operations wait.</p>
    </ConfirmButton>
  );
}
