import type { Session } from '../../session.ts';
import { hostColumns } from './columns.ts';
import type { HostFilter } from './filter.ts';
import { hostQuery } from './filter.ts';

export async function list({ client, print, terminal }: Session, filter: HostFilter) {
  const { body: rows } = await client.listHosts({ query: hostQuery(filter) });
  await print.list({
    rows,
    columns: hostColumns(terminal.clock.now()),
    nameOf: ({ address }) => address,
    whenEmpty: 'No hosts found. Enrol one with: hostler host add ADDRESS --key FILE',
  });
}
