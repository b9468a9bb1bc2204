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
  <Empty title="There is no webhook yet.">
    <p className={styles.about}>
      A webhook is a URL of yours to which what happens is sent: a host that is lost, an operation that has
      ended, a cluster that is degraded. Each event is one signed message, and is tried until you have taken
      it in.
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
        Look again
      </Button>
      <Button kind="primary" onClick={() => setAdding(true)}>
        Add a webhook
      </Button>
    </>
  );
  const columns: readonly Column<ReadWebhook>[] = [
    { title: 'Name', isName: true, cell: ({ name }) => name },
    { title: 'State', cell: ({ state }) => <Status of={state} /> },
    { title: 'Problem', cell: ({ state, problem }) => (state === 'active' ? '' : problem) },
    { title: 'Pending', align: 'end', cell: ({ pending }) => numberText(pending) },
    {
      title: 'Delivered',
      cell: ({ delivered_at }) => <When at={delivered_at} as="ago" never="nothing yet" />,
    },
    { title: 'Events', cell: ({ events }) => events.join(', ') },
    {
      title: 'Details',
      align: 'end',
      cell: ({ name }) => (
        <Button
          size="small"
          aria-expanded={name === open}
          aria-label={`Show ${name}`}
          onClick={() => setOpen(name === open ? undefined : name)}
        >
          {name === open ? 'Hide' : 'Show'}
        </Button>
      ),
    },
  ];
  return (
    <Page title={TITLE} actions={actions}>
      <Panel title="Where events are sent to" isFlush>
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
