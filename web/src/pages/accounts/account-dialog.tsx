import type { Role } from '#vocabulary';
import { ROLES } from '#vocabulary';
import type { Account } from '../../api/client.ts';
import { api } from '../../api/client.ts';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';

const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  admin: 'full access, including accounts and secrets',
  operator: 'manages hosts, clusters and operations',
  viewer: 'read-only access',
  enrol: 'can only enrol hosts',
};

interface AccountDialogProps {
  /** The account to edit. If omitted, the dialog creates an account. */
  readonly account?: Account;
  readonly existingNames?: readonly string[];
  readonly onClose: () => void;
}

export function AccountDialog({ account, existingNames = [], onClose }: AccountDialogProps) {
  const save = async (form: FormData) => {
    const name = account?.name ?? String(form.get('name'));
    const role = ROLES.find(option => option === form.get('role')) ?? 'viewer';
    const password = String(form.get('password'));
    // Otherwise the server would change the password of the existing account.
    if (account === undefined && existingNames.includes(name))
      throw new Error(`An account named ${name} already exists. Edit that account or choose another name.`);
    if (account && role === account.role) await api.changePassword({ name, body: { password } });
    else await api.putAccount({ name, body: { role, password } });
    showToast(`Account ${name} ${account ? 'saved' : 'created'}`);
  };

  return (
    <FormDialog
      title={account ? `Edit account ${account.name}` : 'Create account'}
      submitLabel={account ? 'Save account' : 'Create account'}
      onSubmit={save}
      onClose={onClose}
      fields={['name', 'role', 'password']}
    >
      {account === undefined && <TextField label="Name" name="name" autoComplete="off" required autoFocus />}
      <SelectField label="Role" name="role" defaultValue={account?.role ?? 'viewer'}>
        {ROLES.map(option => (
          <option key={option} value={option}>
            {option}: {ROLE_DESCRIPTIONS[option]}
          </option>
        ))}
      </SelectField>
      <TextField
        label={account ? 'New password' : 'Password'}
        name="password"
        type="password"
        autoComplete="new-password"
        hint={
          account
            ? 'Saving sets a new password and signs the account out everywhere.'
            : 'Give this password to the account’s user. They can change it later.'
        }
        required
      />
    </FormDialog>
  );
}
