import { formatCount } from '../../../lib/text.ts';
import type { YesOption } from '../../actions.ts';
import { usageError } from '../../errors.ts';
import { forEachHost } from '../../for-each-host.ts';
import { confirm } from '../../input/prompts.ts';
import type { NamedHost } from '../../resolve-hosts.ts';
import { resolveHost, resolveHosts } from '../../resolve-hosts.ts';
import type { Session } from '../../session.ts';
import type { Labels } from './arguments.ts';
import { applyLabelChanges, formatLabels, parseLabelChanges } from './arguments.ts';

export async function retry(session: Session, _options: object, names: readonly string[]) {
  await forEachHost(session, await resolveHosts(session.client, names), async ({ address, displayName }) => {
    const { body: value } = await session.client.bootstrapHost({ address, body: {} });
    return { message: `bootstrap of host ${displayName} restarted`, value };
  });
}

export async function remove(session: Session, { yes }: YesOption, names: readonly string[]) {
  const hosts = await resolveHosts(session.client, names);
  const isOne = hosts.length === 1;
  const list = hosts.map(({ displayName }) => displayName).join(', ');
  const subject = isOne ? `host ${list}` : `${formatCount(hosts.length, 'host')} (${list})`;
  const effect = `This also removes ${isOne ? 'its' : 'their'} cluster membership and credentials.`;
  await confirm(session.terminal, `Remove ${subject}? ${effect}`, yes);
  await forEachHost(session, hosts, async ({ address, displayName }) => {
    await session.client.removeHost({ address });
    return { message: `host ${displayName} removed`, value: address };
  });
}

async function printLabels(
  { printer, terminal }: Session,
  { address, displayName }: NamedHost,
  value: Labels,
): Promise<void> {
  const fields = Object.entries(value).map(([key, text]) => [key, text || '""'] as const);
  if (printer.isHumanReadable && fields.length === 0) terminal.writeErr(`Host ${displayName} has no labels.\n`);
  else await printer.printRecord(value, address, fields);
}

/** Not atomic: if several users change the labels at the same time, the last write wins. */
export async function label(session: Session, _options: object, name: string, args: readonly string[]) {
  const { client, printer } = session;
  const changes = parseLabelChanges(args);
  const host = await resolveHost(client, name);
  const { address } = host;
  const { body: current } = await client.getHostLabels({ address });
  if (changes.size === 0) return printLabels(session, host, current);
  const { body: value } = await client.putHostLabels({ address, body: applyLabelChanges(current, changes) });
  const labels = formatLabels(value);
  const message =
    labels === ''
      ? `All labels of host ${host.displayName} were removed.`
      : `Labels of host ${host.displayName}: ${labels}`;
  await printer.printResult(message, value, address);
}

export async function maintenance(
  { client, printer }: Session,
  { reason }: { readonly reason?: string },
  name: string,
  state: 'on' | 'off' | undefined,
) {
  if (reason !== undefined && state !== 'on') throw usageError('--reason requires "on"');
  const { address, displayName } = await resolveHost(client, name);
  const { body: value } = await (state === undefined
    ? client.getHostMaintenance({ address })
    : client.putHostMaintenance({ address, body: { on: state === 'on', reason } }));
  const reasonText = value.reason === '' ? '' : ` (${value.reason})`;
  const message = `Host ${displayName} is ${value.on ? 'in' : 'not in'} maintenance${reasonText}.`;
  await printer.printResult(message, value, address);
}
