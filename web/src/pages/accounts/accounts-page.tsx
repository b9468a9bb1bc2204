import { Link } from '@tanstack/react-router';
import type { Role } from '#vocabulary';
import { ROLES } from '#vocabulary';
import type { Account } from '../../api/client.ts';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useApiQuery } from '../../api/use-api-query.ts';
import { RequirePermission, useAccount } from '../../auth/session.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { ConfirmButton, DialogButton, FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Page, Panel, QueryView } from '../../ui/page.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { showToast } from '../../ui/toasts.tsx';
import styles from './accounts.module.css';

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
    if (account && role === account.role && password !== '') await api.changePassword({ name, body: { password } });
    else await api.putAccount({ name, body: { role, password: password === '' ? undefined : password } });
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
            ? 'Leave empty to keep the password. A new role or password signs the account out everywhere.'
            : 'Give this password to the account’s user. They can change it later.'
        }
        required={account === undefined}
      />
    </FormDialog>
  );
}

function AccountActions({ account }: { readonly account: Account }) {
  const { name } = account;
  const endSessions = async () => {
    await api.removeSessions({ name });
    showToast(`All sessions of ${name} ended`);
  };
  const remove = async () => {
    await api.removeAccount({ name });
    showToast(`Account ${name} removed`);
  };

  return (
    <div className={styles.actions}>
      <DialogButton
        size="small"
        aria-label={`Edit account ${name}`}
        dialog={close => <AccountDialog account={account} onClose={close} />}
      >
        Edit
      </DialogButton>
      <ConfirmButton
        button={{ size: 'small', 'aria-label': `End sessions of ${name}`, children: 'End sessions' }}
        title={`End all sessions of ${name}?`}
        confirmLabel="End sessions"
        isDestructive
        onConfirm={endSessions}
      >
        <p>{name} has to sign in again in every browser. The password does not change.</p>
      </ConfirmButton>
      <ConfirmButton
        button={{ size: 'small', variant: 'danger', 'aria-label': `Remove account ${name}`, children: 'Remove' }}
        title={`Remove account ${name}?`}
        confirmLabel={`Remove ${name}`}
        isDestructive
        onConfirm={remove}
      >
        <p>The account can no longer sign in, and its sessions end. Its audit log entries are kept.</p>
      </ConfirmButton>
    </div>
  );
}

const TITLE = 'Accounts';

function Accounts() {
  const ownAccount = useAccount();
  const query = useApiQuery(queryKeys.accounts, () => api.listAccounts());
  const existingNames = query.data?.map(({ name }) => name) ?? [];
  const createButton = (
    <DialogButton variant="primary" dialog={close => <AccountDialog existingNames={existingNames} onClose={close} />}>
      Create account
    </DialogButton>
  );
  return (
    <Page title={TITLE} actions={createButton}>
      <Panel title="All accounts" isFlush>
        <QueryView query={query} label="accounts">
          {accounts => (
            <Table
              label={TITLE}
              rows={accounts}
              rowKey={({ name }) => name}
              columns={[
                {
                  title: 'Name',
                  isName: true,
                  cell: ({ name }) =>
                    name === ownAccount.name ? (
                      <>
                        {name} · <Link to="/account">you</Link>
                      </>
                    ) : (
                      name
                    ),
                },
                { title: 'Role', cell: ({ role }) => role },
                { title: 'Created', cell: ({ created_at }) => <Timestamp at={created_at} /> },
                { title: 'Updated', cell: ({ changed_at }) => <Timestamp at={changed_at} format="relative" /> },
                { title: 'Actions', align: 'end', cell: account => <AccountActions account={account} /> },
              ]}
            />
          )}
        </QueryView>
      </Panel>
    </Page>
  );
}

export const AccountsPage = () => (
  <RequirePermission route="listAccounts" title={TITLE}>
    <Accounts />
  </RequirePermission>
);
