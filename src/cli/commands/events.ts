import type { Command } from 'commander';
import { MAX_MESSAGE_LENGTH, sanitizeLine } from '../../lib/sanitize.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Client } from '../../sdk/client.ts';
import type { StreamEvent, StreamOptions } from '../../sdk/event-stream.ts';
import { utcTime } from '../../sdk/format.ts';
import { formatHost } from '../../sdk/host-progress.ts';
import type { Hostnames } from '../../sdk/hostnames.ts';
import { fetchHostnames } from '../../sdk/hostnames.ts';
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

type FindHostname = (address: string) => Promise<string>;

const MAX_AGE_MS = 60_000;
/** A host that was enrolled later is not in the list, and gets its hostname after it was enrolled. */
const MAX_AGE_WITHOUT_HOST_MS = 5000;
/** The events wait for the hostnames. */
const HOSTNAMES_TIMEOUT_MS = 5000;

/** Returns a function that finds the hostname of a host, from a cached list. It is empty if it is not known. */
export function createHostnameFinder(
  client: Pick<Client, 'listHosts'>,
  clock: Pick<Clock, 'monotonicMs'>,
  signal: AbortSignal,
): FindHostname {
  let hostnames: Hostnames = new Map();
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  return async address => {
    const maxAgeMs = hostnames.has(address) ? MAX_AGE_MS : MAX_AGE_WITHOUT_HOST_MS;
    if (clock.monotonicMs() - fetchedAtMs >= maxAgeMs) {
      fetchedAtMs = clock.monotonicMs();
      // A failed request must not end the stream, which reconnects by itself.
      hostnames = await fetchHostnames(client, { signal, timeoutMs: HOSTNAMES_TIMEOUT_MS }).catch(() => hostnames);
    }
    return hostnames.get(address) ?? '';
  };
}

type LoggedEvent = Extract<StreamEvent, { readonly id: number }>;

/** `2026-11-15 08:30:00 UTC  host.status  edge-1 (127.0.0.1) web  active → unreachable  reason: …` */
async function formatEvent(event: LoggedEvent, findHostname: FindHostname): Promise<string> {
  const { from, to, ...data } = event.data;
  const { host: address } = event;
  const host = address && formatHost({ address, hostname: await findHostname(address) });
  const subject = [host, event.cluster, event.operation].filter(Boolean).join(' ');
  const change = to === undefined ? '' : `${formatValue(from ?? '')} → ${formatValue(to)}`.trim();
  const details = Object.entries(data)
    .filter(([, value]) => value !== '' && value !== null && value !== undefined)
    .map(([key, value]) => `${key}: ${formatValue(value)}`)
    .join(', ');
  const fields = [subject, change, details].filter(Boolean).map(text => sanitizeLine(text, MAX_MESSAGE_LENGTH));
  const type = sanitizeLine(event.type).padEnd(TYPE_WIDTH);
  return [sanitizeLine(utcTime(event.at)), type, ...fields].join('  ').trimEnd();
}

async function printEvent(
  { printer, terminal }: Session,
  event: StreamEvent,
  findHostname: FindHostname,
): Promise<void> {
  if (!printer.isHumanReadable && printer.format !== 'name') await printer.printStreamItem(event);
  else if (event.type === 'reset')
    terminal.writeErr(
      `hostler: events after ${event.after} are no longer stored. Continuing after event ${event.position}\n`,
    );
  else if ('id' in event)
    terminal.writeOut(`${printer.format === 'name' ? event.id : await formatEvent(event, findHostname)}\n`);
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
    const findHostname = createHostnameFinder(client, terminal.clock, signal);
    for await (const event of session.follow({ query, signal })) await printEvent(session, event, findHostname);
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
