import { useState } from 'react';
import { Needs } from '../../session/needs.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading, Page, Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { When } from '../../ui/when.tsx';
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
  const { webhooks, isReading, problem, lookAgain } = useWebhooks();
  const [isAdding, setAdding] = useState(false);
  const [open, setOpen] = useState<string>();
  const shown = webhooks?.find(({ name }) => name === open);
  const actions = (
    <>
      <Button onClick={lookAgain} isBusy={isReading}>
        Look again
      </Button>
      <Button kind="primary" onClick={() => setAdding(true)}>
        Add a webhook
      </Button>
    </>
  );
  return (
    <Page title={TITLE} actions={actions}>
      <ProblemBox problem={problem} />
      <Panel title="Where events are sent to" isFlush>
        {webhooks === undefined && problem === undefined && <Loading what="webhooks" />}
        {webhooks?.length === 0 && !isReading && <Nothing />}
        {webhooks !== undefined && webhooks.length > 0 && (
          <Table
            label={TITLE}
            rows={webhooks}
            keyOf={({ name }) => name}
            columns={[
              { title: 'Name', isName: true, cell: ({ name }) => name },
              { title: 'State', cell: ({ state }) => <Status of={state} /> },
              { title: 'Behind', align: 'end', cell: ({ behind }) => behind },
              {
                title: 'Delivered',
                cell: ({ delivered_at }) => <When at={delivered_at} as="ago" never="nothing yet" />,
              },
              { title: 'Events', cell: ({ events }) => events.join(', ') },
              { title: 'Problem', cell: ({ state, problem: said }) => (state === 'active' ? '' : said) },
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
            ]}
          />
        )}
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
