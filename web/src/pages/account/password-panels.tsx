import { useState } from 'react';
import type { Client } from '#sdk/client.ts';
import { createClient } from '#sdk/client.ts';
import { DASHBOARD_HEADERS, isUnauthenticated } from '../../api/client.ts';
import { useAccount, useSession } from '../../auth/session.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, useAction } from '../../ui/forms/form.tsx';
import { Panel } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';

/**
 * Authenticates with name and password instead of the session, so an unlocked screen is not enough. A wrong password
 * throws an error and does not end the session.
 */
async function callWithPassword(
  user: string,
  password: string,
  call: (client: Client, headers: typeof DASHBOARD_HEADERS) => Promise<unknown>,
): Promise<void> {
  try {
    await call(createClient({ baseUrl: location.origin, user, password }), DASHBOARD_HEADERS);
  } catch (error) {
    if (isUnauthenticated(error)) throw new Error('Incorrect password. Enter your current password.');
    throw error;
  }
}

/** Lets password managers find the account. */
const UserName = ({ name }: { readonly name: string }) => (
  <input type="text" name="user" value={name} autoComplete="username" readOnly hidden />
);

const EMPTY_FORM = { current: '', password: '', confirmation: '' };

/** The server ends all sessions of the account when its password changes, so this panel signs in again. */
export function ChangePasswordPanel() {
  const { name } = useAccount();
  const { signIn } = useSession();
  const [{ current, password, confirmation }, setValues] = useState(EMPTY_FORM);
  const [showMismatch, setShowMismatch] = useState(false);
  const isMatching = password === confirmation;

  const { run, isLoading, error } = useAction(
    async () => {
      await callWithPassword(name, current, (client, headers) =>
        client.changePassword({ ...headers, name, body: { password } }),
      );
      await signIn(name, password);
      showToast('Password changed. Other sessions were signed out.');
    },
    () => setValues(EMPTY_FORM),
  );
  const submit = () => {
    setShowMismatch(!isMatching);
    if (isMatching) run();
  };
  const field = (fieldName: keyof typeof EMPTY_FORM) => ({
    name: fieldName,
    type: 'password',
    required: true,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setValues(values => ({ ...values, [fieldName]: target.value })),
  });
  const actions = (
    <div>
      <Button variant="primary" type="submit" isLoading={isLoading}>
        Change password
      </Button>
    </div>
  );

  return (
    <Panel title="Password">
      <Form onSubmit={submit} isLoading={isLoading} error={error} fields={['password']} actions={actions}>
        <UserName name={name} />
        <TextField label="Current password" {...field('current')} value={current} autoComplete="current-password" />
        <TextField label="New password" {...field('password')} value={password} autoComplete="new-password" />
        <TextField
          label="Confirm new password"
          {...field('confirmation')}
          value={confirmation}
          autoComplete="new-password"
          error={showMismatch && !isMatching ? 'The passwords do not match.' : undefined}
        />
      </Form>
    </Panel>
  );
}

/** The server ends all sessions of the account, so this panel signs in again. */
export function SessionsPanel() {
  const { name } = useAccount();
  const { signIn } = useSession();
  const [password, setPassword] = useState('');
  const { run, isLoading, error } = useAction(
    async () => {
      await callWithPassword(name, password, (client, headers) => client.removeSessions({ ...headers, name }));
      await signIn(name, password);
      showToast('Other sessions signed out');
    },
    () => setPassword(''),
  );
  const actions = (
    <div>
      <Button type="submit" isLoading={isLoading}>
        Sign out other sessions
      </Button>
    </div>
  );
  return (
    <Panel title="Other sessions">
      <Form onSubmit={() => run()} isLoading={isLoading} error={error} actions={actions}>
        <p>Sign out in every other browser. You stay signed in here.</p>
        <UserName name={name} />
        <TextField
          label="Password"
          name="current_password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </Form>
    </Panel>
  );
}
