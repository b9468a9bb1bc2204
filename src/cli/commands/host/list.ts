import type { Session } from '../../session.ts';
import { hostColumns } from './columns.ts';
import type { HostFilter } from './filter.ts';
import { hostQuery } from './filter.ts';

export async function list({ client, print, terminal }: Session, filter: HostFilter) {
  const query = hostQuery(filter);
  const { body: rows } = await client.listHosts({ query });
  await print.list({
    rows,
    columns: hostColumns(terminal.clock.now()),
    nameOf: ({ address }) => address,
    whenEmpty:
      Object.keys(query).length > 0
        ? 'No hosts match these filters.'
        : 'No hosts found. Enrol one with: hostler host add ADDRESS --key FILE',
  });
}
