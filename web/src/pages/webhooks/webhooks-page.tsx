import { useState } from 'react';
import { RequirePermission } from '../../auth/session.tsx';
import { Button } from '../../ui/button.tsx';
import { formatNumber } from '../../ui/format/text.ts';
import { DialogButton } from '../../ui/forms/form-dialog.tsx';
import { EmptyState, Page, Panel, QueryView } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { Column } from '../../ui/tables/table.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import type { WebhookWithEtag } from './queries.ts';
import { useWebhooks } from './queries.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookPanel } from './webhook-panel.tsx';
import styles from './webhooks.module.css';

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
