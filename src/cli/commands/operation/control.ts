import type { Command } from 'commander';
import { Option } from 'commander';
import type { OperationAction } from '../../../domain/vocabulary.ts';
import type { Client } from '../../../sdk/client.ts';
import { PARTITION_ADVICE } from '../../../sdk/operation-text.ts';
import type { ActionBuilder } from '../../actions.ts';
import { formatOperation } from '../../output/format.ts';
import { collectList } from '../../policy/policy-options.ts';
import type { Session } from '../../session.ts';
import type { Operation } from './find-operation.ts';
import { findOperation } from './find-operation.ts';

interface ControlOptions {
  /** Members that the operation excludes; only for `retry`. */
  readonly exclude?: readonly string[];
}

type ControlRequest = (
  client: Client,
  id: string,
  hosts: readonly string[],
  options: ControlOptions,
) => Promise<{ readonly body: Operation }>;

interface ControlAction {
  readonly description: string;
  readonly request: ControlRequest;
  /** The description of the argument `hosts`, for commands that take hosts. */
  readonly hosts?: string;
  readonly takesExclude?: true;
  readonly help?: string;
}

/** In columns, as in the other help texts. */
const HELP_WIDTH = 80;

/** Without `hosts`, the server selects all failed hosts. */
const hostsBody = (hosts: readonly string[]) => (hosts.length === 0 ? {} : { hosts: [...hosts] });

const CONTROL_ACTIONS: Readonly<Record<OperationAction, ControlAction>> = {
  pause: {
    description: 'Pause an operation: no new host starts, hosts in flight finish',
    request: (client, id) => client.pauseOperation({ id, body: {} }),
  },
  resume: {
    description: 'Resume a paused operation',
    help: `\nIf the operation is paused because most of its hosts cannot be reached: ${PARTITION_ADVICE.join('; ')}.\n`,
    request: (client, id) => client.resumeOperation({ id, body: {} }),
  },
  cancel: {
    description: 'Cancel an operation: hosts in flight finish or are rolled back',
    request: (client, id) => client.cancelOperation({ id, body: {} }),
  },
  retry: {
    description: 'Retry failed hosts and continue with pending hosts',
    hosts: 'Host addresses (default: all failed hosts)',
    takesExclude: true,
    help: `
Example, after a failure because 127.0.0.2 is down:
  hostler operation retry web --exclude 127.0.0.2
`,
    request: (client, id, hosts, { exclude }) =>
      client.retryHosts({ id, body: { ...hostsBody(hosts), ...(exclude && { exclude: [...exclude] }) } }),
  },
  skip: {
    description: 'Skip hosts. Skipped hosts are not counted until they are active again',
    hosts: 'Host addresses (default: all failed hosts)',
    request: (client, id, hosts) => client.skipHosts({ id, body: hostsBody(hosts) }),
  },
};

const runControlAction =
  (request: ControlRequest) =>
  async (session: Session, options: ControlOptions, text: string, hosts: readonly string[] = []): Promise<void> => {
    const { id } = await findOperation(session.client, text);
    const { body: value } = await request(session.client, id, hosts, options);
    await session.printer.printResult(`${formatOperation(value)} (${id}) is ${value.state}`, {
      value,
      name: id,
    });
  };

const printGlobalPause =
  (request: (client: Client) => Promise<{ readonly body: { readonly paused: boolean } }>) =>
  async ({ client, printer }: Session): Promise<void> => {
    const { body: value } = await request(client);
    const message = value.paused
      ? 'All operations are paused. Resume them with: hostler operation resume-all'
      : 'Operations are not paused globally.';
    await printer.printResult(message, { value, name: value.paused ? 'paused' : 'running' });
  };

export function addControlCommands(group: Command, cli: ActionBuilder, operation: readonly [string, string]): void {
  for (const [actionName, { description, request, hosts, takesExclude, help = '' }] of Object.entries(
    CONTROL_ACTIONS,
  )) {
    const command = group
      .command(actionName)
      .description(description)
      .argument(...operation);
    if (hosts !== undefined) command.argument('[hosts...]', hosts);
    if (takesExclude)
      command.addOption(
        new Option(
          '--exclude <addresses>',
          'Exclude these members (comma-separated): they are skipped, and not counted until they are active again',
        ).argParser(collectList),
      );
    command
      .addHelpText('after', () => command.createHelp().boxWrap(help, HELP_WIDTH))
      .action(cli.withSession(runControlAction(request)));
  }
  group
    .command('pause-all')
    .description('Pause all operations, including new ones (role admin)')
    .action(cli.withSession(printGlobalPause(client => client.pauseAllOperations({ body: {} }))));
  group
    .command('resume-all')
    .description('End the pause of all operations (role admin); operations paused individually stay paused')
    .action(cli.withSession(printGlobalPause(client => client.resumeAllOperations({ body: {} }))));
  group
    .command('pause-status')
    .description('Show whether all operations are paused')
    .action(cli.withSession(printGlobalPause(client => client.getGlobalPause())));
}
