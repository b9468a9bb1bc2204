import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Static } from 'typebox';
import type { Token } from '#contract/routes/tokens.ts';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useApiQuery } from '../../api/use-api-query.ts';
import { RequirePermission } from '../../auth/session.tsx';
import { ClusterSelect } from '../../clusters/cluster-select.tsx';
import { toTokenInput } from '../../enrolment/enrolment-input.ts';
import { TOKEN_FIELDS, TokenFields } from '../../enrolment/token-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyableText } from '../../ui/code-block.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { formatNumber } from '../../ui/format/text.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { ConfirmButton, DialogButton, FormDialog } from '../../ui/forms/form-dialog.tsx';
import { ClusterLink } from '../../ui/links.tsx';
import { EmptyState, Page, Panel, QueryView } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { Column } from '../../ui/tables/table.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { enrolmentScript } from './enrolment-script.ts';

interface TokenSecretProps {
  readonly name: string;
  /** Only the response that created the token contains it. */
  readonly secret: string | undefined;
  readonly onClose: () => void;
}

/** The dialog ignores Escape and has no close button, so the secret is not lost by accident. */
function TokenSecret({ name, secret, onClose }: TokenSecretProps) {
  const { data: identity } = useApiQuery(queryKeys.identity, () => api.getIdentity());
  if (secret === undefined)
    return (
      <Dialog title={`Enrolment token ${name} already exists`} onClose={onClose}>
        <p>
          The token already has these settings, so nothing was changed. The secret cannot be shown again. If you lost
          it, remove the token and create a new one.
        </p>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <Dialog title={`Secret of enrolment token ${name}`} size="wide">
      <p>Copy the secret now. It is not shown again.</p>
      <CopyableText label="secret" text={secret} />
      {identity && (
        <Disclosure summary="Script for hosts to run as root at the end of boot" startsOpen>
          <CopyableText
            label="script"
            text={enrolmentScript(globalThis.location.origin, secret, identity.public_key)}
          />
          <p className="muted">
            Replace the URL if hosts reach the server at another address. With cloud-init, generate user data on a
            cluster’s page instead: it contains its own token.
          </p>
        </Disclosure>
      )}
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function TokenDialog({ onClose }: { readonly onClose: () => void }) {
  const [created, setCreated] = useState<{ readonly name: string; readonly secret: string | undefined }>();
  const create = async (form: FormData) => {
    const [name, cluster] = [String(form.get('name')), String(form.get('cluster'))];
    const { body } = await api.putToken({ name, body: { ...(cluster !== '' && { cluster }), ...toTokenInput(form) } });
    setCreated({ name, secret: body.secret });
  };

  if (created) return <TokenSecret {...created} onClose={onClose} />;
  return (
    <FormDialog
      title="Create enrolment token"
      submitLabel="Create token"
      onSubmit={create}
      // The next step shows the secret.
      onDone={() => undefined}
      onClose={onClose}
      fields={['name', 'cluster', ...TOKEN_FIELDS]}
    >
      <TextField label="Name" name="name" required autoFocus />
      <ClusterSelect label="Cluster" name="cluster" hint="Cluster that the hosts join." emptyLabel="None" />
      <TokenFields />
    </FormDialog>
  );
}

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
