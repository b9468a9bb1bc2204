import type { Command } from 'commander';
import type { FollowedEvent } from '../../client/follow-events.ts';
import { utcTime } from '../../client/times.ts';
import { harmless, LONGEST_SENTENCE } from '../../lib/text/harmless.ts';
import type { CommandLine } from '../command-line.ts';
import { readWholeNumber } from '../read-number.ts';
import type { Session } from '../session.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { operationId, withOperationOption } from './operation/operation-id.ts';

interface EventOptions {
  readonly cluster?: string;
  readonly host?: string;
  readonly operation?: string;
  readonly after?: number;
}

/** Most types fit. */
const TYPE_WIDTH = 'operation.started'.length;

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** `2026-11-15T08:30:00Z  host.status  127.0.0.1 web  active → unreachable  reason: …` */
export function eventLine(event: Extract<FollowedEvent, { readonly id: number }>): string {
  const { from, to, ...data } = event.data;
  const concerns = [event.host, event.cluster, event.operation].filter(Boolean).join(' ');
  const change = to === undefined ? '' : `${valueText(from ?? '')} → ${valueText(to)}`.trim();
  const more = Object.entries(data)
    .filter(([, value]) => value !== '' && value !== null && value !== undefined)
    .map(([key, value]) => `${key}: ${valueText(value)}`)
    .join(', ');
  const words = [concerns, change, more].filter(Boolean).map(each => harmless(each, LONGEST_SENTENCE));
  const type = harmless(event.type).padEnd(TYPE_WIDTH);
  return [harmless(utcTime(event.at)), type, ...words].join('  ').trimEnd();
}

async function tell({ print, terminal }: Session, event: FollowedEvent): Promise<void> {
  if (print.format === 'json' || print.format === 'yaml') await print.next(event);
  else if (event.type === 'reset')
    terminal.tell(
      `hostler: events after ${event.after} are no longer stored. Continuing after event ${event.position}\n`,
    );
  else if ('id' in event) terminal.write(`${print.format === 'name' ? event.id : eventLine(event)}\n`);
}

/** Until Ctrl-C. Servers may come and go; one must be there at the beginning, so that a slip in the address is told. */
async function follow(session: Session, { cluster, host, operation, after }: EventOptions): Promise<void> {
  const { client, terminal } = session;
  await untilInterrupted(terminal, async signal => {
    await client.getLiveness();
    const query = {
      ...(cluster !== undefined && { cluster }),
      ...(host !== undefined && { host }),
      ...(operation !== undefined && { operation: await operationId(client, operation) }),
      ...(after !== undefined && { after }),
    };
    for await (const event of session.follow({ query, signal })) await tell(session, event);
  });
}

export function addEventsCommands(program: Command, cli: CommandLine): void {
  const command = program
    .command('events')
    .description('Stream events until Ctrl-C')
    .option('--cluster <cluster>', 'Filter by cluster')
    .option('--host <address>', 'Filter by host');
  withOperationOption(command)
    .option('--after <number>', 'Start after this event ID; 0 starts with the oldest event', readWholeNumber)
    .addHelpText(
      'after',
      `
Examples:
  hostler events --cluster web
  hostler events -o json | jq 'select(.type == "host.status")'
`,
    )
    .action(cli.withSession(follow));
}
