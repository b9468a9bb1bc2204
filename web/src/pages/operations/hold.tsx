import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import styles from './hold.module.css';

const useIsHeld = () =>
  useQuery({ queryKey: keys.hold, queryFn: ({ signal }) => answerOf(api.getGlobalPause({ signal })) }).data
    ?.paused;

/** Says so while all operations are held, and releases them. */
export function HeldBanner() {
  const { may, whyNot } = useMay();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  if (useIsHeld() !== true) return null;
  return (
    <section className={styles.held} aria-label="All operations are paused">
      <p>
        <strong>All operations are paused.</strong> No new hosts start. Hosts in flight finish.
      </p>
      <Button
        whyNot={may('resumeAllOperations') ? undefined : whyNot('resumeAllOperations')}
        onClick={() => setOpen(true)}
      >
        Resume all operations
      </Button>
      <Confirm
        title="Resume all operations"
        verb="Resume all operations"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        ask={async () => {
          await api.resumeAllOperations({ body: {} });
          await queryClient.invalidateQueries({ queryKey: keys.hold });
        }}
      >
        <p>Operations continue. Operations that were paused individually stay paused.</p>
      </Confirm>
    </section>
  );
}

/** Stops everything at once, for when something is badly wrong. */
export function HoldButton() {
  const { may, whyNot } = useMay();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  if (useIsHeld() !== false) return null;
  return (
    <>
      <Button
        kind="danger"
        whyNot={may('pauseAllOperations') ? undefined : whyNot('pauseAllOperations')}
        onClick={() => setOpen(true)}
      >
        Pause all operations
      </Button>
      <Confirm
        title="Pause all operations"
        verb="Pause all operations"
        isDangerous
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        ask={async () => {
          await api.pauseAllOperations({ body: {} });
          await queryClient.invalidateQueries({ queryKey: keys.hold });
        }}
      >
        <p>No operation on any cluster starts further hosts until you resume all operations.</p>
        <p>Hosts in flight finish. New operations wait.</p>
      </Confirm>
    </>
  );
}
