import type { Command } from 'commander';
import type { Client } from '../../../client/client.ts';
import { EXIT } from '../../../program/exit-codes.ts';
import { CliProblem } from '../../cli-problem.ts';
import { findOperation, ID_LENGTH } from './find-operation.ts';

const WHOLE_ID = new RegExp(`^[A-Za-z0-9_-]{${ID_LENGTH}}$`);

/** The operation filter of `audit list` and `events`. */
export const withOperationOption = (command: Command): Command =>
  command.option(
    '--operation <operation>',
    'Filter by operation: ID, ID prefix, or cluster name (its newest operation)',
  );

/** What happened is kept for longer than operations are: a whole id that nobody knows any more is taken as it is. */
export async function operationId(client: Client, text: string): Promise<string> {
  try {
    return (await findOperation(client, text)).id;
  } catch (error) {
    const isUnknown = error instanceof CliProblem && error.exitCode === EXIT.refused;
    if (isUnknown && WHOLE_ID.test(text)) return text;
    throw error;
  }
}
