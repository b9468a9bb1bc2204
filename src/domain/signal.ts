import type { RecordName } from './record-name.ts';
import { isRecordName } from './record-name.ts';

/**
 * What servers on one store tell each other, soon after it was committed: something is due (`work`), an operation on a cluster may go
 * on (`news`), the log has grown (`log`). `told` is for the server itself: the outbox has something for the log. A signal may come
 * twice or not at all, so whoever listens also looks now and then.
 */
export type Signal = 'work' | 'told' | 'log' | `news ${RecordName}`;

const NEWS = 'news ';

/** The cluster that news is of. */
export function clusterOfNews(signal: string): RecordName | undefined {
  const cluster = signal.startsWith(NEWS) ? signal.slice(NEWS.length) : '';
  return isRecordName(cluster) ? cluster : undefined;
}

export const isSignal = (text: string): text is Signal =>
  ['work', 'told', 'log'].includes(text) || clusterOfNews(text) !== undefined;
