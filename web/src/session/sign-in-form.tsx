import type { FormEvent } from 'react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { useSession } from './session.tsx';
import styles from './sign-in.module.css';

/** Asks for name and password. `user`: who was signed in before. */
export function SignInForm({ user = '' }: { readonly user?: string }) {
  const { signIn } = useSession();
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    setBusy(true);
    setProblem(undefined);
    try {
      await signIn(String(fields.get('user')), String(fields.get('password')));
    } catch (error) {
      setProblem(error);
      form.querySelector<HTMLInputElement>('input[name=password]')?.select();
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="Account"
        name="user"
        defaultValue={user}
        autoComplete="username"
        required
        autoFocus={user === ''}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus={user !== ''}
      />
      <ProblemBox problem={problem} />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        Sign in
      </Button>
    </form>
  );
}
