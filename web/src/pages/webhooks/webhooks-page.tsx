import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { api, fetchBody } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { RequirePermission } from '../../auth/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/callout.tsx';
import { formatCount, formatNumber } from '../../ui/format/text.ts';
import { useAction } from '../../ui/forms/form.tsx';
import { ConfirmDialog, DialogButton } from '../../ui/forms/form-dialog.tsx';
import { DescriptionList, EmptyState, Page, Panel, QueryView } from '../../ui/page.tsx';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import type { Column } from '../../ui/tables/table.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { WebhookWithEtag } from './queries.ts';
import { useWebhooks } from './queries.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import styles from './webhooks.module.css';

type DescriptionItem = readonly [name: string, value: ReactNode];

/** Omits fields that do not apply to the current state. */
function describeWebhook(webhook: WebhookWithEtag): readonly DescriptionItem[] {
  const { url, events, position, pending, delivered_id, delivered_at, problem, created_at } = webhook;
  const { attempts, next_attempt_at, failing_since, disabled_at } = webhook;
  const timeItem = (name: string, at: string | null): DescriptionItem[] =>
    at === null ? [] : [[name, <Timestamp key={name} at={at} />]];
  return [
    ['URL', <code key="url">{url}</code>],
    ['Events', events.join(', ')],
    ['Position', `${position} (${pending === 0 ? 'up to date' : formatCount(pending, 'pending event')})`],
    [
      'Last delivery',
      delivered_id === null ? (
        'Never'
      ) : (
        <>
          Event {delivered_id}, <Timestamp at={delivered_at} />
        </>
      ),
    ],
    ...(attempts > 0 ? [['Failed attempts', `${attempts} for the next event`] as const] : []),
    ...timeItem('Failing since', failing_since),
    ...timeItem('Next attempt', next_attempt_at),
    ...timeItem('Disabled since', disabled_at),
    ...(problem === '' ? [] : [['Last error', problem] as const]),
    ['Created', <Timestamp key="created" at={created_at} />],
  ];
}

export function WebhookPanel({ webhook }: { readonly webhook: WebhookWithEtag }) {
  const { name, state, etag } = webhook;
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<'edit' | 'remove'>();
  const close = () => setDialog(undefined);
  const test = useAction(() => fetchBody(api.testWebhook({ name, body: {} })));
  const resume = useAction(async () => {
    await api.resumeWebhook({ name, body: {} });
    showToast(`Webhook ${name} resumed`);
    // Resuming a failing webhook that is not disabled emits no event, so nothing else would refetch it.
    await queryClient.invalidateQueries({ queryKey: queryKeys.webhook(name) });
  });
  const remove = async () => {
    await api.removeWebhook({ name, headers: { 'if-match': etag } });
    showToast(`Webhook ${name} removed`);
  };

  const actions = (
    <>
      {state !== 'active' && (
        <Button variant="primary" isLoading={resume.isLoading} onClick={() => resume.run()}>
          {state === 'disabled' ? 'Resume' : 'Retry now'}
        </Button>
      )}
      <Button isLoading={test.isLoading} onClick={() => test.run()}>
        Send test event
      </Button>
      <Button onClick={() => setDialog('edit')}>Edit</Button>
      <Button variant="danger" onClick={() => setDialog('remove')}>
        Remove
      </Button>
    </>
  );
  return (
    <Panel title={name} actions={actions}>
      <DescriptionList items={describeWebhook(webhook)} />
      <div aria-live="polite">
        {test.result && (
          <p className={styles.report}>
            <Badge severity={test.result.ok ? 'good' : 'bad'}>{test.result.ok ? 'Test passed' : 'Test failed'}</Badge>
            {test.result.status !== null && <span>HTTP status {test.result.status}</span>}
            {!test.result.ok && <span>{test.result.problems.join('; ')}</span>}
          </p>
        )}
      </div>
      <ErrorBox error={resume.error ?? test.error} />
      {dialog === 'edit' && <WebhookDialog webhook={webhook} onClose={close} />}
      <ConfirmDialog
        title={`Remove webhook ${name}?`}
        isOpen={dialog === 'remove'}
        onClose={close}
        confirmLabel={`Remove ${name}`}
        isDestructive
        onConfirm={remove}
      >
        <p>Hostler stops sending events to this webhook. Events that are still waiting are not sent.</p>
      </ConfirmDialog>
    </Panel>
  );
}

const TITLE = 'Webhooks';

const NoWebhooks = () => (
  <EmptyState title="No webhooks yet">
    <p className={styles.description}>
      A webhook sends events to your URL, for example when a host becomes unreachable, an operation ends or a cluster is
      degraded. Each event is one signed request. If your receiver does not accept it, Hostler retries, by default for
      up to a day.
    </p>
  </EmptyState>
);

function Webhooks() {
  const webhooks = useWebhooks();
  const [open, setOpen] = useState<string>();
  const opened = webhooks.data?.find(({ name }) => name === open);
  const actions = (
    <>
      <Button onClick={webhooks.refetch} isLoading={webhooks.isFetching}>
        Refresh
      </Button>
      <DialogButton variant="primary" dialog={close => <WebhookDialog onClose={close} />}>
        Create webhook
      </DialogButton>
    </>
  );
  const columns: readonly Column<WebhookWithEtag>[] = [
    { title: 'Name', isName: true, cell: ({ name }) => name },
    { title: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
    { title: 'Error', cell: ({ state, problem }) => (state === 'active' ? '' : problem) },
    { title: 'Pending events', align: 'end', cell: ({ pending }) => formatNumber(pending) },
    {
      title: 'Last delivery',
      cell: ({ delivered_at }) => <Timestamp at={delivered_at} format="relative" emptyText="Never" />,
    },
    { title: 'Events', cell: ({ events }) => events.join(', ') },
    {
      title: 'Details',
      align: 'end',
      cell: ({ name }) => (
        <Button
          size="small"
          aria-expanded={name === open}
          aria-label={`${name === open ? 'Hide' : 'Show'} details of ${name}`}
          onClick={() => setOpen(name === open ? undefined : name)}
        >
          {name === open ? 'Hide' : 'Show'}
        </Button>
      ),
    },
  ];
  return (
    <Page title={TITLE} actions={actions}>
      <Panel title="All webhooks" isFlush>
        <QueryView query={webhooks} label="webhooks">
          {list =>
            list.length === 0 ? (
              !webhooks.isFetching && <NoWebhooks />
            ) : (
              <Table label={TITLE} rows={list} rowKey={({ name }) => name} columns={columns} />
            )
          }
        </QueryView>
      </Panel>
      {opened && <WebhookPanel key={opened.name} webhook={opened} />}
    </Page>
  );
}

export const WebhooksPage = () => (
  <RequirePermission route="listWebhooks" title={TITLE}>
    <Webhooks />
  </RequirePermission>
);
