import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { useLiveState } from '../live/use-live-state.ts';
import { Dialog } from '../ui/dialog.tsx';
import icon from '../ui/icon.svg';
import { ProblemBox } from '../ui/problem-box.tsx';
import { ConfirmPassword } from './confirm-password.tsx';
import { useSession } from './session.tsx';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';

/** Pages wait so long for the stream of events, so that nothing happens between it and the first read. */
const WAIT_FOR_EVENTS_MS = 1500;

function useIsFollowing(): boolean {
  const state = useLiveState();
  const [hasWaited, setHasWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasWaited(true), WAIT_FOR_EVENTS_MS);
    return () => clearTimeout(timer);
  }, []);
  // What is shown stays, whatever becomes of the stream.
  useEffect(() => {
    if (state === 'live') setHasWaited(true);
  }, [state]);
  return state === 'live' || hasWaited;
}

function Card({ children }: { readonly children: ReactNode }) {
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <h1 className={styles.brand}>
          <img src={icon} alt="" width={32} height={32} /> Hostler
        </h1>
        {children}
      </div>
    </main>
  );
}

function Followed({ children }: { readonly children: ReactNode }) {
  return useIsFollowing() ? children : null;
}

/** Shows the pages to whoever is signed in. One whose session is over signs in again on top of the page, which stays as it is. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const { known } = useSession();
  if (known.state === 'unknown')
    return known.problem === undefined ? null : (
      <Card>
        <ProblemBox problem={known.problem} />
        <p className={styles.hint}>Retrying every 2 seconds…</p>
      </Card>
    );
  if (known.state === 'nobody')
    return (
      <Card>
        <SignInForm />
        <p className={styles.hint}>
          First time here? Sign in as <code>admin</code> with the password that was printed when the server
          first started. To reset it, run <code>hostler admin reset-password</code> on the server.
        </p>
      </Card>
    );
  return (
    <>
      <Followed key={`${known.me.name} ${known.me.role}`}>{children}</Followed>
      <ConfirmPassword key={`confirm ${known.me.name}`} />
      {known.isOver && (
        <Dialog title="Sign in again" isOpen>
          <p className={styles.hint}>Your session has expired. Sign in to continue where you left off.</p>
          <SignInForm user={known.me.name} />
        </Dialog>
      )}
    </>
  );
}
