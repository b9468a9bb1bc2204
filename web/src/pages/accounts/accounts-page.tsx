import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Needs } from '../../session/needs.tsx';
import { useMe } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { Read } from '../../ui/read.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { When } from '../../ui/when.tsx';
import { AccountActions } from './account-actions.tsx';
import { AccountDialog } from './account-dialog.tsx';

const TITLE = 'Accounts';

function Accounts() {
  const me = useMe();
  const [isAdding, setAdding] = useState(false);
  const query = useQuery({ queryKey: keys.accounts, queryFn: () => answerOf(api.listAccounts()) });
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      Create account
    </Button>
  );
  return (
    <Page title={TITLE} actions={add}>
      <Panel title="All accounts" isFlush>
        <Read of={query} what="accounts">
          {accounts => (
            <Table
              label={TITLE}
              rows={accounts}
              keyOf={({ name }) => name}
              columns={[
                {
                  title: 'Name',
                  isName: true,
                  cell: ({ name }) =>
                    name === me.name ? (
                      <>
                        {name} · <Link to="/account">you</Link>
                      </>
                    ) : (
                      name
                    ),
                },
                { title: 'Role', cell: ({ role }) => role },
                { title: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
                { title: 'Updated', cell: ({ changed_at }) => <When at={changed_at} as="ago" /> },
                { title: 'Actions', align: 'end', cell: account => <AccountActions account={account} /> },
              ]}
            />
          )}
        </Read>
      </Panel>
      {isAdding && (
        <AccountDialog others={query.data?.map(({ name }) => name) ?? []} onClose={() => setAdding(false)} />
      )}
    </Page>
  );
}

/** Who may do what; for admins. */
export const AccountsPage = () => (
  <Needs route="listAccounts" title={TITLE}>
    <Accounts />
  </Needs>
);
