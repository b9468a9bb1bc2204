import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Account } from '../../api/client.ts';
import { api, fetchBody } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { RequirePermission, useAccount } from '../../auth/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/forms/form-dialog.tsx';
import { Page, Panel, QueryView } from '../../ui/page.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { AccountDialog } from './account-dialog.tsx';
import styles from './accounts.module.css';

export function AccountActions({ account }: { readonly account: Account }) {
  const { name } = account;
  const [dialog, setDialog] = useState<'edit' | 'end-sessions' | 'remove'>();
  const close = () => setDialog(undefined);

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
      <Button size="small" aria-label={`Edit account ${name}`} onClick={() => setDialog('edit')}>
        Edit
      </Button>
      <Button size="small" aria-label={`End sessions of ${name}`} onClick={() => setDialog('end-sessions')}>
        End sessions
      </Button>
      <Button size="small" variant="danger" aria-label={`Remove account ${name}`} onClick={() => setDialog('remove')}>
        Remove
      </Button>
      {dialog === 'edit' && <AccountDialog account={account} onClose={close} />}
      <ConfirmDialog
        title={`End all sessions of ${name}?`}
        isOpen={dialog === 'end-sessions'}
        onClose={close}
        confirmLabel="End sessions"
        isDestructive
        onConfirm={endSessions}
      >
        <p>{name} has to sign in again in every browser. The password does not change.</p>
      </ConfirmDialog>
      <ConfirmDialog
        title={`Remove account ${name}?`}
        isOpen={dialog === 'remove'}
        onClose={close}
        confirmLabel={`Remove ${name}`}
        isDestructive
        onConfirm={remove}
      >
        <p>The account can no longer sign in, and its sessions end. Its audit log entries are kept.</p>
      </ConfirmDialog>
    </div>
  );
}

const TITLE = 'Accounts';

function Accounts() {
  const ownAccount = useAccount();
  const [isCreating, setCreating] = useState(false);
  const query = useQuery({ queryKey: queryKeys.accounts, queryFn: () => fetchBody(api.listAccounts()) });
  const createButton = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      Create account
    </Button>
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
                {
                  title: 'Updated',
                  cell: ({ changed_at }) => <Timestamp at={changed_at} format="relative" />,
                },
                { title: 'Actions', align: 'end', cell: account => <AccountActions account={account} /> },
              ]}
            />
          )}
        </QueryView>
      </Panel>
      {isCreating && (
        <AccountDialog existingNames={query.data?.map(({ name }) => name) ?? []} onClose={() => setCreating(false)} />
      )}
    </Page>
  );
}

export const AccountsPage = () => (
  <RequirePermission route="listAccounts" title={TITLE}>
    <Accounts />
  </RequirePermission>
);
