import type { FormEvent, ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { api } from '../api/client.ts';
import { onConfirmationNeeded } from '../api/confirmation.ts';
import { useConnectionState } from '../live/live-events.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBox } from '../ui/callout.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useConstraintErrors } from '../ui/forms/field-constraints.ts';
import { FormDialog } from '../ui/forms/form-dialog.tsx';
import icon from '../ui/icon.svg';
import styles from './auth-gate.module.css';
import { useAccount, useSession } from './session.tsx';

function ConfirmPasswordDialog() {
  const { name } = useAccount();
  const [settle, setSettle] = useState<(isConfirmed: boolean) => void>();
  useEffect(() => onConfirmationNeeded(() => new Promise(resolve => setSettle(() => resolve))), []);
  // Cancels the pending request when the dialog unmounts.
  useEffect(() => () => settle?.(false), [settle]);
  if (settle === undefined) return null;
  const close = (isConfirmed: boolean) => {
    settle(isConfirmed);
    setSettle(undefined);
  };
  return (
    <FormDialog
      title="Confirm your password"
      submitLabel="Confirm"
      onSubmit={formData =>
        api.confirmSession({ body: { current_password: String(formData.get('current_password')) } })
      }
      onDone={() => close(true)}
      onClose={() => close(false)}
      fields={['current_password']}
    >
      <p>
        Confirm your password to change accounts or tokens, or to view or change credentials. You are asked again after
        five minutes.
      </p>
      <input type="text" name="user" value={name} autoComplete="username" readOnly hidden />
      <TextField label="Password" name="current_password" type="password" autoComplete="current-password" required />
    </FormDialog>
  );
}

function SignInForm({ user = '' }: { readonly user?: string }) {
  const { signIn } = useSession();
  const [error, setError] = useState<unknown>();
  const [isLoading, setLoading] = useState(false);
  const constraints = useConstraintErrors();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const [invalid] = Object.keys(constraints.validate(form));
    if (invalid !== undefined) {
      form.querySelector<HTMLInputElement>(`input[name=${invalid}]`)?.focus();
      return;
    }
    const fields = new FormData(form);
    setLoading(true);
    setError(undefined);
    try {
      await signIn(String(fields.get('user')), String(fields.get('password')));
    } catch (error) {
      setError(error);
      form.querySelector<HTMLInputElement>('input[name=password]')?.select();
    } finally {
      setLoading(false);
    }
  };

  return (
    <form
      className={styles.form}
      noValidate
      onInput={event => constraints.revalidate(event.currentTarget)}
      onSubmit={submit}
    >
      <TextField
        label="Account"
        name="user"
        defaultValue={user}
        autoComplete="username"
        error={constraints.errors['user']}
        required
        autoFocus={user === ''}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={constraints.errors['password']}
        required
        autoFocus={user !== ''}
      />
      <ErrorBox error={error} />
      <Button variant="primary" type="submit" isLoading={isLoading}>
        Sign in
      </Button>
    </form>
  );
}

/** Pages wait for the event stream before their first read, so they miss no event in between. */
const STREAM_TIMEOUT_MS = 1500;

function StreamReady({ children }: { readonly children: ReactNode }) {
  const state = useConnectionState();
  const [hasWaited, setHasWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasWaited(true), STREAM_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, []);
  // A later disconnect must not hide the pages.
  useEffect(() => {
    if (state === 'live') setHasWaited(true);
  }, [state]);
  return state === 'live' || hasWaited ? children : null;
}

function SignInCard({ children }: { readonly children: ReactNode }) {
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

/**
 * Renders the pages for a signed-in account. After the session expires, a sign-in dialog opens over the page, which
 * keeps its state.
 */
export function AuthGate({ children }: { readonly children: ReactNode }) {
  const { authState } = useSession();
  if (authState.state === 'unknown')
    return authState.error === undefined ? null : (
      <SignInCard>
        <ErrorBox error={authState.error} />
        <p className={styles.hint}>Retrying every 2 seconds…</p>
      </SignInCard>
    );
  if (authState.state === 'signed_out')
    return (
      <SignInCard>
        <SignInForm />
        <p className={styles.hint}>
          First time here? Sign in as <code>admin</code> with the password that was printed when the server first
          started. To reset it, run <code>hostler admin reset-password</code> on the server.
        </p>
      </SignInCard>
    );
  return (
    <>
      <StreamReady key={`${authState.account.name} ${authState.account.role}`}>{children}</StreamReady>
      <ConfirmPasswordDialog key={`confirm ${authState.account.name}`} />
      {authState.isExpired && (
        <Dialog title="Sign in again">
          <p className={styles.hint}>Your session has expired. Sign in to continue where you left off.</p>
          <SignInForm user={authState.account.name} />
        </Dialog>
      )}
    </>
  );
}
