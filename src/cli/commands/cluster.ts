import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { Cluster } from '../../contract/routes/clusters.ts';
import { pluralize } from '../../lib/text.ts';
import type { ActionBuilder } from '../actions.ts';
import { watchOption, yesOption } from '../actions.ts';
import { forEachHost } from '../for-each-host.ts';
import { confirm } from '../input/prompts.ts';
import { getStatusStyle } from '../output/format.ts';
import type { Column } from '../output/table.ts';
import type { Session } from '../session.ts';
import { addClusterPolicyCommand } from './cluster-policy.ts';
import { collectAddresses } from './host/arguments.ts';
import { hostColumns } from './host/show.ts';

type ClusterRecord = Static<typeof Cluster>;

const COLUMNS: readonly Column<ClusterRecord>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'STATUS', value: ({ status }) => status, style: ({ status }) => getStatusStyle(status) },
  { header: 'HOSTS', value: ({ hosts }) => `${hosts.available}/${hosts.total}`, isRightAligned: true },
  { header: 'NETWORK', value: ({ network }) => network, isTruncatable: true },
  { header: 'CONTAINER MANAGER', value: ({ container_manager }) => container_manager, isTruncatable: true },
];

async function list({ client, printer }: Session): Promise<void> {
  const { body } = await client.getOverview();
  await printer.printList({
    rows: body.clusters,
    columns: COLUMNS,
    getName: ({ name }) => name,
    emptyMessage: 'No clusters found. Create one with: hostler cluster create NAME',
  });
}

async function show({ client, printer }: Session, _options: object, name: string): Promise<void> {
  const { body: value } = await client.getCluster({ name });
  const { total, available } = value.hosts;
  await printer.printRecord({
    ...{ value, name },
    fields: [
      { label: 'name', text: value.name },
      { label: 'status', text: value.status, style: getStatusStyle(value.status) },
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
  { client, printer }: Session,
  { network, containerManager }: CreateOptions,
  name: string,
): Promise<void> {
  const body = { network, ...(containerManager !== undefined && { container_manager: containerManager }) };
  const { status, body: value } = await client.putCluster({ name, body });
  await printer.printResult(`cluster ${name} ${status === 201 ? 'created' : 'already exists'}`, {
    value,
    name,
  });
}

async function remove(
  { client, printer, terminal }: Session,
  { yes }: { readonly yes?: true },
  name: string,
): Promise<void> {
  const { body: cluster } = await client.getCluster({ name });
  const note =
    cluster.hosts.total === 0 ? '' : ` Its ${pluralize(cluster.hosts.total, 'host')} stay enrolled, without a cluster.`;
  await confirm(terminal, `Remove cluster ${name}?${note}`, yes);
  await client.removeCluster({ name });
  await printer.printResult(`cluster ${name} removed`, { value: [], name });
}

async function hosts({ client, printer, terminal }: Session, _options: object, name: string): Promise<void> {
  const { body: rows } = await client.listHosts({ query: { cluster: name } });
  // The list is also empty for an unknown cluster. This request then fails with 404.
  if (rows.length === 0) await client.getCluster({ name });
  await printer.printList({
    rows,
    columns: hostColumns(terminal.clock.now()),
    getName: ({ address }) => address,
    emptyMessage: `Cluster ${name} has no hosts. Add one with: hostler cluster join ${name} ADDRESS`,
  });
}

async function join(session: Session, _options: object, name: string, addresses: readonly string[]) {
  const { client } = session;
  // Fails once if the cluster does not exist, instead of once per host.
  await client.getCluster({ name });
  await forEachHost(session, addresses, async address => {
    await client.addMember({ name, address, body: {} });
    return { message: `host ${address} added to cluster ${name}`, value: address };
  });
}

async function leave(session: Session, _options: object, name: string, addresses: readonly string[]) {
  const { client } = session;
  const members = new Set((await client.listMembers({ name })).body);
  await forEachHost(session, addresses, async address => {
    await client.removeMember({ name, address });
    const result = members.has(address) ? 'removed from' : 'is not a member of';
    return { message: `host ${address} ${result} cluster ${name}`, value: address };
  });
}

/** The server rejects the request if the list has changed in the meantime. */
async function setHosts(
  { client, printer, terminal }: Session,
  { yes }: { readonly yes?: true },
  name: string,
  addresses: string[],
) {
  const { body: old } = await client.listMembers({ name });
  if (addresses.length === 0 && old.length > 0)
    await confirm(terminal, `Remove all ${pluralize(old.length, 'host')} from cluster ${name}?`, yes);
  const { body: value } = await client.replaceMembers({ name, body: { old, new: addresses } });
  await printer.printResult(`cluster ${name} now has ${pluralize(value.length, 'host')}`, { value, name });
}

export function addClusterCommands(program: Command, cli: ActionBuilder): void {
  const group = program.command('cluster').description('Manage clusters and their hosts');
  const name = ['<cluster>', 'Cluster name'] as const;
  group
    .command('create')
    .description('Create a cluster')
    .argument(...name)
    .option('--network <network>', 'Network of the hosts', 'default')
    .option('--container-manager <container-manager>', 'Container manager of the hosts')
    .action(cli.withSession(create));
  group.command('list').description('List clusters').addOption(watchOption()).action(cli.withWatch(list));
  group
    .command('show')
    .description('Show a cluster')
    .argument(...name)
    .addOption(watchOption())
    .action(cli.withWatch(show));
  group
    .command('hosts')
    .description('List the hosts of a cluster')
    .argument(...name)
    .addOption(watchOption())
    .action(cli.withWatch(hosts));
  group
    .command('join')
    .description('Add hosts to a cluster')
    .argument(...name)
    .argument('<addresses...>', 'Addresses of enrolled hosts', collectAddresses)
    .action(cli.withSession(join));
  group
    .command('leave')
    .description('Remove hosts from a cluster; they stay enrolled')
    .argument(...name)
    .argument('<addresses...>', 'Addresses of hosts in the cluster', collectAddresses)
    .action(cli.withSession(leave));
  group
    .command('set-hosts')
    .description('Replace the hosts of a cluster')
    .argument(...name)
    .argument('[addresses...]', 'Addresses of enrolled hosts; omit them to empty the cluster')
    .addOption(yesOption())
    .action(cli.withSession(setHosts));
  addClusterPolicyCommand(group, cli);
  group
    .command('remove')
    .description('Remove a cluster; its hosts stay enrolled')
    .argument(...name)
    .addOption(yesOption())
    .action(cli.withSession(remove));
}
