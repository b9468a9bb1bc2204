import type { HostStatus } from '../../../domain/vocabulary.ts';
import type { Session } from '../../session.ts';
import { hostColumns } from '../host-columns.ts';

interface ListOptions {
  readonly cluster?: string;
  readonly status?: HostStatus;
  readonly os?: string;
  readonly label?: readonly string[];
}

export async function list(
  { client, print, terminal }: Session,
  { cluster, status, os, label }: ListOptions,
) {
  const { body: rows } = await client.listHosts({
    query: {
      ...(cluster !== undefined && { cluster }),
      ...(status !== undefined && { status }),
      ...(os !== undefined && { os }),
      ...(label && { label: [...label] }),
    },
  });
  await print.list({
    rows,
    columns: hostColumns(terminal.clock.now()),
    nameOf: ({ address }) => address,
    whenEmpty: 'There are no such hosts; enrol one by: hostler host add ADDRESS --key FILE',
  });
}
