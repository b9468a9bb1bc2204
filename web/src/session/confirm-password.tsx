import { useEffect, useState } from 'react';
import { api } from '../api/client.ts';
import { onConfirmationNeeded } from '../api/confirmation.ts';
import { TextField } from '../ui/forms/field.tsx';
import { FormDialog } from '../ui/forms/form-dialog.tsx';
import { useMe } from './session.tsx';

/** Asks for the password in a dialog when a request or a page needs a confirmation. */
export function ConfirmPassword() {
  const { name } = useMe();
  const [settle, setSettle] = useState<(isConfirmed: boolean) => void>();
  useEffect(() => onConfirmationNeeded(() => new Promise(resolve => setSettle(() => resolve))), []);
  // A request that still waits when the page is left gets its refusal.
  useEffect(() => () => settle?.(false), [settle]);
  if (settle === undefined) return null;
  const close = (isConfirmed: boolean) => {
    settle(isConfirmed);
    setSettle(undefined);
  };
  return (
    <FormDialog
      title="Confirm your password"
      verb="Confirm"
      ask={typed => api.confirmSession({ body: { current_password: String(typed.get('current_password')) } })}
      onDone={() => close(true)}
      onClose={() => close(false)}
      fields={['current_password']}
    >
      {errors => (
        <>
          <p>
            Confirm your password to change accounts or tokens, or to view or change credentials. You are
            asked again after five minutes.
          </p>
          <input type="text" name="user" value={name} autoComplete="username" readOnly hidden />
          <TextField
            label="Password"
            name="current_password"
            type="password"
            autoComplete="current-password"
            error={errors['current_password']}
            required
          />
        </>
      )}
    </FormDialog>
  );
}
