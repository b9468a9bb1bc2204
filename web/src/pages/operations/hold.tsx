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
    <section className={styles.held} aria-label="All operations are held">
      <p>
        <strong>All operations are held.</strong> Nothing new is started on any host; what is in flight comes
        to its end.
      </p>
      <Button
        whyNot={may('resumeAllOperations') ? undefined : whyNot('resumeAllOperations')}
        onClick={() => setOpen(true)}
      >
        Release all
      </Button>
      <Confirm
        title="Release all operations"
        verb="Release all"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        ask={async () => {
          await api.resumeAllOperations({ body: {} });
          await queryClient.invalidateQueries({ queryKey: keys.hold });
        }}
      >
        <p>Operations go on where they were. Those that were paused one by one stay paused.</p>
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
        Hold all operations
      </Button>
      <Confirm
        title="Hold all operations"
        verb="Hold all"
        isDangerous
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        ask={async () => {
          await api.pauseAllOperations({ body: {} });
          await queryClient.invalidateQueries({ queryKey: keys.hold });
        }}
      >
        <p>No operation starts on another host, on any cluster, until they are released.</p>
        <p>What is in flight comes to its end. New operations can be made; they wait.</p>
      </Confirm>
    </>
  );
}
