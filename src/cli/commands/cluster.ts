import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { Cluster } from '../../contract/routes/clusters.ts';
import { plural } from '../../lib/text/plural.ts';
import type { CommandLine } from '../command-line.ts';
import { watchOption, yesOption } from '../command-line.ts';
import { confirm } from '../confirm.ts';
import { eachHost } from '../each-host.ts';
import { statusStyle } from '../output/status-style.ts';
import type { Column } from '../output/table.ts';
import type { Session } from '../session.ts';
import { addClusterPolicyCommand } from './cluster-policy.ts';
import { parseAddresses } from './host/addresses.ts';
import { hostColumns } from './host/columns.ts';

type ClusterRecord = Static<typeof Cluster>;

const COLUMNS: readonly Column<ClusterRecord>[] = [
  { header: 'NAME', of: ({ name }) => name },
  { header: 'STATUS', of: ({ status }) => status, style: ({ status }) => statusStyle(status) },
  { header: 'HOSTS', of: ({ hosts }) => `${hosts.available}/${hosts.total}`, isRight: true },
  { header: 'NETWORK', of: ({ network }) => network, isCuttable: true },
  { header: 'CONTAINER MANAGER', of: ({ container_manager }) => container_manager, isCuttable: true },
];

async function list({ client, print }: Session): Promise<void> {
  const { body } = await client.getOverview();
  await print.list({
    rows: body.clusters,
    columns: COLUMNS,
    nameOf: ({ name }) => name,
    whenEmpty: 'No clusters found. Create one with: hostler cluster create NAME',
  });
}

async function show({ client, print }: Session, _options: object, name: string): Promise<void> {
  const { body: value } = await client.getCluster({ name });
  const { total, available } = value.hosts;
  await print.show({
    ...{ value, name },
    fields: [
      { label: 'name', text: value.name },
      { label: 'status', text: value.status, style: statusStyle(value.status) },
      { label: 'hosts', text: `${available} of ${total} available` },
      { label: 'network', text: value.network },
      { label: 'container manager', text: value.container_manager },
    ],
  });
}

interface CreateOptions {
  readonly network: string;
  readonly containerManager?: string;
}

async function create(
  { client, print }: Session,
  { network, containerManager }: CreateOptions,
  name: string,
): Promise<void> {
  const body = { network, ...(containerManager !== undefined && { container_manager: containerManager }) };
  const { status, body: value } = await client.putCluster({ name, body });
  await print.done(`cluster ${name} ${status === 201 ? 'created' : 'already exists'}`, { value, name });
}

async function remove(
  { client, print, terminal }: Session,
  { yes }: { readonly yes?: true },
  name: string,
): Promise<void> {
  const { body: cluster } = await client.getCluster({ name });
  const stay =
    cluster.hosts.total === 0
      ? ''
      : ` Its ${plural(cluster.hosts.total, 'host')} stay enrolled, without a cluster.`;
  await confirm(terminal, `Remove cluster ${name}?${stay}`, yes);
  await client.removeCluster({ name });
  await print.done(`cluster ${name} removed`, { value: [], name });
}

async function hosts({ client, print, terminal }: Session, _options: object, name: string): Promise<void> {
  const { body: rows } = await client.listHosts({ query: { cluster: name } });
  // An unknown cluster has no hosts either, and that is another answer.
  if (rows.length === 0) await client.getCluster({ name });
  await print.list({
    rows,
    columns: hostColumns(terminal.clock.now()),
    nameOf: ({ address }) => address,
    whenEmpty: `Cluster ${name} has no hosts. Add one with: hostler cluster join ${name} ADDRESS`,
  });
}

async function join(session: Session, _options: object, name: string, addresses: readonly string[]) {
  const { client } = session;
  // Without the cluster all of them would be refused, each by itself.
  await client.getCluster({ name });
  await eachHost(session, addresses, async address => {
    await client.addMember({ name, address, body: {} });
    return { sentence: `host ${address} added to cluster ${name}`, value: address };
  });
}

async function leave(session: Session, _options: object, name: string, addresses: readonly string[]) {
  const { client } = session;
  const members = new Set((await client.listMembers({ name })).body);
  await eachHost(session, addresses, async address => {
    await client.removeMember({ name, address });
    const what = members.has(address) ? 'removed from' : 'is not a member of';
    return { sentence: `host ${address} ${what} cluster ${name}`, value: address };
  });
}

/** Refused when somebody else has changed the list meanwhile. */
async function setHosts(
  { client, print, terminal }: Session,
  { yes }: { readonly yes?: true },
  name: string,
  addresses: string[],
) {
  const { body: old } = await client.listMembers({ name });
  if (addresses.length === 0 && old.length > 0)
    await confirm(terminal, `Remove all ${plural(old.length, 'host')} from cluster ${name}?`, yes);
  const { body: value } = await client.replaceMembers({ name, body: { old, new: addresses } });
  await print.done(`cluster ${name} now has ${plural(value.length, 'host')}`, { value, name });
}

export function addClusterCommands(program: Command, cli: CommandLine): void {
  const noun = program.command('cluster').description('Manage clusters and their hosts');
  const name = ['<cluster>', 'Cluster name'] as const;
  noun
    .command('create')
    .description('Create a cluster')
    .argument(...name)
    .option('--network <network>', 'Network of the hosts', 'default')
    .option('--container-manager <container-manager>', 'Container manager of the hosts')
    .action(cli.withSession(create));
  noun.command('list').description('List clusters').addOption(watchOption()).action(cli.showing(list));
  noun
    .command('show')
    .description('Show a cluster')
    .argument(...name)
    .addOption(watchOption())
    .action(cli.showing(show));
  noun
    .command('hosts')
    .description('List the hosts of a cluster')
    .argument(...name)
    .addOption(watchOption())
    .action(cli.showing(hosts));
  noun
    .command('join')
    .description('Add hosts to a cluster')
    .argument(...name)
    .argument('<addresses...>', 'Addresses of enrolled hosts', parseAddresses)
    .action(cli.withSession(join));
  noun
    .command('leave')
    .description('Remove hosts from a cluster; they stay enrolled')
    .argument(...name)
    .argument('<addresses...>', 'Addresses of hosts in the cluster', parseAddresses)
    .action(cli.withSession(leave));
  noun
    .command('set-hosts')
    .description('Replace the hosts of a cluster')
    .argument(...name)
    .argument('[addresses...]', 'Addresses of enrolled hosts; omit them to empty the cluster')
    .addOption(yesOption())
    .action(cli.withSession(setHosts));
  addClusterPolicyCommand(noun, cli);
  noun
    .command('remove')
    .description('Remove a cluster; its hosts stay enrolled')
    .argument(...name)
    .addOption(yesOption())
    .action(cli.withSession(remove));
}
