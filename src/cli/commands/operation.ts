// Commands for running and ended operations. An operation is named by its ID, a prefix of its ID, or its
// cluster.

import type { Command } from 'commander';
import { Option } from 'commander';
import type { OperationKind, OperationState, RecordStatus } from '../../domain/vocabulary.ts';
import { OPERATION_KINDS, OPERATION_STATES, RECORD_STATUS_OF_STATE, RECORD_STATUSES } from '../../domain/vocabulary.ts';
import { formatDuration, parseWireTime, utcTime } from '../../sdk/format.ts';
import { operationStateText } from '../../sdk/operation-text.ts';
import type { ActionBuilder } from '../actions.ts';
import { watchOption } from '../actions.ts';
import { followOperation } from '../follow/follow-operation.ts';
import { getNextSteps, retryWithoutHostsCommand } from '../follow/next-steps.ts';
import { parsePositiveInteger } from '../input/option-parsers.ts';
import { getOperationStyle } from '../output/format.ts';
import { formatServerText } from '../output/server-text.ts';
import type { Session } from '../session.ts';
import { formatOutages } from './operation/blocked-start.ts';
import { operationColumns, operationHostColumns } from './operation/columns.ts';
import { addControlCommands } from './operation/control.ts';
import type { Operation } from './operation/find-operation.ts';
import { findOperation, iterateOperations } from './operation/find-operation.ts';
import { addLogsCommand } from './operation/logs.ts';

interface ListOptions {
  readonly cluster?: string;
  readonly kind?: OperationKind;
  readonly state?: OperationState;
  readonly status?: RecordStatus;
  readonly limit: number;
  readonly all?: true;
}

const DEFAULT_LIMIT = 20;

async function list(session: Session, options: ListOptions): Promise<void> {
  const { printer, terminal } = session;
  const { cluster, kind, state, status, limit, all } = options;
  // The API filters by status only. The status excludes most ended operations.
  const requestedStatus = status ?? (state && RECORD_STATUS_OF_STATE[state]);
  const max = all ? Number.POSITIVE_INFINITY : limit;
  const rows: Operation[] = [];
  const query = {
    ...(cluster !== undefined && { cluster }),
    ...(kind !== undefined && { kind }),
    ...(requestedStatus !== undefined && { status: requestedStatus }),
    ...(state === undefined && max < 1000 && { limit: max }),
  };
  for await (const operation of iterateOperations(session.client, query)) {
    if (rows.length >= max) break;
    if (state === undefined || operation.state === state) rows.push(operation);
  }
  await printer.printList({
    rows,
    columns: operationColumns(terminal.clock.now()),
    getName: ({ id }) => id,
    emptyMessage: 'No operations found. Start one with: hostler restart CLUSTER',
  });
}

async function show(session: Session, _options: object, text: string): Promise<void> {
  const { client, printer, terminal } = session;
  const { id } = await findOperation(session.client, text);
  const { body: value } = await client.getOperation({ id });
  const nowMs = terminal.clock.now();
  const { counts } = value;
  const countTexts = (['pending', 'preparing', 'in_flight', 'done', 'failed', 'skipped'] as const)
    .filter(key => counts[key] > 0)
    .map(key => `${counts[key]} ${key.replace('_', ' ')}`);
  const endMs = value.finished_at === null ? nowMs : parseWireTime(value.finished_at);
  await printer.printRecord({
    ...{ value, name: id },
    fields: [
      { label: 'id', text: id },
      { label: 'kind', text: value.kind },
      { label: 'cluster', text: value.cluster },
      { label: 'version', text: value.version ?? '' },
      {
        label: 'state',
        text: operationStateText(value.state, counts),
        style: getOperationStyle(value.state, counts),
      },
      { label: 'paused by', text: value.paused_by ?? '' },
      { label: 'problem', text: formatServerText(value.problem), style: 'warning' },
      {
        label: 'unavailable',
        text: formatOutages(value.unavailable_hosts).join('; '),
        style: 'warning',
      },
      {
        label: 'next steps',
        text: value.state === 'paused' ? getNextSteps(value).join('; ') : retryWithoutHostsCommand(value),
      },
      {
        label: 'hosts',
        text: `${counts.total}${countTexts.length === 0 ? '' : `: ${countTexts.join(', ')}`}`,
      },
      {
        label: 'started',
        text: `${utcTime(value.started_at)}${value.started_by === '' ? '' : ` by ${value.started_by}`}`,
      },
      {
        label: 'duration',
        text: `${formatDuration(endMs - parseWireTime(value.started_at))}${value.finished_at === null ? ' so far' : ''}`,
      },
      { label: 'actions', text: value.can.join(', ') },
    ],
    details: value.hosts.length === 0 ? '' : printer.formatTable(value.hosts, operationHostColumns(nowMs)),
  });
}

async function follow(session: Session, _options: object, text: string): Promise<void> {
  await followOperation(session, (await findOperation(session.client, text)).id);
}

export function addOperationCommands(program: Command, cli: ActionBuilder): void {
  const group = program.command('operation').description('View and control operations');
  const operation = ['<operation>', 'Operation ID, ID prefix, or cluster name (its newest operation)'] as const;
  group
    .command('list')
    .description('List operations, newest first')
    .option('--cluster <cluster>', 'Filter by cluster')
    .addOption(new Option('--kind <kind>', 'Filter by kind').choices(OPERATION_KINDS))
    .addOption(new Option('--state <state>', 'Filter by state').choices(OPERATION_STATES))
    .addOption(new Option('--status <status>', 'Filter by status').choices(RECORD_STATUSES))
    .addOption(
      new Option('--limit <count>', 'Maximum number of operations')
        .argParser(parsePositiveInteger)
        .default(DEFAULT_LIMIT),
    )
    .option('--all', 'List all stored operations, without a limit')
    .addOption(watchOption())
    .action(cli.withWatch(list));
  group
    .command('show')
    .description('Show an operation and its hosts')
    .argument(...operation)
    .addOption(watchOption())
    .action(cli.withWatch(show));
  group
    .command('follow')
    .description('Follow an operation until it ends; Ctrl-C stops following, not the operation')
    .argument(...operation)
    .action(cli.withSession(follow));
  addLogsCommand(group, cli, operation);
  addControlCommands(group, cli, operation);
}
