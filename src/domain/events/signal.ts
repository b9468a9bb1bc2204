import type { RecordName } from '../record-name.ts';
import { isRecordName } from '../record-name.ts';
import type { HintSignal } from './output-hint.ts';
import { isHintSignal } from './output-hint.ts';

/**
 * What servers on one store tell each other, soon after it was committed: something is due (`work`), an operation on a cluster may go
 * on (`news`), the log has grown (`log`), steps have said more (`output` and where), somebody reads such hints (`output wanted`). `told`
 * is for the server itself: the outbox has something for the log. A signal may come twice or not at all, so whoever listens also looks
 * now and then; but for hints, which are only for people who watch.
 */
export type Signal = 'work' | 'told' | 'log' | 'output wanted' | `news ${RecordName}` | HintSignal;

const WORDS: readonly string[] = ['work', 'told', 'log', 'output wanted'] satisfies readonly Signal[];
const NEWS = 'news ';

/** The cluster that news is of. */
export function clusterOfNews(signal: string): RecordName | undefined {
  const cluster = signal.startsWith(NEWS) ? signal.slice(NEWS.length) : '';
  return isRecordName(cluster) ? cluster : undefined;
}

export const isSignal = (text: string): text is Signal =>
  WORDS.includes(text) || clusterOfNews(text) !== undefined || isHintSignal(text);
