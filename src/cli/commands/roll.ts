// Restart, upgrade and deploy: what is done to all hosts of a cluster, a few at a time.

import type { Command } from 'commander';
import type { Static } from 'typebox';
import { ServiceUnreachable } from '../../client/client.ts';
import type { DryRun } from '../../contract/routes/cluster-operations.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import { OPERATION_ID_PATTERN } from '../../domain/vocabulary.ts';
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
import { printPlan } from './operation/print-plan.ts';

interface RollOptions extends PolicyFlags {
  readonly version?: string;
  readonly dryRun?: true;
  readonly follow?: true;
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
  throw new CliProblem(EXIT.failed, 'the service does not say which one it is; look: hostler operation list');
}

async function tellStarted({ client, print }: Session, id: string, isNew: boolean): Promise<void> {
  const { body: value } = await client.getOperation({ id });
  const what = operationName(value);
  const hosts = plural(value.counts.total, 'host');
  const sentence = isNew
    ? `${what} started on ${hosts}: operation ${id}`
    : `${what} is going on already: operation ${id}`;
  await print.done(`${sentence}\nfollow it by: hostler operation follow ${id}`, { value, name: id });
}

const roll = (kind: OperationKind) => async (session: Session, options: RollOptions, cluster: string) => {
  const wish = (await policyWish(options, session.terminal)) ?? {};
  const policy = { ...wish, ...(options.dryRun && { dry_run: true }) };
  const { status, body, headers, isRepeated } = await put(session, kind, cluster, options, policy);
  if (isPlan(body)) return printPlan(session, body);
  const id = idOf(headers);
  if (options.follow) await followOperation(session, id);
  else await tellStarted(session, id, status === 201 || isRepeated);
};

const KINDS: Readonly<
  Record<OperationKind, { readonly what: string; readonly examples: readonly string[] }>
> = {
  restart: {
    what: 'reboot all hosts of a cluster, a few at a time',
    examples: [
      'hostler restart web --max-unavailable 25% --canary 1 --follow',
      'hostler restart web --dry-run',
    ],
  },
  upgrade: {
    what: 'upgrade the packages or the image of all hosts of a cluster',
    examples: [
      'hostler upgrade web --label ring=first --on-failure pause --follow',
      'hostler upgrade web --window "sat,sun 22:00-04:00 Europe/Berlin"',
    ],
  },
  deploy: {
    what: 'bring a version of an image system onto all hosts of a cluster',
    examples: [
      'hostler deploy compute --version 44.20260301.3.0 --dry-run',
      'hostler deploy compute --version 44.20260301.3.0 --canary 1 --follow',
    ],
  },
};

export function addRollCommands(program: Command, cli: CommandLine): void {
  for (const kind of ['restart', 'upgrade', 'deploy'] as const) {
    const { what, examples } = KINDS[kind];
    const command = program
      .command(kind)
      .description(what)
      .argument('<cluster>', 'its name')
      .option('-f, --follow', 'stay until it is over; Ctrl-C leaves it to itself')
      .option('--dry-run', 'only show the plan, and what would be run');
    if (kind === 'deploy')
      command.requiredOption('--version <version>', 'what to deploy, as its tool knows it');
    withPolicyOptions(command)
      .addHelpText('after', `\nFor example:\n${examples.map(line => `  ${line}\n`).join('')}`)
      .action(cli.withSession(roll(kind)));
  }
}
