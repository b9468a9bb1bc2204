import type { HostProgress } from '../../client/host-progress.ts';
import type { Progress } from '../../client/operation-progress.ts';
import { isOver, tallyOf } from '../../client/operation-progress.ts';
import { explainWait, operationStateText } from '../../client/operation-words.ts';
import { harmless, LONGEST_SENTENCE } from '../../lib/text/harmless.ts';
import { plural } from '../../lib/text/plural.ts';
import { operationName } from '../output/operation-name.ts';
import { serverText } from '../output/server-text.ts';
import { nextSteps } from './next-steps.ts';

/** One thing that has changed, for a log. */
export interface Note {
  readonly atMs: number;
  readonly text: string;
}

const isInTrouble = ({ state }: HostProgress) => state === 'failed' || state === 'unreachable';
const hasReason = (host: HostProgress) => isInTrouble(host) || host.state === 'skipped';

function hostNote(host: HostProgress, nowMs: number): Note {
  const { address, state, attempt, problem, sinceMs } = host;
  const tried = attempt > 1 ? ` (attempt ${attempt})` : '';
  const why = hasReason(host) && problem !== '' ? `: ${harmless(problem)}` : '';
  return { atMs: sinceMs ?? nowMs, text: `${address} ${state}${tried}${why}` };
}

function wholeNote(progress: Progress): string {
  const { whole } = progress;
  const { total, done, failed } = tallyOf(progress);
  const wait = serverText(explainWait(whole));
  const steps = whole.state === 'paused' ? nextSteps(whole) : [];
  const counts = `${done} of ${plural(total, 'host')} done${failed > 0 ? `, ${failed} failed` : ''}`;
  return [`${operationName(whole)} ${operationStateText(whole.state, { failed })}`, counts, wait, ...steps]
    .filter(Boolean)
    .map(text => harmless(text, LONGEST_SENTENCE))
    .join('; ');
}

/** What is worth a line between two states; without one before it is how it stands, and who has failed already. */
export function notesOf(before: Progress | undefined, after: Progress, nowMs: number): readonly Note[] {
  const found = [...after.hosts.values()];
  if (before === undefined)
    return [
      { atMs: nowMs, text: wholeNote(after) },
      ...found.filter(isInTrouble).map(host => hostNote(host, nowMs)),
    ];
  const hosts = found.flatMap((host): Note[] => {
    const old = before.hosts.get(host.address);
    if (old === host || (old?.state === host.state && old.attempt === host.attempt)) return [];
    return [hostNote(host, nowMs)];
  });
  const isOther =
    before.whole.state !== after.whole.state ||
    before.whole.paused_by !== after.whole.paused_by ||
    (before.whole.problem !== after.whole.problem && after.whole.problem !== '');
  return [
    ...hosts.sort((a, b) => a.atMs - b.atMs),
    ...(isOther && !isOver(after) ? [{ atMs: nowMs, text: wholeNote(after) }] : []),
  ];
}
