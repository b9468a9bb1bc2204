import { useState } from 'react';
import { api } from '../../api/client.ts';
import { isChangedElsewhere } from '../../api/refusals.ts';
import { ChangedElsewhere } from '../../ui/forms/changed-elsewhere.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { notice } from '../../ui/notices.tsx';
import { EventPicker } from './event-picker.tsx';
import type { ReadWebhook } from './use-webhooks.ts';
import { readWebhook } from './use-webhooks.ts';

interface WebhookDialogProps {
  /** The one that is changed; left out: a new one is made. */
  readonly webhook?: ReadWebhook;
  readonly onClose: () => void;
}

/** Makes a webhook, or changes the one that was read. The secret is never answered, so it is typed each time. */
export function WebhookDialog({ webhook: given, onClose }: WebhookDialogProps) {
  // What was read when the form was opened.
  const [webhook, setWebhook] = useState(given);
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
    notice(`Webhook ${name} ${webhook ? 'saved' : 'created'}`);
  };
  const readAnew = async (before: ReadWebhook) => {
    const now = await readWebhook(name);
    if (url === before.url) setUrl(now.url);
    if (String(events) === String(before.events)) setEvents(now.events);
    setWebhook(now);
  };

  return (
    <FormDialog
      title={webhook ? `Edit ${webhook.name}` : 'Create webhook'}
      size="wide"
      verb={webhook ? `Save ${webhook.name}` : 'Create webhook'}
      ask={put}
      onClose={onClose}
      fields={['name', 'url', 'events', 'secret']}
      onRefused={(problem, forget) =>
        webhook && isChangedElsewhere(problem) ? (
          <ChangedElsewhere what={`webhook ${name}`} readAnew={() => readAnew(webhook).then(forget)} />
        ) : undefined
      }
    >
      {errors => (
        <>
          {webhook === undefined && (
            <TextField
              label="Name"
              value={name}
              onChange={({ target }) => setName(target.value)}
              error={errors['name']}
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
            hint="Address of your receiver. Only admins can see the URL, so it can contain a token."
            error={errors['url']}
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
                ? 'Signs each request. The current secret cannot be displayed: enter it again, or enter a new one.'
                : 'Signs each request. Use a long random string, and configure the same string in your receiver.'
            }
            error={errors['secret']}
            required
          />
          <EventPicker picked={events} onChange={setEvents} error={errors['events']} />
        </>
      )}
    </FormDialog>
  );
}
