// `--follow`: stays with an operation until it is over. Leaving changes nothing: the work is the service's.

import type { Progress } from '../../client/operation-progress.ts';
import { isOver, tallyOf } from '../../client/operation-progress.ts';
import { operationStateText } from '../../client/operation-words.ts';
import { duration, timeOf } from '../../client/times.ts';
import { harmless, LONGEST_SENTENCE } from '../../lib/text/harmless.ts';
import { plural } from '../../lib/text/plural.ts';
import { EXIT } from '../../program/exit-codes.ts';
import { CliProblem, INTERRUPTED, ProgramEnded } from '../cli-problem.ts';
import { operationName } from '../output/operation-name.ts';
import { serverText } from '../output/server-text.ts';
import type { Session } from '../session.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { retryWithoutHostsCommand } from './next-steps.ts';
import { OperationSource } from './operation-source.ts';
import type { View } from './views.ts';
import { LiveView, LogView } from './views.ts';

/** Programs get only the last record on the standard output. */
function viewOf({ terminal, print }: Session): View {
  if (!print.isForPeople) return new LogView(terminal, text => terminal.tell(text));
  return terminal.canMove ? new LiveView(terminal) : new LogView(terminal, text => terminal.write(text));
}

function sentenceOf(progress: Progress): string {
  const { started_at, finished_at } = progress.whole;
  const { total, done, failed, skipped } = tallyOf(progress);
  const took = finished_at === null ? '' : ` in ${duration(timeOf(finished_at) - timeOf(started_at))}`;
  const rest = [failed > 0 ? `, ${failed} failed` : '', skipped > 0 ? `, ${skipped} skipped` : ''].join('');
  const state = operationStateText(progress.whole.state, { failed });
  return `${operationName(progress.whole)} ${state}${took}: ${done} of ${plural(total, 'host')} done${rest}`;
}

function failureOf(progress: Progress): CliProblem {
  const { id, can, problem } = progress.whole;
  const why = problem === '' ? '' : `\nReason: ${harmless(serverText(problem), LONGEST_SENTENCE)}`;
  const retry = `hostler operation retry ${id}`;
  const exclude = retryWithoutHostsCommand(progress.whole);
  if (exclude !== '')
    return new CliProblem(
      EXIT.failed,
      `${sentenceOf(progress)}${why}\nRetry without these hosts: ${exclude}\nRetry when they are back: ${retry}`,
    );
  const again = can.includes('retry') ? `\nRetry with: ${retry}` : '';
  return new CliProblem(EXIT.failed, `${sentenceOf(progress)}${why}${again}`);
}

/** Ends well when the operation has finished; else it throws, also when somebody leaves: nobody knows how it ends, then. */
export async function followOperation(session: Session, id: string): Promise<void> {
  const { terminal, print, client } = session;
  const view = viewOf(session);
  const progress = await untilInterrupted(terminal, async left => {
    try {
      return await new OperationSource(session, id, left, next => view.show(next)).run();
    } catch (error) {
      if (!left.aborted) throw error;
      return undefined;
    } finally {
      view.end();
    }
  });
  if (progress === undefined || !isOver(progress)) {
    terminal.tell(
      `Stopped following; the operation continues. Follow it again with: hostler operation follow ${id}\n`,
    );
    throw new ProgramEnded(INTERRUPTED);
  }
  if (!print.isForPeople || progress.whole.state === 'finished')
    await print.done(sentenceOf(progress), { value: (await client.getOperation({ id })).body, name: id });
  if (progress.whole.state !== 'finished') throw failureOf(progress);
}
