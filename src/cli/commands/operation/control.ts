import type { Command } from 'commander';
import { Argument } from 'commander';
import type { OperationAction } from '../../../domain/vocabulary.ts';
import type { Client } from '../../../sdk/client.ts';
import { PARTITION_ADVICE } from '../../../sdk/operation-text.ts';
import type { ActionBuilder } from '../../actions.ts';
import { addCommand } from '../../actions.ts';
import { collectHostList, collectHosts } from '../../input/host-arguments.ts';
import { formatOperation } from '../../output/format.ts';
import { resolveAddresses } from '../../resolve-hosts.ts';
import type { Session } from '../../session.ts';
import type { Operation } from './find-operation.ts';
import { findOperation, OPERATION } from './find-operation.ts';

interface ControlTarget {
  readonly id: string;
  /** If it is `undefined`, the server selects all failed hosts. */
  readonly hosts: readonly string[] | undefined;
  readonly exclude: readonly string[] | undefined;
}

interface ControlAction {
  readonly description: string;
  readonly request: (client: Client, target: ControlTarget) => Promise<{ readonly body: Operation }>;
  readonly takesHosts?: true;
  readonly takesExclude?: true;
  readonly help?: string;
}

/** In columns, as in the other help texts. */
const HELP_WIDTH = 80;

const CONTROL_ACTIONS: Readonly<Record<OperationAction, ControlAction>> = {
  pause: {
    description: 'Pause an operation: no new host starts, hosts in flight finish',
    request: (client, { id }) => client.pauseOperation({ id, body: {} }),
  },
  resume: {
    description: 'Resume a paused operation',
    help: `\nIf the operation is paused because most of its hosts cannot be reached: ${PARTITION_ADVICE.join('; ')}.\n`,
    request: (client, { id }) => client.resumeOperation({ id, body: {} }),
  },
  cancel: {
    description: 'Cancel an operation: hosts in flight finish or are rolled back',
    request: (client, { id }) => client.cancelOperation({ id, body: {} }),
  },
  retry: {
    description: 'Retry failed hosts and continue with pending hosts',
    takesHosts: true,
    takesExclude: true,
    help: `
Example, after a failure because 127.0.0.2 is down:
  hostler operation retry web --exclude 127.0.0.2
`,
    request: (client, { id, hosts, exclude }) => client.retryHosts({ id, body: { hosts, exclude } }),
  },
  skip: {
    description: 'Skip hosts. Skipped hosts are not counted until they are active again',
    takesHosts: true,
    request: (client, { id, hosts }) => client.skipHosts({ id, body: { hosts } }),
  },
};

interface ControlOptions {
  readonly exclude?: readonly string[];
}

const runControlAction =
  (request: ControlAction['request']) =>
  async (session: Session, { exclude }: ControlOptions, text: string, hostNames: readonly string[] = []) => {
    const { client, printer } = session;
    const { id } = await findOperation(client, text);
    const hosts = hostNames.length === 0 ? undefined : await resolveAddresses(client, hostNames);
    const excluded = exclude && (await resolveAddresses(client, exclude));
    const { body: value } = await request(client, { id, hosts, exclude: excluded });
    await printer.printResult(`${formatOperation(value)} (${id}) is ${value.state}`, value, id);
  };

const printGlobalPause =
  (request: (client: Client) => Promise<{ readonly body: { readonly paused: boolean } }>) =>
  async ({ client, printer }: Session): Promise<void> => {
    const { body: value } = await request(client);
    const message = value.paused
      ? 'All operations are paused. Resume them with: hostler operation resume-all'
      : 'Operations are not paused globally.';
    await printer.printResult(message, value, value.paused ? 'paused' : 'running');
  };

export function addControlCommands(group: Command, cli: ActionBuilder): void {
  for (const [name, action] of Object.entries(CONTROL_ACTIONS)) {
    const { description, request, takesHosts, takesExclude, help = '' } = action;
    const command = addCommand(group, name, description, OPERATION);
    if (takesHosts)
      command.addArgument(
        new Argument('[hosts...]', 'Host addresses or hostnames (default: all failed hosts)').argParser(collectHosts),
      );
    if (takesExclude)
      command.option(
        '--exclude <hosts>',
        'Exclude these members (comma-separated): they are skipped, and not counted until they are active again',
        collectHostList,
      );
    command
      .addHelpText('after', () => command.createHelp().boxWrap(help, HELP_WIDTH))
      .action(cli.withSession(runControlAction(request)));
  }
  addCommand(group, 'pause-all', 'Pause all operations, including new ones (role admin)').action(
    cli.withSession(printGlobalPause(client => client.pauseAllOperations({ body: {} }))),
  );
  addCommand(
    group,
    'resume-all',
    'End the pause of all operations (role admin); operations paused individually stay paused',
  ).action(cli.withSession(printGlobalPause(client => client.resumeAllOperations({ body: {} }))));
  addCommand(group, 'pause-status', 'Show whether all operations are paused').action(
    cli.withSession(printGlobalPause(client => client.getGlobalPause())),
  );
}
