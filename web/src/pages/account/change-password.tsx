import { useState } from 'react';
import { useMe, useSession } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { fieldErrors } from '../../ui/forms/field-errors.ts';
import { Form } from '../../ui/forms/form.tsx';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { notice } from '../../ui/notices.tsx';
import { Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { withPassword } from './with-password.ts';

const NOTHING = { current: '', next: '', again: '' };

/** A new password ends every session of the account, so this page signs in again by it and goes on. */
export function ChangePassword() {
  const { name } = useMe();
  const { signIn } = useSession();
  const [{ current, next, again }, setTyped] = useState(NOTHING);
  const [isTold, setTold] = useState(false);
  const isSame = next === again;

  const { run, isBusy, problem } = useAsk(
    async () => {
      await withPassword(name, current, (client, caller) =>
        client.changePassword({ ...caller, name, body: { password: next } }),
      );
      await signIn(name, next);
      notice('Password changed. Other sessions were signed out.');
    },
    () => setTyped(NOTHING),
  );
  const submit = () => {
    setTold(!isSame);
    if (isSame) run();
  };
  const field = (part: keyof typeof NOTHING) => ({
    type: 'password',
    required: true,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setTyped(typed => ({ ...typed, [part]: target.value })),
  });

  const errors = fieldErrors(problem, ['password']);
  return (
    <Panel title="Password">
      <Form onSubmit={submit} isBusy={isBusy} problem={problem}>
        <ProblemBox problem={errors.summary} />
        <input type="text" name="user" value={name} autoComplete="username" readOnly hidden />
        <TextField
          label="Current password"
          {...field('current')}
          value={current}
          autoComplete="current-password"
        />
        <TextField
          label="New password"
          {...field('next')}
          value={next}
          autoComplete="new-password"
          error={errors.of['password']}
        />
        <TextField
          label="Confirm new password"
          {...field('again')}
          value={again}
          autoComplete="new-password"
          error={isTold && !isSame ? 'The passwords do not match.' : undefined}
        />
        <ProblemBox problem={errors.rest} />
        <div>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Change password
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
