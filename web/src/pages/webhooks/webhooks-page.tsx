import { useState } from 'react';
import { Needs } from '../../session/needs.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Page, Panel } from '../../ui/page.tsx';
import { Read } from '../../ui/read.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/tables/table.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { When } from '../../ui/when.tsx';
import { numberText } from '../../ui/words/counted.ts';
import type { ReadWebhook } from './use-webhooks.ts';
import { useWebhooks } from './use-webhooks.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookPanel } from './webhook-panel.tsx';
import styles from './webhooks.module.css';

const TITLE = 'Webhooks';

const Nothing = () => (
  <Empty title="No webhooks yet">
    <p className={styles.about}>
      A webhook sends events to your URL, for example when a host becomes unreachable, an operation ends or a
      cluster is degraded. Each event is one signed request. If your receiver does not accept it, Hostler
      retries, by default for up to a day.
    </p>
  </Empty>
);

function Webhooks() {
  const webhooks = useWebhooks();
  const [isAdding, setAdding] = useState(false);
  const [open, setOpen] = useState<string>();
  const shown = webhooks.data?.find(({ name }) => name === open);
  const actions = (
    <>
      <Button onClick={webhooks.lookAgain} isBusy={webhooks.isReading}>
        Refresh
      </Button>
      <Button kind="primary" onClick={() => setAdding(true)}>
        Create webhook
      </Button>
    </>
  );
  const columns: readonly Column<ReadWebhook>[] = [
    { title: 'Name', isName: true, cell: ({ name }) => name },
    { title: 'State', cell: ({ state }) => <Status of={state} /> },
    { title: 'Error', cell: ({ state, problem }) => (state === 'active' ? '' : problem) },
    { title: 'Pending events', align: 'end', cell: ({ pending }) => numberText(pending) },
    {
      title: 'Last delivery',
      cell: ({ delivered_at }) => <When at={delivered_at} as="ago" never="Never" />,
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
        <Read of={webhooks} what="webhooks">
          {all =>
            all.length === 0 ? (
              !webhooks.isReading && <Nothing />
            ) : (
              <Table label={TITLE} rows={all} keyOf={({ name }) => name} columns={columns} />
            )
          }
        </Read>
      </Panel>
      {shown && <WebhookPanel key={shown.name} webhook={shown} />}
      {isAdding && <WebhookDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** Where events are sent to; for admins. */
export const WebhooksPage = () => (
  <Needs route="listWebhooks" title={TITLE}>
    <Webhooks />
  </Needs>
);
