import type { Static } from 'typebox';
import type { Client } from '../../../client/client.ts';
import { RequestRefused } from '../../../client/client.ts';
import { nextAfter } from '../../../client/next-page.ts';
import type { OperationSummary } from '../../../contract/routes/operations.ts';
import { NAME_PATTERN } from '../../../domain/vocabulary.ts';
import { EXIT } from '../../../program/exit-codes.ts';
import { CliProblem, usageProblem } from '../../cli-problem.ts';
import { operationName } from '../../output/operation-name.ts';

export type Operation = Static<typeof OperationSummary>;

/** Of the service, all that is needed to find one. */
type Asked = Pick<Client, 'listOperations' | 'getOperation'>;

type Query = NonNullable<Parameters<Client['listOperations']>[0]>['query'];

/** The most that the service gives at once. */
const PAGE = 1000;
/** Ids are this long: what is as long is asked for as it is. */
export const ID_LENGTH = 16;
const NAME = new RegExp(`^${NAME_PATTERN}$`);

/** Newest first, page by page. */
export async function* operations(client: Pick<Client, 'listOperations'>, query: Query = {}) {
  for (let after: string | undefined; ; ) {
    const page = { limit: PAGE, ...query, ...(after !== undefined && { after }) };
    const { body, headers } = await client.listOperations({ query: page });
    yield* body;
    after = nextAfter(headers);
    if (after === undefined) return;
  }
}

async function byId(client: Asked, id: string): Promise<Operation | undefined> {
  try {
    return (await client.getOperation({ id, query: { limit: 1 } })).body;
  } catch (error) {
    if (error instanceof RequestRefused && error.status === 404) return undefined;
    throw error;
  }
}

async function newestOf(client: Asked, cluster: string): Promise<Operation | undefined> {
  for await (const newest of operations(client, { cluster, limit: 1 })) return newest;
  return undefined;
}

async function byBeginning(client: Asked, text: string): Promise<Operation> {
  const found: Operation[] = [];
  for await (const operation of operations(client)) if (operation.id.startsWith(text)) found.push(operation);
  const [first, ...others] = found;
  if (first === undefined)
    throw new CliProblem(
      EXIT.refused,
      `the operation ${text} does not exist: no operation ID starts with it, and no cluster with this name has operations. See: hostler operation list`,
    );
  if (others.length === 0) return first;
  const some = found.slice(0, 5).map(each => `${each.id} (${operationName(each)})`);
  throw usageProblem(
    `operation ID prefix "${text}" matches ${found.length} operations: ${some.join(', ')}. Use a longer prefix`,
  );
}

/** By its id, by its cluster, whose newest is meant (if one is going on, that is it), or by the beginning of its id. */
export async function findOperation(client: Asked, text: string): Promise<Operation> {
  if (!NAME.test(text)) throw usageProblem(`"${text}" is neither an operation ID nor a cluster name`);
  const known = text.length >= ID_LENGTH ? await byId(client, text) : undefined;
  return known ?? (await newestOf(client, text)) ?? (await byBeginning(client, text));
}
