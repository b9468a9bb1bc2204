import type { Tone } from '#client/tone.ts';
import { isStatusWord, toneOf } from '#client/tone.ts';
import type { EventType } from '#vocabulary';
import type { Happened } from './happened.ts';

const ALARMING: ReadonlySet<string> = new Set<EventType>([
  'account.login_failed',
  'log.tampered',
  'request.denied',
  'webhook.disabled',
]);

/** What is to be thought of an event: as of the status that it tells of, where it tells of one. */
export function eventTone({ type, data }: Happened): Tone {
  if (ALARMING.has(type)) return 'warn';
  // The event does not say whether hosts failed.
  if (type === 'operation.ended' && data['state'] === 'finished') return 'idle';
  const word = data['to'] ?? data['state'];
  return isStatusWord(word) ? toneOf(word) : 'idle';
}
