import type { Command } from 'commander';
import { Argument } from 'commander';
import type { Static } from 'typebox';
import type { OperationSummary } from '../../../contract/routes/operations.ts';
import { NAME_PATTERN } from '../../../domain/vocabulary.ts';
import type { Client } from '../../../sdk/client.ts';
import { ApiError } from '../../../sdk/errors.ts';
import { getNextCursor } from '../../../sdk/response-headers.ts';
import { CliError, notFoundError, usageError } from '../../errors.ts';
import { formatOperation } from '../../output/format.ts';
import { EXIT_CODES } from '../../program.ts';

export type Operation = Static<typeof OperationSummary>;

export const OPERATION = new Argument('<operation>', 'Operation ID, ID prefix, or cluster name (its newest operation)');

type OperationClient = Pick<Client, 'listOperations' | 'getOperation'>;

type Query = NonNullable<Parameters<Client['listOperations']>[0]>['query'];

/** The maximum page size of the API. */
const PAGE_SIZE = 1000;
/** Text of at least this length is looked up as an ID first. */
export const ID_LENGTH = 16;
const NAME = new RegExp(`^${NAME_PATTERN}$`);

export async function* iterateOperations(client: Pick<Client, 'listOperations'>, query: Query = {}) {
  for (let after: string | undefined; ; ) {
    const { body, headers } = await client.listOperations({ query: { limit: PAGE_SIZE, ...query, after } });
    yield* body;
    after = getNextCursor(headers);
    if (after === undefined) return;
  }
}

async function findById(client: OperationClient, id: string): Promise<Operation | undefined> {
  try {
    return (await client.getOperation({ id, query: { limit: 1 } })).body;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

async function findLatest(client: OperationClient, cluster: string): Promise<Operation | undefined> {
  for await (const latest of iterateOperations(client, { cluster, limit: 1 })) return latest;
  return undefined;
}

async function findByPrefix(client: OperationClient, text: string): Promise<Operation> {
  const matches: Operation[] = [];
  for await (const operation of iterateOperations(client)) if (operation.id.startsWith(text)) matches.push(operation);
  const [first, ...others] = matches;
  if (first === undefined)
    throw notFoundError(
      `the operation ${text} does not exist: no operation ID starts with it, and no cluster with this name has operations. See: hostler operation list`,
    );
  if (others.length === 0) return first;
  const examples = matches.slice(0, 5).map(match => `${match.id} (${formatOperation(match)})`);
  throw usageError(
    `operation ID prefix "${text}" matches ${matches.length} operations: ${examples.join(', ')}. Use a longer prefix`,
  );
}

export async function findOperation(client: OperationClient, text: string): Promise<Operation> {
  if (!NAME.test(text)) throw usageError(`"${text}" is neither an operation ID nor a cluster name`);
  const byId = text.length >= ID_LENGTH ? await findById(client, text) : undefined;
  return byId ?? (await findLatest(client, text)) ?? (await findByPrefix(client, text));
}

const FULL_ID = new RegExp(`^[A-Za-z0-9_-]{${ID_LENGTH}}$`);

export const withOperationOption = (command: Command): Command =>
  command.option(
    '--operation <operation>',
    'Filter by operation: ID, ID prefix, or cluster name (its newest operation)',
  );

/** Events are kept longer than operations, so a complete ID of an unknown operation is accepted. */
export async function resolveOperationId(client: Client, text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined;
  try {
    return (await findOperation(client, text)).id;
  } catch (error) {
    const isUnknown = error instanceof CliError && error.exitCode === EXIT_CODES.notFound;
    if (isUnknown && FULL_ID.test(text)) return text;
    throw error;
  }
}
