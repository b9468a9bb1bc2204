import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { DryRun } from '../../contract/routes/cluster-operations.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import { MAX_MESSAGE_LENGTH, sanitizeLine } from '../../lib/sanitize.ts';
import { formatCount } from '../../lib/text.ts';
import { ServiceUnreachableError } from '../../sdk/errors.ts';
import { findOperationId } from '../../sdk/response-headers.ts';
import type { ActionBuilder } from '../actions.ts';
import { addCommand } from '../actions.ts';
import { failedError } from '../errors.ts';
import { followOperation } from '../follow/follow-operation.ts';
import { formatOperation } from '../output/format.ts';
import { readPolicyInput } from '../policy/policy-input.ts';
import type { PolicyFlags } from '../policy/policy-options.ts';
import { withPolicyOptions } from '../policy/policy-options.ts';
import { resolvePolicyHosts } from '../resolve-hosts.ts';
import type { Session } from '../session.ts';
import { choosePolicy } from './operation/blocked-start.ts';
import { printPlan } from './operation/print-plan.ts';

interface StartOptions extends PolicyFlags {
  readonly version?: string;
  readonly dryRun?: true;
  readonly follow?: true;
  readonly yes?: true;
}

/** Repeats a request once if its response was lost. The server recognizes it by the idempotency key. */
async function retryOnce<Result extends object>(request: () => Promise<Result>) {
  try {
    return { ...(await request()), wasRetried: false };
  } catch (error) {
    if (error instanceof ServiceUnreachableError) return { ...(await request()), wasRetried: true };
    throw error;
  }
}

function requestOperation(
  { client }: Session,
  kind: OperationKind,
  name: string,
  { version = '' }: StartOptions,
  policy: object,
) {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  if (kind === 'deploy') return retryOnce(() => client.putDeploy({ name, body: { policy, version }, headers }));
  if (kind === 'upgrade') return retryOnce(() => client.putUpgrade({ name, body: { policy }, headers }));
  return retryOnce(() => client.putRestart({ name, body: { policy }, headers }));
}

const isPlan = (body: object): body is Static<typeof DryRun> => 'dry_run' in body;

function warnNoHosts({ terminal }: Session, cluster: string, labels: readonly string[]): void {
  const text =
    labels.length === 0
      ? `cluster ${cluster} has no members`
      : `no member of cluster ${cluster} has the ${labels.length === 1 ? 'label' : 'labels'} ${labels.join(' and ')}`;
  terminal.writeErr(`hostler: warning: ${sanitizeLine(text, MAX_MESSAGE_LENGTH)}\n`);
}

async function printStarted({ client, printer }: Session, id: string, isNew: boolean): Promise<void> {
  const { body: value } = await client.getOperation({ id });
  const operation = formatOperation(value);
  const hosts = formatCount(value.counts.total, 'host');
  const result = isNew ? `started on ${hosts}` : 'is already running';
  const message = `${operation} ${result}: operation ${id}\nFollow it with: hostler operation follow ${id}`;
  await printer.printResult(message, value, id);
}

async function fetchPlan(session: Session, kind: OperationKind, name: string, options: StartOptions, policy: object) {
  const { body } = await requestOperation(session, kind, name, options, { ...policy, dry_run: true });
  if (isPlan(body)) return body;
  throw failedError('the server returned no plan. See: hostler operation list');
}

const startOperation = (kind: OperationKind) => async (session: Session, options: StartOptions, cluster: string) => {
  const flags = await resolvePolicyHosts(session.client, options);
  const requested = (await readPolicyInput(flags, session.terminal)) ?? {};
  const getPlan = async () => {
    const body = await fetchPlan(session, kind, cluster, options, requested);
    if (body.hosts.length === 0) warnNoHosts(session, cluster, body.policy.labels);
    return body;
  };
  if (options.dryRun || requested.dry_run) return printPlan(session, await getPlan());
  const policy = options.yes ? requested : await choosePolicy(session, await getPlan(), requested);
  const response = await requestOperation(session, kind, cluster, options, policy);
  const id = findOperationId(response.headers);
  if (id === undefined) throw failedError('the server returned no operation ID. See: hostler operation list');
  if (options.follow) await followOperation(session, id);
  else await printStarted(session, id, response.status === 201 || response.wasRetried);
};

const START_COMMANDS: Readonly<
  Record<OperationKind, { readonly description: string; readonly examples: readonly string[] }>
> = {
  restart: {
    description: 'Reboot the hosts of a cluster, a few at a time',
    examples: [
      'hostler restart web --max-unavailable 25% --canary 1 --follow',
      'hostler restart web --dry-run',
      'hostler restart web --unhealthy exclude',
    ],
  },
  upgrade: {
    description: 'Upgrade the packages or OS images of the hosts of a cluster, a few at a time',
    examples: [
      'hostler upgrade web --label ring=first --on-failure pause --follow',
      'hostler upgrade web --window "sat,sun 22:00-04:00 Europe/Berlin"',
    ],
  },
  deploy: {
    description: 'Deploy an OS image version to the hosts of a cluster, a few at a time',
    examples: [
      'hostler deploy compute --version 44.20260301.3.0 --dry-run',
      'hostler deploy compute --version 44.20260301.3.0 --canary 1 --follow',
    ],
  },
};

const BLOCKED_HELP = `
If hosts that are already unavailable use all slots (--max-unavailable):
- On a terminal, the command asks whether to exclude these hosts. If the answer
  is no, it starts nothing and exits with 1.
- Without a terminal, it starts nothing, names the hosts and the flags that
  help, and exits with 4.
`;

export function addStartCommands(program: Command, cli: ActionBuilder): void {
  for (const kind of ['restart', 'upgrade', 'deploy'] as const) {
    const { description, examples } = START_COMMANDS[kind];
    const command = addCommand(program, kind, description)
      .argument('<cluster>', 'Cluster name')
      .option('-f, --follow', 'Follow the operation until it ends; Ctrl-C stops following, not the operation')
      .option('--dry-run', 'Print the plan and the steps, without changing anything')
      .option('-y, --yes', 'Start without a dry run and without asking, even if unavailable hosts use all slots');
    if (kind === 'deploy')
      command.requiredOption('--version <version>', 'Version, commit or image to deploy, in the format of the OS tool');
    withPolicyOptions(command)
      .addHelpText('after', `${BLOCKED_HELP}\nExamples:\n${examples.map(line => `  ${line}\n`).join('')}`)
      .action(cli.withSession(startOperation(kind)));
  }
}
