// Commands for running and ended operations. An operation is named by its ID, a prefix of its ID, or its cluster.

import type { Command } from 'commander';
import { Option } from 'commander';
import { operationStateText } from '../../client/operation-words.ts';
import { duration, timeOf, utcTime } from '../../client/times.ts';
import type { OperationKind, OperationState, RecordStatus } from '../../domain/vocabulary.ts';
import {
  OPERATION_KINDS,
  OPERATION_STATES,
  RECORD_STATUS_OF_STATE,
  RECORD_STATUSES,
} from '../../domain/vocabulary.ts';
import type { CommandLine } from '../command-line.ts';
import { watchOption } from '../command-line.ts';
import { followOperation } from '../follow/follow-operation.ts';
import { nextSteps, retryWithoutHostsCommand } from '../follow/next-steps.ts';
import { serverText } from '../output/server-text.ts';
import { operationStyle } from '../output/status-style.ts';
import { readCount } from '../read-number.ts';
import type { Session } from '../session.ts';
import { outageLines } from './operation/blocked-start.ts';
import { operationColumns, operationHostColumns } from './operation/columns.ts';
import type { Operation } from './operation/find-operation.ts';
import { findOperation, operations } from './operation/find-operation.ts';
import { addLogsCommand } from './operation/logs.ts';
import { addSteeringCommands } from './operation/steering.ts';

interface ListOptions {
  readonly cluster?: string;
  readonly kind?: OperationKind;
  readonly state?: OperationState;
  readonly status?: RecordStatus;
  readonly limit: number;
  readonly all?: true;
}

const NEWEST = 20;

async function list(session: Session, options: ListOptions): Promise<void> {
  const { print, terminal } = session;
  const { cluster, kind, state, status, limit, all } = options;
  // The service knows only the status; of all that have ended most need not be read.
  const asked = status ?? (state && RECORD_STATUS_OF_STATE[state]);
  const most = all ? Number.POSITIVE_INFINITY : limit;
  const rows: Operation[] = [];
  const query = {
    ...(cluster !== undefined && { cluster }),
    ...(kind !== undefined && { kind }),
    ...(asked !== undefined && { status: asked }),
    ...(state === undefined && most < 1000 && { limit: most }),
  };
  for await (const operation of operations(session.client, query)) {
    if (rows.length >= most) break;
    if (state === undefined || operation.state === state) rows.push(operation);
  }
  await print.list({
    rows,
    columns: operationColumns(terminal.clock.now()),
    nameOf: ({ id }) => id,
    whenEmpty: 'No operations found. Start one with: hostler restart CLUSTER',
  });
}

async function show(session: Session, _options: object, text: string): Promise<void> {
  const { client, print, terminal } = session;
  const { id } = await findOperation(session.client, text);
  const { body: value } = await client.getOperation({ id });
  const nowMs = terminal.clock.now();
  const { counts } = value;
  const parts = (['pending', 'preparing', 'in_flight', 'done', 'failed', 'skipped'] as const)
    .filter(part => counts[part] > 0)
    .map(part => `${counts[part]} ${part.replace('_', ' ')}`);
  const endMs = value.finished_at === null ? nowMs : timeOf(value.finished_at);
  await print.show({
    ...{ value, name: id },
    fields: [
      { label: 'id', text: id },
      { label: 'kind', text: value.kind },
      { label: 'cluster', text: value.cluster },
      { label: 'version', text: value.version ?? '' },
      {
        label: 'state',
        text: operationStateText(value.state, counts),
        style: operationStyle(value.state, counts),
      },
      { label: 'paused by', text: value.paused_by ?? '' },
      { label: 'problem', text: serverText(value.problem), style: 'doubtful' },
      {
        label: 'unavailable',
        text: outageLines(value.unavailable_hosts).join('; '),
        style: 'doubtful',
      },
      {
        label: 'next steps',
        text: value.state === 'paused' ? nextSteps(value).join('; ') : retryWithoutHostsCommand(value),
      },
      { label: 'hosts', text: `${counts.total}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}` },
      {
        label: 'started',
        text: `${utcTime(value.started_at)}${value.started_by === '' ? '' : ` by ${value.started_by}`}`,
      },
      {
        label: 'duration',
        text: `${duration(endMs - timeOf(value.started_at))}${value.finished_at === null ? ' so far' : ''}`,
      },
      { label: 'actions', text: value.can.join(', ') },
    ],
    below: value.hosts.length === 0 ? '' : print.table(value.hosts, operationHostColumns(nowMs)),
  });
}

async function follow(session: Session, _options: object, text: string): Promise<void> {
  await followOperation(session, (await findOperation(session.client, text)).id);
}

export function addOperationCommands(program: Command, cli: CommandLine): void {
  const noun = program.command('operation').description('View and control operations');
  const operation = [
    '<operation>',
    'Operation ID, ID prefix, or cluster name (its newest operation)',
  ] as const;
  noun
    .command('list')
    .description('List operations, newest first')
    .option('--cluster <cluster>', 'Filter by cluster')
    .addOption(new Option('--kind <kind>', 'Filter by kind').choices(OPERATION_KINDS))
    .addOption(new Option('--state <state>', 'Filter by state').choices(OPERATION_STATES))
    .addOption(new Option('--status <status>', 'Filter by status').choices(RECORD_STATUSES))
    .addOption(
      new Option('--limit <count>', 'Maximum number of operations').argParser(readCount).default(NEWEST),
    )
    .option('--all', 'List all stored operations, without a limit')
    .addOption(watchOption())
    .action(cli.showing(list));
  noun
    .command('show')
    .description('Show an operation and its hosts')
    .argument(...operation)
    .addOption(watchOption())
    .action(cli.showing(show));
  noun
    .command('follow')
    .description('Follow an operation until it ends; Ctrl-C stops following, not the operation')
    .argument(...operation)
    .action(cli.withSession(follow));
  addLogsCommand(noun, cli, operation);
  addSteeringCommands(noun, cli, operation);
}
