import { useState } from 'react';
import { api } from '../../api/client.ts';
import { EVENT_CATEGORIES } from '../../events/event-categories.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { toLabel } from '../../ui/format/text.ts';
import { FieldGroup, TextField, useFieldErrors } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { isSelected, toggleEvent } from './event-selection.ts';
import type { WebhookWithEtag } from './queries.ts';
import { fetchWebhook } from './queries.ts';
import styles from './webhooks.module.css';

interface EventPickerProps {
  readonly selected: readonly string[];
  readonly onChange: (selected: readonly string[]) => void;
}

interface EventCheckboxProps {
  readonly text: string;
  readonly isChecked: boolean;
  readonly onToggle: () => void;
}

const EventCheckbox = ({ text, isChecked, onToggle }: EventCheckboxProps) => (
  <label className={styles.choice}>
    <input type="checkbox" checked={isChecked} onChange={onToggle} />
    {text}
  </label>
);

function EventPicker({ selected, onChange }: EventPickerProps) {
  const { events: error } = useFieldErrors();
  const isAll = selected.includes('*');
  return (
    <FieldGroup legend="Events">
      <EventCheckbox text="All events" isChecked={isAll} onToggle={() => onChange(isAll ? [] : ['*'])} />
      {!isAll && (
        <div className={styles.categories}>
          {EVENT_CATEGORIES.map(({ name, types }) => (
            <Disclosure
              key={name}
              variant="card"
              summary={toLabel(name)}
              aside={
                isSelected(selected, `${name}.*`)
                  ? 'All'
                  : `${types.filter(type => isSelected(selected, type)).length} of ${types.length}`
              }
            >
              <EventCheckbox
                text={`All (${name}.*)`}
                isChecked={isSelected(selected, `${name}.*`)}
                onToggle={() => onChange(toggleEvent(selected, `${name}.*`))}
              />
              {types.map(type => (
                <EventCheckbox
                  key={type}
                  text={type}
                  isChecked={isSelected(selected, type)}
                  onToggle={() => onChange(toggleEvent(selected, type))}
                />
              ))}
            </Disclosure>
          ))}
        </div>
      )}
      {error && <p className={styles.error}>{error}</p>}
    </FieldGroup>
  );
}

interface WebhookDialogProps {
  /** The webhook to edit. If omitted, the dialog creates a webhook. */
  readonly webhook?: WebhookWithEtag;
  readonly onClose: () => void;
}

/** The server never returns the secret, so the user must enter it again on every change. */
export function WebhookDialog({ webhook: initial, onClose }: WebhookDialogProps) {
  // The webhook when the dialog opened.
  const [webhook, setWebhook] = useState(initial);
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? ['*']);
  const save = async (form: FormData) => {
    await api.putWebhook({
      name,
      body: { url: url.trim(), secret: String(form.get('secret')), events: [...events] },
      ...(webhook && { headers: { 'if-match': webhook.etag } }),
    });
    showToast(`Webhook ${name} ${webhook ? 'saved' : 'created'}`);
  };
  const reload = async (previous: WebhookWithEtag) => {
    const current = await fetchWebhook(name);
    if (url === previous.url) setUrl(current.url);
    if (String(events) === String(previous.events)) setEvents(current.events);
    setWebhook(current);
  };

  return (
    <FormDialog
      title={webhook ? `Edit ${webhook.name}` : 'Create webhook'}
      size="wide"
      submitLabel={webhook ? `Save ${webhook.name}` : 'Create webhook'}
      onSubmit={save}
      onClose={onClose}
      fields={['name', 'url', 'events', 'secret']}
      edited={webhook && { subject: `webhook ${name}`, reload: () => reload(webhook) }}
    >
      {webhook === undefined && (
        <TextField
          label="Name"
          name="name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          required
          autoFocus
        />
      )}
      <TextField
        label="URL"
        name="url"
        type="url"
        placeholder="https://"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
        hint="Address of your receiver. Only admins can see the URL, so it can contain a token."
        required
      />
      <TextField
        label="Secret"
        name="secret"
        type="password"
        autoComplete="new-password"
        hint={
          webhook
            ? 'Signs each request. The current secret cannot be displayed: enter it again, or enter a new one.'
            : 'Signs each request. Use a long random string, and configure the same string in your receiver.'
        }
        required
      />
      <EventPicker selected={events} onChange={setEvents} />
    </FormDialog>
  );
}
