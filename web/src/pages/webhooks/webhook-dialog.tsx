import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { Form } from '../../ui/form.tsx';
import { notice } from '../../ui/notices.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { useAsk } from '../../ui/use-ask.ts';
import { EventPicker } from './event-picker.tsx';
import type { ReadWebhook } from './use-webhooks.ts';

interface WebhookDialogProps {
  /** The one that is changed; left out: a new one is made. */
  readonly webhook?: ReadWebhook;
  readonly onClose: () => void;
}

/** Makes a webhook, or changes the one that was read. The secret is never answered, so it is typed each time. */
export function WebhookDialog({ webhook: given, onClose }: WebhookDialogProps) {
  // What was read when the form was opened.
  const [webhook] = useState(given);
  const queryClient = useQueryClient();
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [secret, setSecret] = useState('');
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? ['*']);
  const put = async () => {
    await api.putWebhook({
      name,
      body: { url: url.trim(), secret, events: [...events] },
      ...(webhook && { headers: { 'if-match': webhook.etag } }),
    });
    notice(`The webhook ${name} is ${webhook ? 'changed' : 'there'}.`);
    await queryClient.invalidateQueries({ queryKey: keys.webhook(name) });
  };
  const { run, isBusy, problem } = useAsk(put, onClose);
  const errors = fieldErrors(problem, ['name', 'url', 'events', 'secret']);

  return (
    <Dialog title={webhook ? `Edit ${webhook.name}` : 'Add a webhook'} size="wide" isOpen onClose={onClose}>
      <Form onSubmit={run} isBusy={isBusy} problem={problem}>
        {webhook === undefined && (
          <TextField
            label="Name"
            value={name}
            onChange={({ target }) => setName(target.value)}
            error={errors.of['name']}
            required
            autoFocus
          />
        )}
        <TextField
          label="URL"
          type="url"
          placeholder="https://"
          value={url}
          onChange={({ target }) => setUrl(target.value)}
          hint="Where events are sent to. It may hold a token: only admins see it."
          error={errors.of['url']}
          required
        />
        <TextField
          label="Secret"
          type="password"
          autoComplete="new-password"
          value={secret}
          onChange={({ target }) => setSecret(target.value)}
          hint={
            webhook
              ? 'What each message is signed with. It is never told again, so type the one that holds, or a new one.'
              : 'What each message is signed with: a long text that only the receiver knows.'
          }
          error={errors.of['secret']}
          required
        />
        <EventPicker picked={events} onChange={setEvents} error={errors.of['events']} />
        <ProblemBox problem={errors.rest} />
        <DialogActions>
          <Button onClick={onClose}>Leave it</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {webhook ? `Save ${webhook.name}` : 'Add the webhook'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
