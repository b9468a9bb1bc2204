import type { Command } from 'commander';
import { Argument } from 'commander';
import type { Static } from 'typebox';
import type { Cluster } from '../../contract/routes/clusters.ts';
import { formatCount } from '../../lib/text.ts';
import type { ActionBuilder, YesOption } from '../actions.ts';
import { addCommand, yesOption } from '../actions.ts';
import { forEachHost } from '../for-each-host.ts';
import { collectHosts } from '../input/host-arguments.ts';
import { confirm } from '../input/prompts.ts';
import { getStatusStyle } from '../output/format.ts';
import type { Column } from '../output/table.ts';
import { resolveAddresses, resolveHosts } from '../resolve-hosts.ts';
import type { Session } from '../session.ts';
import { addClusterPolicyCommand } from './cluster-policy.ts';
import { hostColumns } from './host/show.ts';

const COLUMNS: readonly Column<Static<typeof Cluster>>[] = [
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
  await printer.printRecord(value, name, [
    ['name', value.name],
    ['status', value.status, getStatusStyle(value.status)],
    ['hosts', `${value.hosts.available} of ${value.hosts.total} available`],
    ['network', value.network],
    ['container manager', value.container_manager],
  ]);
}

interface CreateOptions {
  readonly network: string;
  readonly containerManager?: string;
}

async function create({ client, printer }: Session, { network, containerManager }: CreateOptions, name: string) {
  const body = { network, container_manager: containerManager };
  const { status, body: value } = await client.putCluster({ name, body });
  await printer.printResult(`cluster ${name} ${status === 201 ? 'created' : 'already exists'}`, value, name);
}

async function remove({ client, printer, terminal }: Session, { yes }: YesOption, name: string): Promise<void> {
  const { total } = (await client.getCluster({ name })).body.hosts;
  const note = total === 0 ? '' : ` Its ${formatCount(total, 'host')} stay enrolled, without a cluster.`;
  await confirm(terminal, `Remove cluster ${name}?${note}`, yes);
  await client.removeCluster({ name });
  await printer.printResult(`cluster ${name} removed`, [], name);
}

async function hosts({ client, printer, terminal }: Session, _options: object, name: string): Promise<void> {
  const { body: rows } = await client.listHosts({ query: { cluster: name, extended: true } });
  // The list is also empty for an unknown cluster. This request then fails with 404.
  if (rows.length === 0) await client.getCluster({ name });
  await printer.printList({
    rows,
    columns: hostColumns(terminal.clock.now()),
    getName: ({ address }) => address,
    emptyMessage: `Cluster ${name} has no hosts. Add one with: hostler cluster join ${name} HOST`,
  });
}

async function join(session: Session, _options: object, name: string, hostNames: readonly string[]) {
  const { client } = session;
  // Fails once if the cluster does not exist, instead of once per host.
  await client.getCluster({ name });
  await forEachHost(session, await resolveHosts(client, hostNames), async ({ address, displayName }) => {
    await client.addMember({ name, address, body: {} });
    return { message: `host ${displayName} added to cluster ${name}`, value: address };
  });
}

async function leave(session: Session, _options: object, name: string, hostNames: readonly string[]) {
  const { client } = session;
  const members = new Set((await client.listMembers({ name })).body);
  await forEachHost(session, await resolveHosts(client, hostNames), async ({ address, displayName }) => {
    await client.removeMember({ name, address });
    const result = members.has(address) ? 'removed from' : 'is not a member of';
    return { message: `host ${displayName} ${result} cluster ${name}`, value: address };
  });
}

/** The server rejects the request if the list has changed in the meantime. */
async function setHosts(session: Session, { yes }: YesOption, name: string, hostNames: readonly string[]) {
  const { client, printer, terminal } = session;
  const addresses = await resolveAddresses(client, hostNames);
  const { body: old } = await client.listMembers({ name });
  if (addresses.length === 0 && old.length > 0)
    await confirm(terminal, `Remove all ${formatCount(old.length, 'host')} from cluster ${name}?`, yes);
  const { body: value } = await client.replaceMembers({ name, body: { old, new: addresses } });
  await printer.printResult(`cluster ${name} now has ${formatCount(value.length, 'host')}`, value, name);
}

const CLUSTER = new Argument('<cluster>', 'Cluster name');

const hostsArgument = (description: string) => new Argument('<hosts...>', description).argParser(collectHosts);

export function addClusterCommands(program: Command, cli: ActionBuilder): void {
  const group = addCommand(program, 'cluster', 'Manage clusters and their hosts');
  addCommand(group, 'create', 'Create a cluster', CLUSTER)
    .option('--network <network>', 'Network of the hosts', 'default')
    .option('--container-manager <container-manager>', 'Container manager of the hosts')
    .action(cli.withSession(create));
  cli.addListAction(addCommand(group, 'list', 'List clusters'), list);
  cli.addWatchAction(addCommand(group, 'show', 'Show a cluster', CLUSTER), show);
  cli.addListAction(addCommand(group, 'hosts', 'List the hosts of a cluster', CLUSTER), hosts);
  addCommand(group, 'join', 'Add hosts to a cluster', CLUSTER)
    .addArgument(hostsArgument('Addresses or hostnames of enrolled hosts'))
    .action(cli.withSession(join));
  addCommand(group, 'leave', 'Remove hosts from a cluster; they stay enrolled', CLUSTER)
    .addArgument(hostsArgument('Addresses or hostnames of hosts in the cluster'))
    .action(cli.withSession(leave));
  addCommand(group, 'set-hosts', 'Replace the hosts of a cluster', CLUSTER)
    .addArgument(
      new Argument('[hosts...]', 'Addresses or hostnames of enrolled hosts; omit them to empty the cluster').argParser(
        collectHosts,
      ),
    )
    .addOption(yesOption())
    .action(cli.withSession(setHosts));
  addClusterPolicyCommand(group, cli);
  addCommand(group, 'remove', 'Remove a cluster; its hosts stay enrolled', CLUSTER)
    .addOption(yesOption())
    .action(cli.withSession(remove));
}
