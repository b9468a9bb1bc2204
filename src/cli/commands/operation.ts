// Commands for running and ended operations. An operation is named by its ID, a prefix of its ID, or its cluster.

import type { Command } from 'commander';
import { Option } from 'commander';
import type { OperationKind, OperationState, RecordStatus } from '../../domain/vocabulary.ts';
import { OPERATION_KINDS, OPERATION_STATES, RECORD_STATUS_OF_STATE, RECORD_STATUSES } from '../../domain/vocabulary.ts';
import { formatDuration, parseWireTime, utcTime } from '../../sdk/format.ts';
import { operationStateText } from '../../sdk/operation-text.ts';
import type { ActionBuilder } from '../actions.ts';
import { addCommand } from '../actions.ts';
import { followOperation } from '../follow/follow-operation.ts';
import { getNextSteps, retryWithoutHostsCommand } from '../follow/next-steps.ts';
import { parsePositiveInteger } from '../input/option-parsers.ts';
import { getOperationStyle } from '../output/format.ts';
import type { Field } from '../output/printer.ts';
import { addHostnames, formatServerText } from '../output/server-text.ts';
import type { Session } from '../session.ts';
import { formatOutages } from './operation/blocked-start.ts';
import { formatHostCounts, operationColumns, operationHostColumns } from './operation/columns.ts';
import { addControlCommands } from './operation/control.ts';
import type { Operation } from './operation/find-operation.ts';
import { findOperation, iterateOperations, OPERATION } from './operation/find-operation.ts';
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
  const max = all ? Number.POSITIVE_INFINITY : limit;
  const rows: Operation[] = [];
  const query = {
    cluster,
    kind,
    // The API filters by status only. The status excludes most ended operations.
    status: status ?? (state && RECORD_STATUS_OF_STATE[state]),
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
  const { id } = await findOperation(client, text);
  const { body: value } = await client.getOperation({ id });
  const nowMs = terminal.clock.now();
  const { counts } = value;
  const hostnames = new Map(
    [...value.unavailable_hosts, ...value.hosts].map(({ address, hostname }) => [address, hostname]),
  );
  const endMs = value.finished_at === null ? nowMs : parseWireTime(value.finished_at);
  const duration = formatDuration(endMs - parseWireTime(value.started_at));
  const fields: readonly Field[] = [
    ['id', id],
    ['kind', value.kind],
    ['cluster', value.cluster],
    ['version', value.version ?? ''],
    ['state', operationStateText(value.state, counts), getOperationStyle(value.state, counts)],
    ['paused by', value.paused_by ?? ''],
    ['problem', addHostnames(formatServerText(value.problem), address => hostnames.get(address)), 'warning'],
    ['unavailable', formatOutages(value.unavailable_hosts).join('; '), 'warning'],
    ['next steps', value.state === 'paused' ? getNextSteps(value).join('; ') : retryWithoutHostsCommand(value)],
    ['hosts', formatHostCounts(value)],
    ['started', `${utcTime(value.started_at)}${value.started_by === '' ? '' : ` by ${value.started_by}`}`],
    ['duration', `${duration}${value.finished_at === null ? ' so far' : ''}`],
    ['actions', value.can.join(', ')],
  ];
  const columns = operationHostColumns({ nowMs, finishedAt: value.finished_at });
  const hosts = value.hosts.length === 0 ? '' : printer.formatTable(value.hosts, columns);
  await printer.printRecord(value, id, fields, hosts);
}

async function follow(session: Session, _options: object, text: string): Promise<void> {
  await followOperation(session, (await findOperation(session.client, text)).id);
}

export function addOperationCommands(program: Command, cli: ActionBuilder): void {
  const group = addCommand(program, 'operation', 'View and control operations');
  cli.addListAction(
    addCommand(group, 'list', 'List operations, newest first')
      .option('--cluster <cluster>', 'Filter by cluster')
      .addOption(new Option('--kind <kind>', 'Filter by kind').choices(OPERATION_KINDS))
      .addOption(new Option('--state <state>', 'Filter by state').choices(OPERATION_STATES))
      .addOption(new Option('--status <status>', 'Filter by status').choices(RECORD_STATUSES))
      .option('--limit <count>', 'Maximum number of operations', parsePositiveInteger, DEFAULT_LIMIT)
      .option('--all', 'List all stored operations, without a limit'),
    list,
  );
  cli.addWatchAction(addCommand(group, 'show', 'Show an operation and its hosts', OPERATION), show);
  addCommand(
    group,
    'follow',
    'Follow an operation until it ends; Ctrl-C stops following, not the operation',
    OPERATION,
  ).action(cli.withSession(follow));
  addLogsCommand(group, cli);
  addControlCommands(group, cli);
}
