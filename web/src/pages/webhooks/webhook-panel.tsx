import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { notice } from '../../ui/notices.tsx';
import { Facts, Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { Badge } from '../../ui/status.tsx';
import type { ReadWebhook } from './use-webhooks.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { webhookFacts } from './webhook-facts.tsx';
import styles from './webhooks.module.css';

/** One webhook: how far it has come, and what can be done with it. */
export function WebhookPanel({ webhook }: { readonly webhook: ReadWebhook }) {
  const { name, state, etag } = webhook;
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<'edit' | 'remove'>();
  const close = () => setAsked(undefined);
  const test = useAsk(() => answerOf(api.testWebhook({ name, body: {} })));
  const resume = useAsk(async () => {
    await api.resumeWebhook({ name, body: {} });
    notice(`Webhook ${name} resumed`);
    // One that only failed goes on without an event, so nothing else has it read anew.
    await queryClient.invalidateQueries({ queryKey: keys.webhook(name) });
  });
  const remove = async () => {
    await api.removeWebhook({ name, headers: { 'if-match': etag } });
    notice(`Webhook ${name} removed`);
  };

  const actions = (
    <>
      {state !== 'active' && (
        <Button kind="primary" isBusy={resume.isBusy} onClick={() => resume.run()}>
          {state === 'disabled' ? 'Resume' : 'Retry now'}
        </Button>
      )}
      <Button isBusy={test.isBusy} onClick={() => test.run()}>
        Send test event
      </Button>
      <Button onClick={() => setAsked('edit')}>Edit</Button>
      <Button kind="danger" onClick={() => setAsked('remove')}>
        Remove
      </Button>
    </>
  );
  return (
    <Panel title={name} actions={actions}>
      <Facts of={webhookFacts(webhook)} />
      <div aria-live="polite">
        {test.answer && (
          <p className={styles.report}>
            <Badge tone={test.answer.ok ? 'good' : 'bad'}>
              {test.answer.ok ? 'Test passed' : 'Test failed'}
            </Badge>
            {test.answer.status !== null && <span>HTTP status {test.answer.status}</span>}
            {!test.answer.ok && <span>{test.answer.problems.join('; ')}</span>}
          </p>
        )}
      </div>
      <ProblemBox problem={resume.problem ?? test.problem} />
      {asked === 'edit' && <WebhookDialog webhook={webhook} onClose={close} />}
      <Confirm
        title={`Remove webhook ${name}?`}
        isOpen={asked === 'remove'}
        onClose={close}
        verb={`Remove ${name}`}
        isDangerous
        ask={remove}
      >
        <p>Hostler stops sending events to this webhook. Events that are still waiting are not sent.</p>
      </Confirm>
    </Panel>
  );
}
