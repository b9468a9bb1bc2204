import { Link } from '@tanstack/react-router';
import type { Account } from '../../api/client.ts';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useApiQuery } from '../../api/use-api-query.ts';
import { RequirePermission, useAccount } from '../../auth/session.tsx';
import { ConfirmButton, DialogButton } from '../../ui/forms/form-dialog.tsx';
import { Page, Panel, QueryView } from '../../ui/page.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { AccountDialog } from './account-dialog.tsx';
import styles from './accounts.module.css';

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
