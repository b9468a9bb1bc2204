import { pluralize } from '../../../lib/text.ts';
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

export async function remove(session: Session, { yes }: { readonly yes?: true }, addresses: readonly string[]) {
  const [first] = addresses;
  const subject =
    addresses.length === 1 ? `host ${first}` : `${pluralize(addresses.length, 'host')} (${addresses.join(', ')})`;
  await confirm(
    session.terminal,
    `Remove ${subject}? This also removes ${addresses.length === 1 ? 'its' : 'their'} cluster membership and credentials.`,
    yes,
  );
  await forEachHost(session, addresses, async address => {
    await session.client.removeHost({ address });
    return { message: `host ${address} removed`, value: address };
  });
}

async function printLabels({ printer, terminal }: Session, address: string, value: Labels): Promise<void> {
  const fields = Object.entries(value).map(([label, text]) => ({ label, text: text || '""' }));
  if (printer.isHumanReadable && fields.length === 0) terminal.writeErr(`Host ${address} has no labels.\n`);
  else await printer.printRecord({ value, name: address, fields });
}

/** Not atomic: if several users change the labels at the same time, the last write wins. */
export async function label(session: Session, _options: object, address: string, args: readonly string[]) {
  const { client, printer } = session;
  const changes = parseLabelChanges(args);
  const { body: current } = await client.getHostLabels({ address });
  if (changes.size === 0) return printLabels(session, address, current);
  const { body: value } = await client.putHostLabels({ address, body: applyLabelChanges(current, changes) });
  const labels = formatLabels(value);
  await printer.printResult(
    labels === '' ? `All labels of host ${address} were removed.` : `Labels of host ${address}: ${labels}`,
    {
      value,
      name: address,
    },
  );
}

export async function maintenance(
  { client, printer }: Session,
  { reason }: { readonly reason?: string },
  address: string,
  state: 'on' | 'off' | undefined,
) {
  if (reason !== undefined && state !== 'on') throw usageError('--reason requires "on"');
  const { body: value } =
    state === undefined
      ? await client.getHostMaintenance({ address })
      : await client.putHostMaintenance({
          address,
          body: { on: state === 'on', ...(reason !== undefined && { reason }) },
        });
  const reasonText = value.reason === '' ? '' : ` (${value.reason})`;
  await printer.printResult(`Host ${address} is ${value.on ? 'in' : 'not in'} maintenance${reasonText}.`, {
    value,
    name: address,
  });
}
