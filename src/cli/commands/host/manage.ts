import { formatCount } from '../../../lib/text.ts';
import type { YesOption } from '../../actions.ts';
import { usageError } from '../../errors.ts';
import { forEachHost } from '../../for-each-host.ts';
import { confirm } from '../../input/prompts.ts';
import type { Session } from '../../session.ts';
import type { Labels } from './arguments.ts';
import { applyLabelChanges, formatLabels, parseLabelChanges } from './arguments.ts';

export async function retry(session: Session, _options: object, addresses: readonly string[]) {
  await forEachHost(session, addresses, async address => {
    const { body: value } = await session.client.bootstrapHost({ address, body: {} });
    return { message: `bootstrap of host ${address} restarted`, value };
  });
}

export async function remove(session: Session, { yes }: YesOption, addresses: readonly string[]) {
  const isOne = addresses.length === 1;
  const subject = isOne ? `host ${addresses[0]}` : `${formatCount(addresses.length, 'host')} (${addresses.join(', ')})`;
  const effect = `This also removes ${isOne ? 'its' : 'their'} cluster membership and credentials.`;
  await confirm(session.terminal, `Remove ${subject}? ${effect}`, yes);
  await forEachHost(session, addresses, async address => {
    await session.client.removeHost({ address });
    return { message: `host ${address} removed`, value: address };
  });
}

async function printLabels({ printer, terminal }: Session, address: string, value: Labels): Promise<void> {
  const fields = Object.entries(value).map(([key, text]) => [key, text || '""'] as const);
  if (printer.isHumanReadable && fields.length === 0) terminal.writeErr(`Host ${address} has no labels.\n`);
  else await printer.printRecord(value, address, fields);
}

/** Not atomic: if several users change the labels at the same time, the last write wins. */
export async function label(session: Session, _options: object, address: string, args: readonly string[]) {
  const { client, printer } = session;
  const changes = parseLabelChanges(args);
  const { body: current } = await client.getHostLabels({ address });
  if (changes.size === 0) return printLabels(session, address, current);
  const { body: value } = await client.putHostLabels({ address, body: applyLabelChanges(current, changes) });
  const labels = formatLabels(value);
  const message =
    labels === '' ? `All labels of host ${address} were removed.` : `Labels of host ${address}: ${labels}`;
  await printer.printResult(message, value, address);
}

export async function maintenance(
  { client, printer }: Session,
  { reason }: { readonly reason?: string },
  address: string,
  state: 'on' | 'off' | undefined,
) {
  if (reason !== undefined && state !== 'on') throw usageError('--reason requires "on"');
  const { body: value } = await (state === undefined
    ? client.getHostMaintenance({ address })
    : client.putHostMaintenance({ address, body: { on: state === 'on', reason } }));
  const reasonText = value.reason === '' ? '' : ` (${value.reason})`;
  const message = `Host ${address} is ${value.on ? 'in' : 'not in'} maintenance${reasonText}.`;
  await printer.printResult(message, value, address);
}
