import type { Command } from 'commander';
import { Option } from 'commander';
import type { HostStatus } from '../../domain/vocabulary.ts';
import { HOST_STATUSES } from '../../domain/vocabulary.ts';
import type { CommandLine } from '../command-line.ts';
import { several, watchOption } from '../command-line.ts';
import type { Session } from '../session.ts';
import { hostColumns } from './host-columns.ts';

interface ListOptions {
  readonly cluster?: string;
  readonly status?: HostStatus;
  readonly os?: string;
  readonly label?: readonly string[];
}

async function list({ client, print, terminal }: Session, { cluster, status, os, label }: ListOptions) {
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

export function addHostCommands(program: Command, cli: CommandLine): void {
  const noun = program.command('host').description('hosts: how they are, how they are reached');
  noun
    .command('list')
    .description('all hosts')
    .option('--cluster <name>', 'only members of this cluster')
    .addOption(new Option('--status <status>', 'only hosts in this status').choices(HOST_STATUSES))
    .option('--os <os>', 'only hosts with this system')
    .option('-l, --label <key=value>', 'only hosts with this label; several: with all of them', several)
    .addOption(watchOption())
    .action(cli.showing(list));
}
