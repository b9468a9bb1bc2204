import { plural } from '../../../lib/text/plural.ts';
import { usageProblem } from '../../cli-problem.ts';
import { confirm } from '../../confirm.ts';
import { eachHost } from '../../each-host.ts';
import type { Session } from '../../session.ts';
import type { Labels } from './labels.ts';
import { changedLabels, labelsText, readLabelChanges } from './labels.ts';

export async function retry(session: Session, _options: object, addresses: readonly string[]) {
  await eachHost(session, addresses, async address => {
    const { body: value } = await session.client.bootstrapHost({ address, body: {} });
    return { sentence: `bootstrap of host ${address} restarted`, value };
  });
}

export async function remove(
  session: Session,
  { yes }: { readonly yes?: true },
  addresses: readonly string[],
) {
  const [first] = addresses;
  const which =
    addresses.length === 1
      ? `host ${first}`
      : `${plural(addresses.length, 'host')} (${addresses.join(', ')})`;
  await confirm(
    session.terminal,
    `Remove ${which}? This also removes ${addresses.length === 1 ? 'its' : 'their'} cluster membership and credentials.`,
    yes,
  );
  await eachHost(session, addresses, async address => {
    await session.client.removeHost({ address });
    return { sentence: `host ${address} removed`, value: address };
  });
}

async function showLabels({ print, terminal }: Session, address: string, value: Labels): Promise<void> {
  const fields = Object.entries(value).map(([label, text]) => ({ label, text: text || '""' }));
  if (print.isForPeople && fields.length === 0) terminal.tell(`Host ${address} has no labels.\n`);
  else await print.show({ value, name: address, fields });
}

/** Others may change labels at the same time: what counts is what is written last. */
export async function label(session: Session, _options: object, address: string, given: readonly string[]) {
  const { client, print } = session;
  const changes = readLabelChanges(given);
  const { body: before } = await client.getHostLabels({ address });
  if (changes.size === 0) return showLabels(session, address, before);
  const { body: value } = await client.putHostLabels({ address, body: changedLabels(before, changes) });
  const has = labelsText(value);
  await print.done(
    has === '' ? `All labels of host ${address} were removed.` : `Labels of host ${address}: ${has}`,
    {
      value,
      name: address,
    },
  );
}

export async function maintenance(
  { client, print }: Session,
  { reason }: { readonly reason?: string },
  address: string,
  state: 'on' | 'off' | undefined,
) {
  if (reason !== undefined && state !== 'on') throw usageProblem('--reason requires "on"');
  const { body: value } =
    state === undefined
      ? await client.getHostMaintenance({ address })
      : await client.putHostMaintenance({
          address,
          body: { on: state === 'on', ...(reason !== undefined && { reason }) },
        });
  const why = value.reason === '' ? '' : ` (${value.reason})`;
  await print.done(`Host ${address} is ${value.on ? 'in' : 'not in'} maintenance${why}.`, {
    value,
    name: address,
  });
}
