import type { Command } from 'commander';
import { MAX_MESSAGE_LENGTH, sanitizeLine } from '../../lib/sanitize.ts';
import type { StreamEvent, StreamOptions } from '../../sdk/event-stream.ts';
import { utcTime } from '../../sdk/format.ts';
import type { ActionBuilder } from '../actions.ts';
import { addCommand } from '../actions.ts';
import { parseHost } from '../input/host-arguments.ts';
import { parseInteger } from '../input/option-parsers.ts';
import { formatValue } from '../output/format.ts';
import { resolveFilterHost } from '../resolve-hosts.ts';
import type { Session } from '../session.ts';
import { withInterruptSignal } from '../terminal/terminal.ts';
import { resolveOperationId, withOperationOption } from './operation/find-operation.ts';

type EventQuery = NonNullable<StreamOptions['query']>;

const TYPE_WIDTH = 'operation.started'.length;

/** `2026-11-15T08:30:00Z  host.status  127.0.0.1 web  active → unreachable  reason: …` */
function formatEvent(event: Extract<StreamEvent, { readonly id: number }>): string {
  const { from, to, ...data } = event.data;
  const subject = [event.host, event.cluster, event.operation].filter(Boolean).join(' ');
  const change = to === undefined ? '' : `${formatValue(from ?? '')} → ${formatValue(to)}`.trim();
  const details = Object.entries(data)
    .filter(([, value]) => value !== '' && value !== null && value !== undefined)
    .map(([key, value]) => `${key}: ${formatValue(value)}`)
    .join(', ');
  const fields = [subject, change, details].filter(Boolean).map(text => sanitizeLine(text, MAX_MESSAGE_LENGTH));
  const type = sanitizeLine(event.type).padEnd(TYPE_WIDTH);
  return [sanitizeLine(utcTime(event.at)), type, ...fields].join('  ').trimEnd();
}

async function printEvent({ printer, terminal }: Session, event: StreamEvent): Promise<void> {
  if (!printer.isHumanReadable && printer.format !== 'name') await printer.printStreamItem(event);
  else if (event.type === 'reset')
    terminal.writeErr(
      `hostler: events after ${event.after} are no longer stored. Continuing after event ${event.position}\n`,
    );
  else if ('id' in event) terminal.writeOut(`${printer.format === 'name' ? event.id : formatEvent(event)}\n`);
}

/** Reconnects if a server stops. The first request is not retried, so that a wrong server URL is reported. */
async function follow(session: Session, { cluster, host, operation, after }: EventQuery): Promise<void> {
  const { client, terminal } = session;
  await withInterruptSignal(terminal, async signal => {
    await client.getLiveness();
    const query = {
      ...{ cluster, after },
      host: await resolveFilterHost(client, host),
      operation: await resolveOperationId(client, operation),
    };
    for await (const event of session.follow({ query, signal })) await printEvent(session, event);
  });
}

export function addEventsCommands(program: Command, cli: ActionBuilder): void {
  const command = addCommand(program, 'events', 'Stream events until Ctrl-C')
    .option('--cluster <cluster>', 'Filter by cluster')
    .option('--host <host>', 'Filter by host, by address or hostname', parseHost);
  withOperationOption(command)
    .option('--after <number>', 'Start after this event ID; 0 starts with the oldest event', parseInteger)
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
