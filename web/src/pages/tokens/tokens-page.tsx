import { Link } from '@tanstack/react-router';
import type { Static } from 'typebox';
import type { Token } from '#contract/routes/tokens.ts';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useApiQuery } from '../../api/use-api-query.ts';
import { RequirePermission } from '../../auth/session.tsx';
import { formatNumber } from '../../ui/format/text.ts';
import { ConfirmButton, DialogButton } from '../../ui/forms/form-dialog.tsx';
import { ClusterLink } from '../../ui/links.tsx';
import { EmptyState, Page, Panel, QueryView } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { Column } from '../../ui/tables/table.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { TokenDialog } from './token-dialog.tsx';

function RemoveTokenButton({ name }: { readonly name: string }) {
  const remove = async () => {
    await api.removeToken({ name });
    showToast(`Enrolment token ${name} removed`);
  };
  return (
    <ConfirmButton
      button={{ size: 'small', variant: 'danger', 'aria-label': `Remove enrolment token ${name}`, children: 'Remove' }}
      title={`Remove enrolment token ${name}?`}
      confirmLabel={`Remove ${name}`}
      isDestructive
      onConfirm={remove}
    >
      <p>Hosts can no longer enrol with this token. Hosts that are already enrolled are not affected.</p>
    </ConfirmButton>
  );
}

const TITLE = 'Enrolment tokens';

const NoTokens = () => (
  <EmptyState title="No enrolment tokens yet">
    <p>
      Hosts use an enrolment token to enrol themselves without sending a private key. Limit each token by number of
      hosts, lifetime and source network.
    </p>
    <p>
      Using cloud-init? Generate user data on a <Link to="/clusters">cluster</Link>’s page instead.
    </p>
  </EmptyState>
);

const COLUMNS: readonly Column<Static<typeof Token>>[] = [
  { title: 'Name', isName: true, cell: ({ name }) => name },
  { title: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
  { title: 'Cluster', cell: ({ cluster }) => (cluster === '' ? 'None' : <ClusterLink name={cluster} />) },
  {
    title: 'Hosts',
    align: 'end',
    cell: ({ used, uses }) => `${formatNumber(used)} of ${formatNumber(uses)}`,
  },
  { title: 'Source network', cell: ({ cidr }) => (cidr === '' ? 'Any' : <code>{cidr}</code>) },
  { title: 'Expires', cell: ({ expires_at }) => <Timestamp at={expires_at} format="relative" /> },
  { title: 'Created', cell: ({ created_at }) => <Timestamp at={created_at} format="relative" /> },
  { title: 'Actions', align: 'end', cell: ({ name }) => <RemoveTokenButton name={name} /> },
];

function Tokens() {
  const query = useApiQuery(queryKeys.tokens, () => api.listTokens());
  const createButton = (
    <DialogButton variant="primary" dialog={close => <TokenDialog onClose={close} />}>
      Create token
    </DialogButton>
  );
  return (
    <Page title={TITLE} actions={createButton}>
      <Panel title="All enrolment tokens" isFlush>
        <QueryView query={query} label="enrolment tokens">
          {tokens =>
            tokens.length === 0 ? (
              <NoTokens />
            ) : (
              <Table label={TITLE} rows={tokens} rowKey={({ name }) => name} columns={COLUMNS} />
            )
          }
        </QueryView>
      </Panel>
    </Page>
  );
}

export const TokensPage = () => (
  <RequirePermission route="listTokens" title={TITLE}>
    <Tokens />
  </RequirePermission>
);
