import type { ReactNode } from 'react';
import { When } from '../../ui/when.tsx';
import { counted } from '../../ui/words/counted.ts';
import type { ReadWebhook } from './use-webhooks.ts';

type Fact = readonly [name: string, value: ReactNode];

/** What is to be known of a webhook; what does not concern it now is left out. */
export function webhookFacts(webhook: ReadWebhook): readonly Fact[] {
  const { url, events, position, pending, delivered_id, delivered_at, problem, created_at } = webhook;
  const { attempts, next_attempt_at, failing_since, disabled_at } = webhook;
  const when = (name: string, at: string | null): Fact[] =>
    at === null ? [] : [[name, <When key={name} at={at} />]];
  return [
    ['URL', <code key="url">{url}</code>],
    ['Events', events.join(', ')],
    ['Position', `${position} (${pending === 0 ? 'up to date' : counted(pending, 'pending event')})`],
    [
      'Last delivery',
      delivered_id === null ? (
        'Never'
      ) : (
        <>
          Event {delivered_id}, <When at={delivered_at} />
        </>
      ),
    ],
    ...(attempts > 0 ? [['Failed attempts', `${attempts} for the next event`] as const] : []),
    ...when('Failing since', failing_since),
    ...when('Next attempt', next_attempt_at),
    ...when('Disabled since', disabled_at),
    ...(problem === '' ? [] : [['Last error', problem] as const]),
    ['Created', <When key="created" at={created_at} />],
  ];
}
