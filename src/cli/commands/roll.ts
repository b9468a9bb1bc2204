// The commands restart, upgrade and deploy, which change the hosts of a cluster, a few at a time.

import type { Command } from 'commander';
import type { Static } from 'typebox';
import { ServiceUnreachable } from '../../client/client.ts';
import type { DryRun } from '../../contract/routes/cluster-operations.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import { OPERATION_ID_PATTERN } from '../../domain/vocabulary.ts';
import { harmless, LONGEST_SENTENCE } from '../../lib/text/harmless.ts';
import { plural } from '../../lib/text/plural.ts';
import { EXIT } from '../../program/exit-codes.ts';
import { CliProblem } from '../cli-problem.ts';
import type { CommandLine } from '../command-line.ts';
import { followOperation } from '../follow/follow-operation.ts';
import { operationName } from '../output/operation-name.ts';
import type { PolicyFlags } from '../policy/policy-options.ts';
import { withPolicyOptions } from '../policy/policy-options.ts';
import { policyWish } from '../policy/policy-wish.ts';
import type { Session } from '../session.ts';
import { policyToStart } from './operation/blocked-start.ts';
import { printPlan } from './operation/print-plan.ts';

interface RollOptions extends PolicyFlags {
  readonly version?: string;
  readonly dryRun?: true;
  readonly follow?: true;
  readonly yes?: true;
}

/** An answer that was lost is asked for once more; by its key the service knows that it is the same wish. */
async function twice<Answer extends object>(ask: () => Promise<Answer>) {
  try {
    return { ...(await ask()), isRepeated: false };
  } catch (error) {
    if (error instanceof ServiceUnreachable) return { ...(await ask()), isRepeated: true };
    throw error;
  }
}

function put({ client }: Session, kind: OperationKind, name: string, options: RollOptions, policy: object) {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const { version = '' } = options;
  switch (kind) {
    case 'restart':
      return twice(() => client.putRestart({ name, body: { policy }, headers }));
    case 'upgrade':
      return twice(() => client.putUpgrade({ name, body: { policy }, headers }));
    case 'deploy':
      return twice(() => client.putDeploy({ name, body: { policy, version }, headers }));
  }
}

const isPlan = (body: object): body is Static<typeof DryRun> => 'dry_run' in body;

const OPERATION = new RegExp(`/(${OPERATION_ID_PATTERN})$`);

function idOf(headers: Pick<Headers, 'get'>): string {
  const [, id] = OPERATION.exec(headers.get('location') ?? '') ?? [];
  if (id !== undefined) return id;
  throw new CliProblem(EXIT.failed, 'the server returned no operation ID. See: hostler operation list');
}

/** `labels`: the label filters of the policy. */
function warnWithoutHosts({ terminal }: Session, cluster: string, labels: readonly string[]): void {
  const text =
    labels.length === 0
      ? `cluster ${cluster} has no members`
      : `no member of cluster ${cluster} has the ${labels.length === 1 ? 'label' : 'labels'} ${labels.join(' and ')}`;
  terminal.tell(`hostler: warning: ${harmless(text, LONGEST_SENTENCE)}\n`);
}

async function tellStarted({ client, print }: Session, id: string, isNew: boolean): Promise<void> {
  const { body: value } = await client.getOperation({ id });
  const what = operationName(value);
  const hosts = plural(value.counts.total, 'host');
  const sentence = isNew
    ? `${what} started on ${hosts}: operation ${id}`
    : `${what} is already running: operation ${id}`;
  await print.done(`${sentence}\nFollow it with: hostler operation follow ${id}`, { value, name: id });
}

async function preview(
  session: Session,
  kind: OperationKind,
  name: string,
  options: RollOptions,
  policy: object,
) {
  const { body } = await put(session, kind, name, options, { ...policy, dry_run: true });
  if (isPlan(body)) return body;
  throw new CliProblem(EXIT.failed, 'the server returned no plan. See: hostler operation list');
}

const roll = (kind: OperationKind) => async (session: Session, options: RollOptions, cluster: string) => {
  const requested = (await policyWish(options, session.terminal)) ?? {};
  const plan = async () => {
    const body = await preview(session, kind, cluster, options, requested);
    if (body.hosts.length === 0) warnWithoutHosts(session, cluster, body.policy.labels);
    return body;
  };
  if (options.dryRun || requested.dry_run) return printPlan(session, await plan());
  const policy = options.yes ? requested : await policyToStart(session, await plan(), requested);
  const { status, headers, isRepeated } = await put(session, kind, cluster, options, policy);
  const id = idOf(headers);
  if (options.follow) await followOperation(session, id);
  else await tellStarted(session, id, status === 201 || isRepeated);
};

const KINDS: Readonly<
  Record<OperationKind, { readonly what: string; readonly examples: readonly string[] }>
> = {
  restart: {
    what: 'Reboot the hosts of a cluster, a few at a time',
    examples: [
      'hostler restart web --max-unavailable 25% --canary 1 --follow',
      'hostler restart web --dry-run',
      'hostler restart web --unhealthy exclude',
    ],
  },
  upgrade: {
    what: 'Upgrade the packages or OS images of the hosts of a cluster, a few at a time',
    examples: [
      'hostler upgrade web --label ring=first --on-failure pause --follow',
      'hostler upgrade web --window "sat,sun 22:00-04:00 Europe/Berlin"',
    ],
  },
  deploy: {
    what: 'Deploy an OS image version to the hosts of a cluster, a few at a time',
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

export function addRollCommands(program: Command, cli: CommandLine): void {
  for (const kind of ['restart', 'upgrade', 'deploy'] as const) {
    const { what, examples } = KINDS[kind];
    const command = program
      .command(kind)
      .description(what)
      .argument('<cluster>', 'Cluster name')
      .option('-f, --follow', 'Follow the operation until it ends; Ctrl-C stops following, not the operation')
      .option('--dry-run', 'Print the plan and the steps, without changing anything')
      .option(
        '-y, --yes',
        'Start without a dry run and without asking, even if unavailable hosts use all slots',
      );
    if (kind === 'deploy')
      command.requiredOption(
        '--version <version>',
        'Version, commit or image to deploy, in the format of the OS tool',
      );
    withPolicyOptions(command)
      .addHelpText('after', `${BLOCKED_HELP}\nExamples:\n${examples.map(line => `  ${line}\n`).join('')}`)
      .action(cli.withSession(roll(kind)));
  }
}
