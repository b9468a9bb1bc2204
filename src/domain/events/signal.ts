import type { RecordName } from '../record-name.ts';
import { isRecordName } from '../record-name.ts';
import type { HintSignal } from './output-hint.ts';
import { isHintSignal } from './output-hint.ts';

/**
 * Notifications between the servers of one store, sent after a commit: a task or check is due (`due`), the operation on a cluster must be
 * reconciled (`reconcile`), the event log has grown (`log`), steps have written more output (`output` and where), a client reads such
 * output (`output_subscribed`). `outbox` stays on the server: the outbox has entries for the log. A signal can arrive twice or not at
 * all, so listeners also poll; except for output, which is only shown to people.
 */
export type Signal = 'due' | 'outbox' | 'log' | 'output_subscribed' | `reconcile ${RecordName}` | HintSignal;

const WORDS: readonly string[] = ['due', 'outbox', 'log', 'output_subscribed'] satisfies readonly Signal[];
const NEWS = 'reconcile ';

/** The cluster that news is of. */
export function clusterOfNews(signal: string): RecordName | undefined {
  const cluster = signal.startsWith(NEWS) ? signal.slice(NEWS.length) : '';
  return isRecordName(cluster) ? cluster : undefined;
}

export const isSignal = (text: string): text is Signal =>
  WORDS.includes(text) || clusterOfNews(text) !== undefined || isHintSignal(text);
