import type { Command } from 'commander';
import { DEFAULT_TARGET_PORT } from '../../domain/defaults.ts';
import type { ActionBuilder } from '../actions.ts';
import { addCommand } from '../actions.ts';
import { usageError } from '../errors.ts';
import { parseHost } from '../input/host-arguments.ts';
import { parsePort } from '../input/option-parsers.ts';
import { resolveFilterHost } from '../resolve-hosts.ts';
import type { Session } from '../session.ts';
import type { HostFilter } from './host/arguments.ts';
import { hostQuery, withHostFilter } from './host/arguments.ts';

interface AnsibleOptions extends HostFilter {
  readonly list?: true;
  readonly host?: string;
}

async function ansible({ client, printer }: Session, { list, host, ...filter }: AnsibleOptions): Promise<void> {
  if (list && host !== undefined) throw usageError('--list and --host cannot be combined');
  const address = await resolveFilterHost(client, host);
  const { body } = await client.getAnsibleInventory({ query: { ...hostQuery(filter), host: address } });
  await printer.printStructured(body, '_meta' in body ? Object.keys(body._meta.hostvars) : [body.ansible_host]);
}

async function prometheus({ client, printer }: Session, { port, ...filter }: HostFilter & { readonly port?: number }) {
  const { body } = await client.getPrometheusTargets({ query: { ...hostQuery(filter), port } });
  const names = body.map(({ labels }) => labels['__meta_hostler_address'] ?? '');
  await printer.printStructured(body, names);
}

export function addInventoryCommands(program: Command, cli: ActionBuilder): void {
  const group = addCommand(program, 'inventory', 'Export hosts for Ansible and Prometheus');
  withHostFilter(
    addCommand(group, 'ansible', 'Print a dynamic inventory for Ansible')
      .option('--list', 'Print all hosts and groups (default)')
      .option('--host <host>', 'Print only the variables of this host, by address or hostname', parseHost),
  )
    .addHelpText(
      'after',
      `
To use the inventory in Ansible, create an executable script:

  #!/bin/sh
  exec hostler inventory ansible --status active "$@"
`,
    )
    .action(cli.withSession(ansible));
  withHostFilter(
    addCommand(group, 'prometheus', 'Print targets for Prometheus, in the format of file_sd and http_sd').option(
      '--port <number>',
      `Port of the targets (default: ${DEFAULT_TARGET_PORT})`,
      parsePort,
    ),
  )
    .addHelpText(
      'after',
      '\nExample:\n  hostler inventory prometheus --cluster web > /etc/prometheus/targets/web.json\n',
    )
    .action(cli.withSession(prometheus));
}
